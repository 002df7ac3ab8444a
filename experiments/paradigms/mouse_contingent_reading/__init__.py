"""Mouse-contingent reading."""

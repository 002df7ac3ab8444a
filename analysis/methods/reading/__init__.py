"""Reading measures from visits to areas of interest."""

"""Results that were reported: are they consistent, and do they hang on a choice."""

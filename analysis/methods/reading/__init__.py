"""Compute reading measures (first pass, go-past, regressions, pace) from visits to areas of interest."""

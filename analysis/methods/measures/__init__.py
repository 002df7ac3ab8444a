"""Prepare and describe measures: scales, means per condition, rankings, correlations."""

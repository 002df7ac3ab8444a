"""Monitoring of a study during and after data collection: counts, flags, exclusion, payment, invariants."""

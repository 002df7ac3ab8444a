"""Intake of results: validate, store exactly once, acknowledge after the commit."""

"""Magnitude estimation of acceptability."""

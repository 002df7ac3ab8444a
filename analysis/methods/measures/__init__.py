"""Measures before they are tested: scales, means, orders, correlations."""

"""Comparing conditions by means of units: analyses of variance, pairs, contrasts, ranks."""

"""Comparison: several conditions of one item together, judged against each other."""

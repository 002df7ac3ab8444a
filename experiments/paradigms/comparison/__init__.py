"""Comparison: participants judge several conditions of an item against each other."""

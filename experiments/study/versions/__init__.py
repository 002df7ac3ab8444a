"""Versions of materials: kept with every change, compared, gone back to."""

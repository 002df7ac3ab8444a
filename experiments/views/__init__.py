"""Researchers' pages of `experiments`, one module for each step."""

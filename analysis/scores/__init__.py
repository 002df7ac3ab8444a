"""Scores of a study's texts, such as metrics and norms."""

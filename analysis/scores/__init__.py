"""Scores of a study's texts, beside the texts."""

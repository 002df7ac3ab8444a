"""Pieces that several paradigms share."""

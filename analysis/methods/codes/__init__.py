"""Codes that people gave: agreement, how often each was given, proportions."""

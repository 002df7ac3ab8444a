"""Sentence recall with arithmetic distractors."""

"""Timed choice: a sequence of displays, and an answer by key, button or touch before a deadline."""

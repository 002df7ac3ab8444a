"""Timed choice: displays in turn, and an answer by key, button or touch before a deadline."""

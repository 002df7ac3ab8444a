"""Maze: participants read by choosing the word that continues the sentence."""

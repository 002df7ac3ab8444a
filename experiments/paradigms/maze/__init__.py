"""Maze: reading by choosing the word that goes on with the sentence."""

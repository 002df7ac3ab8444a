"""Distractors for the Maze task: beside every word one that does not go on with the sentence, alike in length and
frequency, and the same in all conditions of an item."""

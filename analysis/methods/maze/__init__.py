"""Materials of the Maze task."""

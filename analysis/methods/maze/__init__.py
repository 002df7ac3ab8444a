"""Make materials of the Maze task: distractors for its texts."""

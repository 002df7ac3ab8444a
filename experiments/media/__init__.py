"""Pictures and sounds of a study: which files are taken, how they are checked and kept, and what materials name."""

"""How texts, numbers, words and CSV are read and written, and how faults are told."""

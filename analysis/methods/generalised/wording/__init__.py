"""Notes and warnings of models of `answers` (two values, ordered categories) and of `numbers` (counts, times)."""

"""The method `regions`: the same linear mixed model for every region of a text, corrected for their number."""

"""The method `regions`: one linear mixed model per region of a text, with p adjusted for their number."""

"""Typed production: completions, associations, names of pictures, translations."""

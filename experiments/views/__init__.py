"""Pages of the researcher's half of `experiments`, one module for each step."""

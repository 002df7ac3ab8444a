"""Build the rows of every exported CSV file, with columns in the order of `codebook`."""

"""The rows of every CSV file of a study, each in the order of its columns in `codebook`."""

"""Results of other tools as a table that `analyse` reads: recognised by what stands in the file, never by its name."""

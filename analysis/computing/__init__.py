"""Read-only computations of a worker: runs, parts of runs, looks of sequential plans."""

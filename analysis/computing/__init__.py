"""What a worker computes from what the database holds, and writes nothing: runs, parts of runs, looks."""

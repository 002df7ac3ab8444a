"""Sessions from start to end: assignment, trials, resuming, supervision, completion."""

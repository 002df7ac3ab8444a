"""A session from its start to its end: list, trials, resuming, supervision, withdrawal."""

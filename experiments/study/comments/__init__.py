"""Comments of the people who work on a study, at its steps."""

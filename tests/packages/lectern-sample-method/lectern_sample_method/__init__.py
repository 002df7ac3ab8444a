"""A method of another package."""

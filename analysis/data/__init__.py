"""Build the tables on which methods run, from stored rows or a file."""

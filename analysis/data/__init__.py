"""From stored rows or a file to the tables on which methods run."""

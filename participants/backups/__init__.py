"""Backups: everything in one file, made while people answer, and put back into an empty place."""

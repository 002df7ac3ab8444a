"""Erase data: after withdrawal, at the end of retention, and in the files of the database."""

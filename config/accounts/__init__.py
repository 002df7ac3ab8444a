"""Accounts of researchers: logging in, passwords, the second factor, sessions, and the log-in of a university."""

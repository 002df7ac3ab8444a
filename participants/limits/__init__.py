"""Limits of requests by sender, in one place for all processes of a machine."""

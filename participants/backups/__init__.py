"""Backups: write everything to one file while the platform runs, and restore it into an empty installation."""

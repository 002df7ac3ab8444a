"""A paradigm that is not part of the platform: a text, and two buttons."""

__version__ = "1.0"

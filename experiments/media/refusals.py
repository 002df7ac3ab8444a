"""Refusals of pictures and sounds: why a file cannot be used."""

from __future__ import annotations

from experiments.sentences import Sentence


class UnusableFile(ValueError):
    """A picture or sound cannot be used; the message says what is wrong and what to do."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


def truncated() -> UnusableFile:
    """Return the refusal of a truncated file."""
    return UnusableFile(Sentence("is cut off: its end is missing."), Sentence("Save or copy it again."))


def damaged() -> UnusableFile:
    """Return the refusal of a file that violates its format."""
    return UnusableFile(
        Sentence("is damaged: its contents do not match its format."), Sentence("Save it again with another program.")
    )


def moving() -> UnusableFile:
    """Return the refusal of an animation."""
    return UnusableFile(
        Sentence("is animated; only still pictures can be shown."), Sentence("Save one of its frames as PNG.")
    )

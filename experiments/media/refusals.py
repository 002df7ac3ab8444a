"""Why a file cannot be used."""

from __future__ import annotations

from experiments.sentences import Sentence


class UnusableFile(ValueError):
    """A picture or sound that cannot be used: what is wrong with it, and what to do."""

    def __init__(self, message: str, suggestion: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion


def truncated() -> UnusableFile:
    """Return the refusal of a file whose end is missing."""
    return UnusableFile(Sentence("is cut off: its end is missing."), Sentence("Save or copy it again."))


def damaged() -> UnusableFile:
    """Return the refusal of a file that is not built as its format says."""
    return UnusableFile(
        Sentence("is damaged: it is not built as its format says."), Sentence("Save it again with another program.")
    )


def moving() -> UnusableFile:
    """Return the refusal of an animation."""
    return UnusableFile(
        Sentence("moves; only still pictures can be shown."), Sentence("Save one of its frames as PNG.")
    )

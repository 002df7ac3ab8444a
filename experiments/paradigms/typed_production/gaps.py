"""Find the gaps of a text and the segments between them. Pure."""

from __future__ import annotations

import re

GAP = "___"
_GAP = re.compile(r"_{3,}")


def segments_of(text: str) -> list[str]:
    """Return the segments before, between and after the gaps: one more than there are gaps.

    >>> segments_of("She spread the bread with ___ and ____.")
    ['She spread the bread with ', ' and ', '.']
    """
    return _GAP.split(text)


def gaps_in(text: str) -> int:
    """Return the number of gaps in a text.

    >>> gaps_in("She spread the bread with ___."), gaps_in("snake_case __init__")
    (1, 0)
    """
    return len(segments_of(text)) - 1

"""Gaps in a text: where they are, and what stands between them. Pure."""

from __future__ import annotations

import re

GAP = "___"
_GAP = re.compile(r"_{3,}")


def segments_of(text: str) -> list[str]:
    """Return what stands before, between and behind the gaps: one segment more than there are gaps.

    >>> segments_of("She spread the bread with ___ and ____.")
    ['She spread the bread with ', ' and ', '.']
    """
    return _GAP.split(text)


def gaps_in(text: str) -> int:
    """Return how many gaps a text has.

    >>> gaps_in("She spread the bread with ___."), gaps_in("snake_case __init__")
    (1, 0)
    """
    return len(segments_of(text)) - 1

"""Remarks before a result is published, ordered by what they are about; each says what to do.

A warning of a report is a sentence. One that is a `Remark` knows its place among the others; the rest keep the order in
which methods say them, behind the graver ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Importance(IntEnum):
    """What a remark is about, the gravest first."""

    UNITS = 0
    """Whose rows belong together: people or items are taken for each other."""
    ROWS = 1
    """What counts as a row, a level or a value, and numbers that must not be reported."""
    MODEL = 2
    """Another model or another test is asked for."""
    USUAL = 3
    """Everything else."""


class Remark(str):
    """A sentence with its place among the remarks of a report.

    >>> Remark("Rows were pasted twice.", Importance.ROWS).importance.name
    'ROWS'
    """

    __slots__ = ("importance",)
    importance: Importance

    def __new__(cls, text: str, importance: Importance) -> Remark:
        made = super().__new__(cls, text)
        made.importance = importance
        return made


def of(importance: Importance, texts: Iterable[str]) -> list[str]:
    """Return sentences as remarks of one importance."""
    return [Remark(text, importance) for text in texts]


def by_importance(warnings: Iterable[str]) -> tuple[str, ...]:
    """Return remarks with the gravest first, otherwise in their order.

    >>> by_importance(["Few people.", Remark("Ids begin anew.", Importance.UNITS)])
    ('Ids begin anew.', 'Few people.')
    """
    return tuple(sorted(warnings, key=lambda one: getattr(one, "importance", Importance.USUAL)))

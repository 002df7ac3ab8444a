"""Read the order of factor levels as researchers write it: `marker=because,because-of; order=ab,ba`."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.methods.contrast_texts import split, unquoted
from analysis.methods.report import BadInput


def read_levels(text: str | None, columns: Sequence[str]) -> dict[str, list[str]]:
    """Read orders of levels.

    >>> read_levels("marker=because,cause; order=ab,ba", ["marker", "order"])
    {'marker': ['because', 'cause'], 'order': ['ab', 'ba']}
    >>> read_levels('"a=b, c"="left: 1","right, 2"', ["a=b, c"])
    {'a=b, c': ['left: 1', 'right, 2']}
    """
    found: dict[str, list[str]] = {}
    for part in filter(None, split((text or "").replace("\n", ";"), ";")):
        quoted, *levels = split(part, "=", once=True)
        name = unquoted(quoted)
        if not levels or name not in columns:
            raise BadInput(
                f"levels: '{part}' cannot be read; write a column, =, and its levels in order, such as "
                f"marker=because,because-of; order=ab,ba. Names that hold signs stand in double quotes."
            )
        found[name] = [unquoted(level) for level in split(levels[0], ",") if level]
        if len(set(found[name])) < len(found[name]):
            raise BadInput(f"levels: a level of '{name}' is named twice; name every level once.")
    return found

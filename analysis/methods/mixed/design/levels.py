"""Read the order of factor levels as researchers write it: `marker=because,because-of; order=ab,ba`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.methods.report import BadInput


def read_levels(text: str | None, columns: Sequence[str]) -> dict[str, list[str]]:
    """Read orders of levels.

    >>> read_levels("marker=because,cause; order=ab,ba", ["marker", "order"])
    {'marker': ['because', 'cause'], 'order': ['ab', 'ba']}
    """
    found: dict[str, list[str]] = {}
    for part in re.split(r"[;\n]", text or ""):
        if not part.strip():
            continue
        name, sign, levels = part.partition("=")
        if not sign or name.strip() not in columns:
            raise BadInput(
                f"levels: '{part.strip()}' cannot be read; write a column, =, and its levels in order, such as "
                f"marker=because,because-of; order=ab,ba."
            )
        found[name.strip()] = [level.strip() for level in levels.split(",") if level.strip()]
        if len(set(found[name.strip()])) < len(found[name.strip()]):
            raise BadInput(f"levels: a level of '{name.strip()}' is named twice; name every level once.")
    return found

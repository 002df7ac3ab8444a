"""Derive effects of simulated studies from names, so that every analysis can be compared with the truth."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping


def spread(name: str) -> float:
    """Return a number from −1 to 1 that depends on the name alone.

    >>> spread("item 7") == spread("item 7"), -1 <= spread("item 7") <= 1
    (True, True)
    """
    digest = hashlib.sha256(name.encode()).digest()
    return int.from_bytes(digest[:4], "big") / 0xFFFFFFFF * 2 - 1


def level_effect(levels: Mapping[str, str], *, size: float, what: str = "") -> float:
    """Return the sum of one effect per factor level, each at most `size`; `what` gives each measure its own effects.

    >>> level_effect({}, size=1.0)
    0.0
    """
    return float(sum(size * spread(f"{what}{factor}={level}") for factor, level in sorted(levels.items())))

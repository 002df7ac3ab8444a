"""How contrasts are written as text: parts between signs, names in double quotes, and how large a weight may be."""

from __future__ import annotations

import re

LARGEST_WEIGHT = 1e6


def split(text: str, sign: str, *, once: bool = False) -> list[str]:
    """Split text at a sign that stands outside double quotes, and strip the parts.

    >>> split('"a, b"=1, c=-1', ","), split('"x:y": a=1', ":", once=True)
    (['"a, b"=1', 'c=-1'], ['"x:y"', 'a=1'])
    """
    parts = re.split(rf'{re.escape(sign)}(?=(?:[^"]*"[^"]*")*[^"]*$)', text, maxsplit=1 if once else 0)
    return [part.strip() for part in parts]


def unquoted(name: str) -> str:
    """Return a name without the double quotes around it.

    >>> unquoted(' "a, b" '), unquoted("c")
    ('a, b', 'c')
    """
    name = name.strip()
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] == '"' else name

"""The text of a formula cut into names, numbers and signs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.methods.mixed.design.bounds import check_length
from analysis.methods.report import BadInput

_TOKEN = re.compile(
    r"\s*(?:(?P<name>`[^`]+`|[^\W\d][\w.]*|\.[^\W\d][\w.]*)|(?P<number>\d+)|(?P<sign>\|\||[-+*/:^()|~,=]))"
)
_ODD = re.compile(r"[^\W\d][\w.]*(?:[- ]+[\w.]+)+")


def tokens_of(text: str, columns: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return (kind, token): name, number or sign. A name of `columns` may hold hyphens or spaces.

    Raises BadInput, quoting the place, at a sign that no formula has, and for a text that is longer than any formula.

    >>> tokens_of("log-rating ~ 0 + `text type`", ["log-rating"])
    [('name', 'log-rating'), ('sign', '~'), ('number', '0'), ('sign', '+'), ('name', 'text type')]
    """
    check_length(text)
    odd_names = sorted((name for name in columns if name in text and _ODD.fullmatch(name)), key=len, reverse=True)
    odd_signs = [(name, re.compile(re.escape(name) + r"(?![\w.])")) for name in odd_names]
    tokens: list[tuple[str, str]] = []
    position = 0
    while position < len(text):
        rest = text[position:].lstrip()
        start = len(text) - len(rest)
        odd = next((name for name, sign in odd_signs if sign.match(rest)), None)
        if odd is not None:
            tokens.append(("name", odd))
            position = start + len(odd)
            continue
        found = _TOKEN.match(text, position)
        if found is None:
            raise BadInput(
                f"formula: '{text}' cannot be read at '{rest[:20]}'; "
                f"put a column name that holds such signs in backticks."
            )
        kind = str(found.lastgroup)
        tokens.append((kind, found.group(kind).strip("`") if kind == "name" else found.group(kind)))
        position = found.end()
    return tokens

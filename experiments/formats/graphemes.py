"""Count extended grapheme clusters, the characters that people see, as `Intl.Segmenter` of browsers does. Pure."""

from __future__ import annotations

import regex

_GRAPHEME = regex.compile(r"\X")


def graphemes_in(text: str) -> int:
    """Return the number of extended grapheme clusters (UAX #29): an e with its accent, a flag or a family is one.

    >>> graphemes_in("abc"), graphemes_in("e\u0301"), graphemes_in("👩‍👩‍👧"), graphemes_in("नमस्ते")
    (3, 1, 1, 3)
    """
    # In ASCII only the two characters that end a line can be one.
    if text.isascii() and "\r" not in text:
        return len(text)
    return sum(1 for _ in _GRAPHEME.finditer(text))

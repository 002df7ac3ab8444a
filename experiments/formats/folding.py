"""Normalise typed responses: case, blanks, accents, surrounding punctuation. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

FOLDS = ("case", "space", "accents", "punctuation")
"""The ways of folding, in the order in which they are named."""


def folded(text: str, folds: Collection[str]) -> str:
    """Return the normalised form by which responses are counted. The encoding of accents never matters (NFC).

    >>> folded(" Der  Hund. ", ["case", "space", "punctuation"]), folded("Café", ["accents"])
    ('der hund', 'Cafe')
    """
    found = unicodedata.normalize("NFC", text)
    if "case" in folds:
        found = unicodedata.normalize("NFC", found.casefold())
    if "accents" in folds:
        plain = (sign for sign in unicodedata.normalize("NFD", found) if not unicodedata.combining(sign))
        found = unicodedata.normalize("NFC", "".join(plain))
    if "space" in folds:
        found = " ".join(found.split())
    if "punctuation" in folds:
        while found and unicodedata.category(found[0])[0] in "PZ":
            found = found[1:]
        while found and unicodedata.category(found[-1])[0] in "PZ":
            found = found[:-1]
    return found

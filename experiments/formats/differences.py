"""What differs between two texts, word by word. Pure.

The words that both have in their order are the longest such sequence (H. Hyyrö 2004, *Bit-parallel LCS-length
computation revisited*): for texts of n and m words it takes n steps on numbers of m bits, so that texts of any allowed
length are compared in milliseconds. In scripts without spaces characters are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import regex

from experiments.formats.words import is_without_spaces

Kind = Literal["same", "removed", "added"]
# Spaces, words with the apostrophes and hyphens in them, single other signs.
_TOKENS = regex.compile(r"\s+|[\w\p{M}]+(?:[’'\-][\w\p{M}]+)*|\X")
_CHARACTER = regex.compile(r"\X")


@dataclass(frozen=True)
class Piece:
    """A piece of a text that both have, or that was removed, or that was added."""

    kind: Kind
    text: str


def differences_between(before: str, after: str) -> list[Piece]:
    """Return the pieces of two texts in order: those without the added ones make `before`, without the removed `after`.

    >>> [(piece.kind, piece.text) for piece in differences_between("The old dog slept.", "The dog slept well.")]
    [('same', 'The '), ('removed', 'old '), ('same', 'dog slept'), ('added', ' well'), ('same', '.')]
    >>> [(piece.kind, piece.text) for piece in differences_between("一只狗睡了", "一只猫睡了")]
    [('same', '一只'), ('removed', '狗'), ('added', '猫'), ('same', '睡了')]
    """
    old, new = _tokens(before), _tokens(after)
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    middle = _pieces(old[start : len(old) - end], new[start : len(new) - end])
    tail = old[len(old) - end :]
    same: list[tuple[Kind, str]] = [("same", token) for token in old[:start]]
    return _joined(_without_lonely_spaces([*same, *middle, *(("same", token) for token in tail)]))


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for token in _TOKENS.findall(text):
        tokens += _CHARACTER.findall(token) if any(map(is_without_spaces, token)) else [token]
    return tokens


def _shared(these: Sequence[str], those: Sequence[str]) -> int:
    """Return how many tokens two sequences begin with in common."""
    return next((n for n, (a, b) in enumerate(zip(these, those, strict=False)) if a != b), min(len(these), len(those)))


def _pieces(old: Sequence[str], new: Sequence[str]) -> list[tuple[Kind, str]]:
    """Return the tokens of both, those of the longest common subsequence once."""
    places: dict[str, int] = {}
    for place, token in enumerate(old):
        places[token] = places.get(token, 0) | 1 << place
    every = (1 << len(old)) - 1
    row, rows = every, []
    for token in new:
        met = row & places.get(token, 0)
        row = (row + met | row - met) & every
        rows.append(row)
    found: list[tuple[Kind, str]] = []
    left, right = len(old), len(new)
    # From the end: a one says that the token of `old` adds nothing to what is common up to here.
    while left and right:
        if rows[right - 1] >> left - 1 & 1:
            left -= 1
            found.append(("removed", old[left]))
        elif right > 1 and not rows[right - 2] >> left - 1 & 1:
            right -= 1
            found.append(("added", new[right]))
        else:
            left, right = left - 1, right - 1
            found.append(("same", new[right]))
    found += [("removed", token) for token in reversed(old[:left])] + [("added", token) for token in new[:right][::-1]]
    return _removed_first(found[::-1])


def _removed_first(pieces: Sequence[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
    """Return pieces with what was removed before what was added in its place."""
    ordered: list[tuple[Kind, str]] = []
    for is_same, some in groupby(pieces, key=lambda piece: piece[0] == "same"):
        run = list(some)
        ordered += run if is_same else sorted(run, key=lambda piece: piece[0] == "added")
    return ordered


def _without_lonely_spaces(pieces: Sequence[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
    """Return pieces in which a space between two changed words belongs to both changes, so that they read as one."""
    spread: list[tuple[Kind, str]] = []
    for place, (kind, text) in enumerate(pieces):
        is_between = 0 < place < len(pieces) - 1 and "same" not in (pieces[place - 1][0], pieces[place + 1][0])
        spread += (
            [("removed", text), ("added", text)] if kind == "same" and text.isspace() and is_between else [(kind, text)]
        )
    return _removed_first(spread)


def _joined(pieces: Sequence[tuple[Kind, str]]) -> list[Piece]:
    runs = groupby(pieces, key=lambda one: one[0])
    return [Piece(kind, "".join(text for _kind, text in some)) for kind, some in runs]

"""Align the words of a stimulus and its recall, to highlight differences for coders. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["same", "near", "moved", "only"]

# Apostrophes and hyphens inside a word belong to it.
_PIECES = re.compile(r"[^\W_]+(?:['’‑-][^\W_]+)*|(?:(?![^\W_]).)+", re.DOTALL)
_WORD = re.compile(r"[^\W_]")
# Aligning takes time with the product of the lengths; beyond this nobody compares words by eye either.
MOST_PAIRS = 300_000
# Comparing spellings takes longer.
MOST_NEAR_PAIRS = 40_000


@dataclass(frozen=True)
class Mark:
    """A piece of a text, spaces and punctuation included; the pieces of a text joined are the text.

    `same` stands in the other text too, at its place; `near` differs there in spelling or ending only, as in a typing
    error; `moved` stands in the other text at another place; `only` stands in this text alone.
    """

    text: str
    kind: Kind


def marks(stimulus: str, recall: str) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return the marks of the stimulus and of the recall.

    Words are aligned so that as many as possible match in order (longest common subsequence, a near match counting
    less than an equal one); capitals do not count.

    >>> left, right = marks("The path flooded because of rain.", "the path floded because rain fell")
    >>> [(mark.text, mark.kind) for mark in right]
    [('the path ', 'same'), ('floded', 'near'), (' because rain ', 'same'), ('fell', 'only')]
    >>> [mark.text for mark in left if mark.kind == "only"]
    ['of']
    """
    here, there = _PIECES.findall(stimulus), _PIECES.findall(recall)
    a = [piece for piece in here if _WORD.match(piece)]
    b = [piece for piece in there if _WORD.match(piece)]
    kinds_a, kinds_b = _kinds([folded(word) for word in a], [folded(word) for word in b])
    return _joined(here, kinds_a), _joined(there, kinds_b)


def words_of(text: str) -> list[str]:
    """Return the words of a text in order, without capitals.

    >>> words_of("It’s a well-known cause.")
    ["it's", 'a', 'well-known', 'cause']
    """
    return [folded(piece) for piece in _PIECES.findall(text) if _WORD.match(piece)]


def folded(word: str) -> str:
    """Return a word as it is compared: without capitals, with one kind of apostrophe and hyphen."""
    return word.casefold().replace("’", "'").replace("‑", "-")


def is_near(a: str, b: str) -> bool:
    """Say whether two words differ as a typing error or another ending would: not at all, or in few letters.

    One letter (added, lost, changed or swapped with its neighbour) in words of four letters and more, two in words of
    eight and more; or the same beginning of at least four letters and endings of at most three.

    >>> is_near("flooded", "floded"), is_near("cause", "causes"), is_near("rain", "sun"), is_near("because", "become")
    (True, True, False, False)
    """
    if a == b:
        return True
    shorter, longer = sorted((len(a), len(b)))
    if shorter < 4 or longer - shorter > 3:
        return False
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), shorter)
    if start >= 5 and len(a) - start <= 3 and len(b) - start <= 3 and min(len(a), len(b)) - start <= 2:
        return True
    allowed = 2 if shorter >= 8 else 1
    return _distance(a, b, allowed) <= allowed


def _distance(a: str, b: str, most: int) -> int:
    """Return the number of letters in which two words differ (optimal string alignment), or more than `most`."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    before: list[int] = []
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        row = [i]
        for j, y in enumerate(b, start=1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, previous = previous, row
    return previous[-1]


def _kinds(a: Sequence[str], b: Sequence[str]) -> tuple[list[Kind], list[Kind]]:
    kinds_a: list[Kind] = ["only"] * len(a)
    kinds_b: list[Kind] = ["only"] * len(b)
    for i, j in aligned(a, b):
        kind: Kind = "same" if a[i] == b[j] else "near"
        kinds_a[i], kinds_b[j] = kind, kind
    left = Counter(word for word, kind in zip(a, kinds_a, strict=True) if kind == "only")
    right = Counter(word for word, kind in zip(b, kinds_b, strict=True) if kind == "only")
    for words, kinds in ((a, kinds_a), (b, kinds_b)):
        moved = left & right
        for place, word in enumerate(words):
            if kinds[place] == "only" and moved[word] > 0:
                moved[word] -= 1
                kinds[place] = "moved"
    return kinds_a, kinds_b


def aligned(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of places at which two lists of words match, in order, equal words before near ones.

    >>> aligned(["the", "path", "flooded"], ["path", "floods"])
    [(1, 0), (2, 1)]
    """
    if len(a) * len(b) > MOST_PAIRS:
        return [(i, i) for i, (x, y) in enumerate(zip(a, b, strict=False)) if x == y]
    # Equal words weigh three, near ones two: no equal word is given up for a near one without a gain.
    near = len(a) * len(b) <= MOST_NEAR_PAIRS
    known: dict[tuple[str, str], int] = {}

    def weight(x: str, y: str) -> int:
        if x == y:
            return 3
        if not near:
            return 0
        if (x, y) not in known:
            known[x, y] = 2 if is_near(x, y) else 0
        return known[x, y]

    best = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(len(a) - 1, -1, -1):
        row, below = best[i], best[i + 1]
        for j in range(len(b) - 1, -1, -1):
            value = below[j] if below[j] > row[j + 1] else row[j + 1]
            match = weight(a[i], b[j])
            if match and below[j + 1] + match > value:
                value = below[j + 1] + match
            row[j] = value
    pairs = []
    i = j = 0
    while i < len(a) and j < len(b):
        match = weight(a[i], b[j])
        if match and best[i][j] == best[i + 1][j + 1] + match:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _joined(pieces: Sequence[str], kinds: Sequence[Kind]) -> tuple[Mark, ...]:
    """Join neighbouring pieces of one kind; what is no word counts as the same unless both its sides are marked."""
    placed: list[tuple[str, Kind]] = []
    remaining = iter(kinds)
    for piece in pieces:
        placed.append((piece, next(remaining) if _WORD.match(piece) else "same"))
    for place, (piece, _kind) in enumerate(placed):
        sides = {placed[side][1] for side in (place - 1, place + 1) if 0 <= side < len(placed)}
        if not _WORD.match(piece) and len(sides) == 1 and 0 < place < len(placed) - 1:
            placed[place] = (piece, sides.pop())
    joined: list[Mark] = []
    for piece, kind in placed:
        if joined and joined[-1].kind == kind:
            joined[-1] = Mark(joined[-1].text + piece, kind)
        else:
            joined.append(Mark(piece, kind))
    return tuple(joined)

"""Find the column that somebody means by a name that the table lacks: by its spelling, and by what its cells hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from experiments.formats.faults import did_you_mean
from experiments.materials.shapes import Table
from experiments.sentences import Sentence

# A sentence has at least so many words, or, where words are not divided by spaces, letters.
_WORDS, _LETTERS = 3, 8
# Words, or the regions of a text that a sign divides.
_DIVIDED = re.compile(r"[\s/|*]+")
# A column of sentences holds at most this share of the letters of the one with most, or both may be the texts.
_CLEARLY_LESS = 0.5


@dataclass(frozen=True)
class Meant:
    """A column that is meant by another name, and the sentence that says so."""

    column: str
    suggestion: str


def meant_column(table: Table, name: str, unknown: Mapping[str, int]) -> Meant | None:
    """Return the unknown column that is meant by a missing name; None if none is, or several may be.

    A column of similar spelling is meant, except that of `text` only one that holds sentences is, if there is one.
    `item` and `text` are known by their cells, too: the same code in the rows of an item, and sentences.
    """
    spelt = [column for column in unknown if did_you_mean(column, [name])]
    cells = {column: [row.cells[number] for row in table.rows] for column, number in unknown.items()}
    holds = _HOLDS.get(name)
    if holds is None:
        return Meant(spelt[0], Sentence("Did you mean '{name}'?", name=name)) if spelt else None
    fitting = holds(cells)
    both = [column for column in spelt if column in fitting]
    if spelt and (both or name != "text" or len(fitting) != 1):
        return Meant((both or spelt)[0], Sentence("Did you mean '{name}'?", name=name))
    if len(fitting) != 1:
        return None
    said = (
        Sentence("Did you mean '{name}'? Its cells contain sentences.", name=name)
        if name == "text"
        else Sentence("Did you mean '{name}'? Several rows in turn have the same cell there.", name=name)
    )
    return Meant(fitting[0], said)


def _sentences(cells: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the columns of sentences; only the first where the others hold clearly shorter ones."""
    letters = {column: sum(map(len, own)) for column, own in cells.items() if are_sentences(own)}
    most = max(letters.values(), default=0)
    return [column for column, n in letters.items() if n > _CLEARLY_LESS * most]


def are_sentences(cells: Sequence[str]) -> bool:
    """Return whether most cells are filled, and three quarters of those hold several words.

    >>> are_sentences(["He left.", "She left the room.", "The room was empty.", "It was late."])
    True
    """
    filled = [cell for cell in cells if cell]
    long = sum(
        len(_DIVIDED.split(cell)) >= _WORDS or (not cell.isascii() and len(cell) >= _LETTERS)
        for cell in filled
        if "://" not in cell
    )
    return bool(filled) and 2 * len(filled) > len(cells) and long * 4 >= 3 * len(filled)


def _groups(cells: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the columns whose cells are the same in several rows that follow each other, and in no others.

    There are more items than conditions: a column with fewer groups than rows in each is that of a condition.
    """
    return [column for column, own in cells.items() if _are_groups(own)]


def _are_groups(cells: Sequence[str]) -> bool:
    if not all(cells) or any(len(cell.split()) >= _WORDS for cell in cells):
        return False
    codes = Counter(cells)
    several = sum(n > 1 for n in codes.values())
    runs = sum(1 for _cell in groupby(cells))
    return runs == len(codes) > 1 and several * 2 > len(codes) and len(codes) ** 2 >= len(cells)


_HOLDS: dict[str, Callable[[Mapping[str, Sequence[str]]], list[str]]] = {"text": _sentences, "item": _groups}

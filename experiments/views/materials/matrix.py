"""Prepare a design for display: coloured keys of conditions, the matrix of items, Latin squares, lengths of texts."""

from __future__ import annotations

import string
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import mean

from django.utils.translation import gettext as _

from experiments.design.latin_square import is_balanced
from experiments.design.together import TogetherDesign
from experiments.materials import Preview, PreviewRow
from experiments.materials.shapes import PreviewCell

COLOURS = 12


@dataclass(frozen=True)
class Key:
    """How a condition is marked on a page: a letter, a colour and its name."""

    letter: str
    colour: int
    name: str

    @property
    def parts(self) -> list[str]:
        """The levels, to be written below each other where columns are narrow."""
        return self.name.split(":")


@dataclass(frozen=True)
class MatrixCell:
    """A cell of the matrix: its text, whether it lacks one, its place to link to, its pictures by their addresses."""

    cell: PreviewCell | None
    is_hole: bool = False
    anchor: str = ""
    pictures: Sequence[tuple[str, str]] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there should be a text or a file, and is none."""
        return self.is_hole or (self.cell is not None and not self.cell.words)


@dataclass(frozen=True)
class MatrixRow:
    """An item of the matrix with its cells."""

    item: str
    item_set: str
    attributes: Sequence[tuple[str, str]]
    cells: Sequence[MatrixCell]


@dataclass(frozen=True)
class ListHead:
    """A list as the head of a column; `pk` is None before it is stored."""

    name: str
    pk: int | None = None


@dataclass
class Square:
    """The Latin square of one item set: a row for each item, a column for each list."""

    item_set: str
    lists: list[ListHead]
    rows: list[tuple[str, list[Key | None]]] = field(default_factory=list)
    counts: list[tuple[Key, list[int]]] = field(default_factory=list)
    note: str = ""
    # False where an item is not in every condition of its set: the lists are balanced, but no Latin square.
    is_square: bool = True
    # True where nothing is rotated: the one list shows every item in every condition.
    shows_everything: bool = False


@dataclass(frozen=True)
class Profile:
    """The lengths of the texts of one condition."""

    key: Key
    texts: int
    words: float
    fewest: int
    most: int
    characters: float


def letter_for(index: int) -> str:
    """Return A … Z, then AA, AB … ZZ, then AAA …

    >>> letter_for(0), letter_for(26), letter_for(702)
    ('A', 'AA', 'AAA')
    """
    before, letter = divmod(index, 26)
    return (letter_for(before - 1) if before else "") + string.ascii_uppercase[letter]


def keys_of(preview: Preview) -> list[Key]:
    """Return the key of every condition in their order."""
    return [
        Key(letter=letter_for(index), colour=index % COLOURS, name=name)
        for index, name in enumerate(preview.conditions)
    ]


def matrix_of(preview: Preview, pictures: Mapping[str, str]) -> tuple[list[MatrixRow], list[tuple[Key, int, str]]]:
    """Return the rows of the matrix; of every column its key, its number of empty cells, and the place of the first.

    `pictures` are the addresses of stored pictures by their names.
    """
    counts: Counter[int] = Counter()
    rows = []
    for row in preview.rows:
        cells = []
        for place, (cell, is_hole) in enumerate(row.marked):
            shown = [(name, pictures[name]) for name in cell.pictures if name in pictures] if cell else []
            made = MatrixCell(cell, is_hole, pictures=shown)
            if made.is_empty:
                counts[place] += 1
                if counts[place] == 1:
                    made = replace(made, anchor=f"empty-{place + 1}")
            cells.append(made)
        rows.append(MatrixRow(row.item, row.item_set, row.attributes, cells))
    return rows, [(key, counts[place], f"empty-{place + 1}") for place, key in enumerate(keys_of(preview))]


def others_of(preview: Preview) -> list[tuple[str, Sequence[PreviewRow]]]:
    """Return fillers and practice texts, each under the word for them; kinds that do not occur are left out."""
    kinds = [(_("Fillers"), preview.fillers), (_("Practice texts"), preview.practice)]
    return [(label, rows) for label, rows in kinds if rows]


def profiles_of(preview: Preview) -> list[Profile]:
    """Return the lengths of the texts by condition; a condition without texts is left out."""
    profiles = []
    for index, key in enumerate(keys_of(preview)):
        cells = [cell for row in preview.rows if (cell := row.cells[index]) is not None]
        if cells:
            words = [cell.words for cell in cells]
            characters = mean(len(cell.text) for cell in cells)
            profiles.append(Profile(key, len(cells), mean(words), min(words), max(words), characters))
    return profiles


def squares_of(preview: Preview, *, stored: dict[str, int] | None = None) -> list[Square]:
    """Return one square for each item set. `stored` gives the ids of stored lists by their names."""
    keys = keys_of(preview)
    full = {
        each.name
        for each in preview.lists
        if len(keys) > 1 and len(each.entries) == len(keys) * len({entry.item for entry in each.entries})
    }
    shown: dict[str, dict[str, list[Key]]] = {}
    for each in preview.lists:
        of_list = shown.setdefault(each.name, {})
        for entry in each.entries:
            of_list.setdefault(entry.item, []).append(keys[entry.condition_index])
    items: dict[str, list[str]] = defaultdict(list)
    conditions: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for row in preview.rows:
        items[row.item_set].append(row.item)
        conditions[row.item_set].append(tuple(place for place, cell in enumerate(row.cells) if cell is not None))
    squares = []
    for item_set, members in items.items():
        own = [name for name, entries in shown.items() if any(item in entries for item in members)]
        square = Square(item_set=item_set, lists=[ListHead(name, (stored or {}).get(name)) for name in own])
        square.shows_everything = bool(own) and full.issuperset(own)
        square.rows = [(item, [_joined(shown[name].get(item, [])) for name in own]) for item in members]
        counted = [Counter(key for item in members for key in shown[name].get(item, [])) for name in own]
        is_single = all(len(own_keys) < 2 for name in own for own_keys in shown[name].values())
        there = {place for of_item in conditions[item_set] for place in of_item}
        square.counts = [(key, [count[key] for count in counted]) for place, key in enumerate(keys) if place in there]
        square.is_square = len(set(conditions[item_set])) == 1
        if own and is_single and not square.shows_everything and not square.is_square:
            square.note = _(
                "Not every item is in every condition. Each list shows every item once. It shows every condition "
                "as often as the other lists do, with a difference of one at most. Over all lists, every text of "
                "an item appears equally often."
            )
        elif own and is_single and not square.shows_everything and not is_balanced(len(members), len(there)):
            square.note = _(
                "%(conditions)d conditions cannot share %(items)d items equally: within a list, some conditions "
                "appear once more than others. Over all lists, every item still appears once in every condition."
            ) % {"items": len(members), "conditions": len(there)}
        squares.append(square)
    return squares


def _joined(keys: Sequence[Key]) -> Key | None:
    """Return the key of what a list shows of an item; several conditions in the colour of the first."""
    if len(keys) < 2:
        return keys[0] if keys else None
    return Key("".join(key.letter for key in keys), keys[0].colour, ", ".join(key.name for key in keys))


def groups_of(square: Square, design: TogetherDesign, keys: list[Key]) -> list[tuple[str, list[list[list[Key]]]]]:
    """Return for every item what each list shows together: groups of keys, each from the first place to the last."""
    shown = [design.shown(len(square.rows), index) for index in range(len(square.lists))]
    return [
        (item, [[[keys[number] for number in group] for group in of_list[place]] for of_list in shown])
        for place, (item, _cells) in enumerate(square.rows)
    ]

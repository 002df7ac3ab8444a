"""Tell factors from attributes among the free columns, and find misspelt levels."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher

from experiments.formats.faults import Fault
from experiments.materials.columns import Columns
from experiments.materials.shapes import MAX_CODE, Row
from experiments.sentences import Sentence

# A level counts as misspelt if it is rare and a far more frequent one has nearly the same spelling.
_RARE_SHARE = 0.2
_SIMILAR = 0.8
READ_AS_EMPTY = frozenset({"NA", "NaN", "<NA>"})
"""What R, pandas and the analyses read as an empty cell."""


def factors_and_attributes(
    sets: Mapping[str, Mapping[str, Sequence[Row]]], columns: Columns, *, named: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    """Return the names of the factors and of the attributes among the free columns, in the order of the table.

    `sets` are the rows by item set and item. A column that varies within at least half of the items of a set with
    several rows is a factor, and so is one without which several items have rows that nothing tells apart. Any other is
    an attribute of the item. Declared factors are always factors.
    """
    if named is not None:
        return [name for name in columns.free if name in named], [name for name in columns.free if name not in named]
    factors = set()
    for rows_by_item in sets.values():
        several = [rows for rows in rows_by_item.values() if len(rows) > 1]
        for name, number in columns.free.items():
            varying = sum(len({row.cells[number] for row in rows}) > 1 for rows in several)
            if several and varying * 2 >= len(several):
                factors.add(name)
    groups = [rows for rows_by_item in sets.values() for rows in rows_by_item.values()]
    while needed := _telling_apart(groups, columns, factors):
        factors.add(needed)
    return [name for name in columns.free if name in factors], [name for name in columns.free if name not in factors]


def _telling_apart(groups: Sequence[Sequence[Row]], columns: Columns, factors: Collection[str]) -> str:
    """Return the column that tells rows of most items apart which have the same levels of the factors; "" if none does.

    One item alone may be a slip.
    """
    alike: list[list[Row]] = []
    for rows in groups if factors else ():
        by_levels: dict[tuple[str, ...], list[Row]] = defaultdict(list)
        for row in rows:
            by_levels[tuple(row.cells[columns.free[name]] for name in sorted(factors))].append(row)
        alike += [same for same in by_levels.values() if len(same) > 1]
    told = {
        name: sum(len({row.cells[number] for row in same}) > 1 for same in alike)
        for name, number in columns.free.items()
        if name not in factors
    }
    best = max(told, key=told.__getitem__, default="")
    return best if best and told[best] > 1 else ""


def misspelt_levels(rows: Sequence[Row], number: int) -> dict[str, str]:
    """Return the misspelt levels of a column, each with the level that is meant.

    Spellings that differ only in case or spaces are one level; otherwise a misspelling is rare and similar to a
    frequent level.
    """
    counts = Counter(row.cells[number] for row in rows if row.cells[number])
    meant: dict[str, str] = {}
    by_folded: dict[str, list[str]] = defaultdict(list)
    for level in counts:
        by_folded["".join(level.casefold().split())].append(level)
    for spellings in by_folded.values():
        usual = max(spellings, key=counts.__getitem__)
        meant.update({level: usual for level in spellings if level != usual})
    for level, count in counts.items():
        if level in meant:
            continue
        near = [
            other
            for other, usual_count in counts.items()
            if other not in meant and count <= _RARE_SHARE * usual_count and _is_slip(level, other)
        ]
        if near:
            meant[level] = max(near, key=counts.__getitem__)
    return meant


def _is_slip(level: str, usual: str) -> bool:
    # Levels such as "cond1" and "cond2", or "lin" and "link", differ on purpose; a misspelling keeps the digits.
    digits = [character for character in level if character.isdigit()]
    if digits != [character for character in usual if character.isdigit()]:
        return False
    # A text in place of a level is longer than any name; comparing two takes as long as both together, squared.
    if min(len(level), len(usual)) < 4 or max(len(level), len(usual)) > MAX_CODE:
        return False
    return SequenceMatcher(None, level.casefold(), usual.casefold(), autojunk=False).ratio() >= _SIMILAR


def level_faults(rows: Sequence[Row], name: str, number: int, meant: Mapping[str, str]) -> list[Fault]:
    """Return the faults of a factor's cells: misspelt, missing and too long levels."""
    wrong = ((row.line, _wrong_with(row.cells[number], meant)) for row in rows)
    return [
        Fault(line=line, column=name, message=said[0], suggestion=said[1], step="materials")
        for line, said in wrong
        if said
    ]


def _wrong_with(level: str, meant: Mapping[str, str]) -> tuple[str, str] | None:
    """Return what is wrong with a level and what to do about it; None if nothing is."""
    if not level:
        return Sentence("The level is empty."), Sentence("Enter a level, or mark the row with is_filler.")
    if level in meant:
        return Sentence("The level '{level}' is rare and looks like another level.", level=level), Sentence(
            "Did you mean '{name}'?", name=meant[level]
        )
    if level in READ_AS_EMPTY:
        said = Sentence("R, pandas and the analyses here read the level '{level}' as an empty cell.", level=level)
        return said, Sentence("Give it another name, such as 'none'.")
    if len(level) > MAX_CODE:
        return Sentence("The level has more than {limit} characters.", limit=MAX_CODE), ""
    return None


def attribute_values(
    rows_by_item: Mapping[str, Sequence[Row]], attributes: Mapping[str, int]
) -> tuple[dict[str, dict[str, str]], list[Fault]]:
    """Return item → attribute → value without empty values, and a fault for each row that contradicts its item."""
    values: dict[str, dict[str, str]] = {}
    faults = []
    for item, rows in rows_by_item.items():
        values[item] = {}
        for name, number in attributes.items():
            usual = Counter(row.cells[number] for row in rows).most_common(1)[0][0]
            if usual:
                values[item][name] = usual
            faults += [
                Fault(
                    line=row.line,
                    column=name,
                    message=Sentence(
                        "'{value}' differs from '{usual}' in the other rows of '{item}'.",
                        value=row.cells[number],
                        usual=usual,
                        item=item,
                    ),
                    suggestion=Sentence(
                        "An attribute is the same in all rows of an item; a factor varies within every item."
                    ),
                    step="materials",
                )
                for row in rows
                if row.cells[number] != usual
            ]
    return values, faults

"""Tell factors, attributes of items and attributes of single texts apart: by what is said, else by the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from experiments.formats.faults import Fault
from experiments.materials.columns import Columns
from experiments.materials.levels import factors_and_attributes
from experiments.materials.shapes import ATTRIBUTE, FACTOR, MAX_CONDITIONS, Row
from experiments.sentences import Sentence

Items = Mapping[str, Sequence[Row]]
# Item set → item → rows.
Sets = Mapping[str, Items]
# Of so many columns every subset is looked at, and so many of them are offered.
MOST_TRIED, MOST_OFFERED = 8, 4


@dataclass(frozen=True)
class Roles:
    """The free columns of a table by their role, and what was decided by the table alone."""

    factors: list[str]
    of_items: list[str]
    of_texts: list[str]
    warnings: tuple[Fault, ...] = ()


def roles_of(sets: Sets, columns: Columns, *, named: Sequence[str] | None, said: Mapping[str, str]) -> Roles:
    """Return the roles of the free columns. `named` are declared factors; `said` is the role of single columns.

    Without a word a column that varies within at least half of the items with several rows is a factor, unless the
    table shows that it only describes the texts:

    - nearly every text has a value of its own, and the other factors tell the texts of every item apart; or
    - it holds more than two different numbers, and the other factors alone make a whole design, which it would not be
      with it. This is doubtful, so a command asks.

    A table whose factors make a whole design with all of these columns keeps all of them. With declared factors,
    other columns that vary within at least half of the items describe texts. Where a column varies within fewer items,
    it is an attribute of the item, and contradictions are faults, unless it is said to be one of the texts.
    """
    items = {code: rows for of in sets.values() for code, rows in of.items()}
    factors, rest = factors_and_attributes(sets, columns, named=named)
    varying = factors_and_attributes(sets, columns, named=None)[0]
    factors = [
        name for name in columns.free if said.get(name) == FACTOR or (name in factors and said.get(name) != ATTRIBUTE)
    ]
    of_texts = {name for name in columns.free if said.get(name) == ATTRIBUTE}
    warnings: list[Fault] = []
    if named is None:
        for name, is_doubtful in _describing(sets, columns, factors, said).items():
            factors.remove(name)
            of_texts.add(name)
            warnings.append(_told(name, is_doubtful=is_doubtful))
    for name in rest:
        number = columns.free[name]
        if name in (*factors, *of_texts) or not _varies(items, number):
            continue
        if (named is not None and name in varying) or (_are_numbers(items, number) and _has_own_values(items, number)):
            of_texts.add(name)
            message = Sentence(
                "The column differs within items and is not a factor, so it is an attribute of every text."
            )
            warnings.append(Fault(column=name, message=message, step="materials"))
    return Roles(
        factors,
        [name for name in columns.free if name not in factors and name not in of_texts],
        [name for name in columns.free if name in of_texts],
        tuple(warnings),
    )


def _describing(sets: Sets, columns: Columns, factors: Sequence[str], said: Mapping[str, str]) -> dict[str, bool]:
    """Return the columns that only describe the texts, and of each whether that is doubtful."""

    def numbers(names: Sequence[str]) -> list[int]:
        return [columns.free[name] for name in names]

    if _is_whole(sets, numbers(factors)):
        return {}
    items = {code: rows for of in sets.values() for code, rows in of.items()}
    unsaid = [name for name in factors if name not in said]
    own = [name for name in unsaid if _has_own_values(items, columns.free[name])]
    kept = [name for name in factors if name not in own]
    if not _tells_apart(items, numbers(kept)):
        return {}
    measures = [name for name in unsaid if name in kept and _are_numbers(items, columns.free[name])]
    without = [name for name in kept if name not in measures]
    if not (measures and _is_whole(sets, numbers(without)) and not _is_whole(sets, numbers(kept))):
        measures = []
    return {name: name in measures for name in factors if name in own or name in measures}


def wholes(sets: Sets, columns: Columns, factors: Sequence[str]) -> list[list[str]]:
    """Return the sets of fewest factors that make a whole design while all of them make none.

    At most MOST_OFFERED of them, in the order of the table.
    """
    names = list(factors)[:MOST_TRIED]
    numbers = [columns.free[name] for name in names]
    has_several = any(len(rows) > 1 for items in sets.values() for rows in items.values())
    if not has_several or _is_whole(sets, [columns.free[name] for name in factors]):
        return []
    for size in range(1, len(names) + (len(names) < len(factors))):
        places = combinations(range(len(names)), size)
        if found := [own for own in places if _is_whole(sets, [numbers[one] for one in own])]:
            return [[names[one] for one in own] for own in found[:MOST_OFFERED]]
    return []


def telling(sets: Sets, columns: Columns) -> list[str]:
    """Return the columns of few levels that alone tell the texts of every item apart, of which the table has several.

    At most MOST_OFFERED of them, in the order of the table.
    """
    items = {code: rows for of in sets.values() for code, rows in of.items()}
    if not any(len(rows) > 1 for rows in items.values()):
        return []
    levels = {name: {row.cells[n] for rows in items.values() for row in rows} for name, n in columns.free.items()}
    few = [name for name, own in levels.items() if 1 < len(own) <= MOST_TRIED and "" not in own]
    return [name for name in few if _tells_apart(items, [columns.free[name]])][:MOST_OFFERED]


def varying(sets: Sets, columns: Columns) -> list[str]:
    """Return the free columns that vary within any item."""
    items = {code: rows for of in sets.values() for code, rows in of.items()}
    return [name for name, number in columns.free.items() if _varies(items, number)]


def _told(name: str, *, is_doubtful: bool) -> Fault:
    message = (
        Sentence(
            "The column contains numbers that do not depend on the condition, so it is read as an attribute "
            "of every text."
        )
        if is_doubtful
        else Sentence("Nearly every text has a different value here, so the column is an attribute of every text.")
    )
    advice = Sentence("If its values are conditions, say that it is a factor: on the page, or with factors = […].")
    return Fault(column=name, message=message, suggestion=advice, step="materials", is_doubtful=is_doubtful)


def by_set(items: Items, columns: Columns) -> dict[str, dict[str, Sequence[Row]]]:
    """Return items by the set that the first row of each names; "" where none does."""
    found: dict[str, dict[str, Sequence[Row]]] = defaultdict(dict)
    for code, rows in items.items():
        found[columns.cell(rows[0], "item_set")][code] = rows
    return found


def _combinations(items: Items, numbers: Sequence[int]) -> list[list[tuple[str, ...]]]:
    return [[tuple(row.cells[number] for number in numbers) for row in rows] for rows in items.values()]


def _tells_apart(items: Items, numbers: Sequence[int]) -> bool:
    """Return whether no two texts of an item are in the same cell of these columns."""
    return all(len(set(own)) == len(own) for own in _combinations(items, numbers))


def _is_whole(sets: Sets, numbers: Sequence[int]) -> bool:
    """Return whether every item has exactly one text in each combination that its set uses."""
    for items in sets.values():
        used: set[tuple[str, ...]] = set()
        for rows in items.values():
            own = {tuple(row.cells[number] for number in numbers) for row in rows}
            used |= own
            if len(own) < len(rows) or len(used) > MAX_CONDITIONS:
                return False
        if any(len(rows) != len(used) for rows in items.values()):
            return False
    return True


def _varies(items: Items, number: int) -> bool:
    return any(len({row.cells[number] for row in rows}) > 1 for rows in items.values())


def _has_own_values(items: Items, number: int) -> bool:
    """Return whether there are more than half as many values as texts, and most values are those of one item."""
    seen: dict[str, set[str]] = defaultdict(set)
    filled = 0
    for item, rows in items.items():
        for row in rows:
            if row.cells[number]:
                seen[row.cells[number]].add(item)
                filled += 1
    alone = sum(len(own) == 1 for own in seen.values())
    return 2 * len(seen) > filled and 2 * alone > len(seen)


def _are_numbers(items: Items, number: int) -> bool:
    """Return whether the cells hold more than two different numbers and nothing else."""
    cells = {row.cells[number] for rows in items.values() for row in rows} - {""}
    return len(cells) > 2 and are_numbers(cells)


def are_numbers(cells: set[str]) -> bool:
    """Return whether every cell is a number as CSV writes it.

    >>> are_numbers({"1", "2.5", "-3e2"}), are_numbers({"1", "1_0"}), are_numbers({"nan"})
    (True, False, False)
    """
    try:
        return bool(cells) and all("_" not in cell and abs(float(cell)) < float("inf") for cell in cells)
    except ValueError:
        return False

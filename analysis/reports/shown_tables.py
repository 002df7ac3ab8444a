"""Prepare tables for display on pages and in papers: columns, rows, decimal places, width."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from django.utils.safestring import SafeString

from analysis.methods.report import Column, Table
from analysis.methods.wording import places_beside
from analysis.reports.apa import NUMERIC, Shown, number_cell, places_of, shared_places, shown_cells
from analysis.reports.symbols import heading_html

# Where a heading may go on in the next line.
BREAKS = re.compile(r"\s+|(?<=[-–])")
# So many columns at most name the rows where a table is printed in parts.
MOST_LEADING = 4
# Text beyond this many characters is broken into lines.
LONG = 45
# Columns and characters that fit beside each other on a sheet of A4.
WIDEST = 11
PAPER = 100
# Texts are broken between words; so many characters of them stand in a line where there is room, and so many are the
# space between two columns.
LINE_OF_TEXT = 22
GAP = 2
# The columns that say how exactly the numbers of a row are known.
SCATTER = ("se", "sd")


@dataclass(frozen=True)
class ShownColumn:
    """A column's heading, how many characters its cells have from the decimal point on, and how many fill it."""

    name: str
    label: str
    is_number: bool
    fraction: int
    width: int

    @property
    def classes(self) -> str:
        """The classes of its cells in HTML, separated by spaces."""
        return "number" if self.is_number else ""

    @property
    def heading(self) -> SafeString:
        """The heading in HTML, its symbols as they are printed."""
        return heading_html(self.label, is_number=self.is_number)


@dataclass(frozen=True)
class PlacedCell:
    """A cell in its column."""

    whole: str
    fraction: str
    column: ShownColumn

    @property
    def classes(self) -> str:
        """The classes of the cell in HTML, separated by spaces."""
        is_long = not self.column.is_number and len(self.whole) > LONG
        return " ".join(filter(None, (self.column.classes, "long" if is_long else "")))


@dataclass(frozen=True)
class Columns:
    """Some columns of a table with their cells."""

    columns: tuple[ShownColumn, ...]
    rows: tuple[tuple[PlacedCell, ...], ...]


@dataclass(frozen=True)
class ShownTable:
    """A table for a page: its first rows as they are shown, how many there are, how many columns are empty.

    `printed` says which columns a paper prints, by their places, `printed_rows` how many rows an excerpt has.
    """

    name: str
    title: str
    columns: tuple[ShownColumn, ...]
    rows: tuple[tuple[PlacedCell, ...], ...]
    total: int
    left_out: int
    printed: tuple[int, ...]
    printed_rows: int

    @property
    def is_cut(self) -> bool:
        return self.total > len(self.rows)

    @property
    def has_more_columns(self) -> bool:
        """Whether a paper prints only some of the columns."""
        return len(self.printed) < len(self.columns)

    @property
    def has_more_rows(self) -> bool:
        """Whether the excerpt leaves out rows that the table has."""
        return self.printed_rows < len(self.rows)

    @property
    def excerpt(self) -> Columns:
        """The columns that a paper prints; they fit a sheet of A4."""
        return Columns(
            tuple(self.columns[place] for place in self.printed),
            tuple(tuple(row[place] for place in self.printed) for row in self.rows[: self.printed_rows]),
        )


def printed_columns(
    columns: Sequence[ShownColumn], essential: Sequence[str], key: Collection[str] = ()
) -> tuple[int, ...]:
    """Return the places of the columns that fit a sheet: all where they do, else of the essential ones those that name
    the rows, the `key` ones, and as many of the others as there is room for.
    """
    places = list(range(len(columns)))
    if _fit(columns, places):
        return tuple(places)
    by_name = {column.name: place for place, column in enumerate(columns)}
    places = [by_name[name] for name in essential if name in by_name] or places
    kept = [place for place in _leading(columns, places) if place in places]
    kept += [place for place in places if columns[place].name in key and place not in kept]
    for place in places:
        if place not in kept:
            if not _fit(columns, [*kept, place]):
                break
            kept.append(place)
    fitting = [place for place in places if place in kept] or places[:1]
    # An interval has both of its ends or none.
    if 1 < len(fitting) < len(places) and columns[fitting[-1]].name.endswith("low"):
        fitting.pop()
    return tuple(fitting)


def _fit(columns: Sequence[ShownColumn], places: Sequence[int]) -> bool:
    return len(places) <= WIDEST and sum(columns[place].width for place in places) <= PAPER


def _leading(columns: Sequence[ShownColumn], places: Sequence[int]) -> list[int]:
    """Return the columns that name the rows: the first ones, up to the first with numbers, as far as they fit."""
    leading = list(takewhile(lambda place: not columns[place].is_number, places))
    while len(leading) > 1 and not _fit(columns, leading):
        leading.pop()
    return leading


def parts_of(
    columns: Sequence[ShownColumn], places: Sequence[int], *, room: int = PAPER
) -> tuple[tuple[int, ...], ...]:
    """Return the columns in parts that fit a sheet each, below each other; every part begins with what names the rows.

    An interval stays in one part. `room` is how many characters fit beside each other.
    """
    leading = _leading(columns, places)[:MOST_LEADING]
    parts = [list(leading)]
    rest = [place for place in places if place not in leading]
    groups = [
        rest[at : at + (2 if columns[rest[at]].name.endswith("low") else 1)]
        for at in range(len(rest))
        if not (at and columns[rest[at - 1]].name.endswith("low"))
    ]
    for group in groups:
        if len(parts[-1]) > len(leading) and sum(columns[place].width for place in [*parts[-1], *group]) > room:
            parts.append(list(leading))
        parts[-1] += group
    return tuple(map(tuple, parts))


def shown_table(
    table: Table,
    *,
    limit: int,
    essential: Sequence[str] = (),
    key: Collection[str] = (),
    printed_rows: int | None = None,
) -> ShownTable:
    """Return the first `limit` rows of a table as they are shown. A column without any value is left out.

    The excerpt has the `essential` columns where not all fit a sheet, the `key` ones among them in any case, and the
    first `printed_rows` rows.
    """
    rows = table.rows[:limit]
    filled = [index for index in range(len(table.columns)) if any(row[index] not in (None, "") for row in table.rows)]
    headings = [table.columns[index] for index in filled]
    values = [[row[index] for row in rows] for index in filled]
    kinds = _kinds(table, rows)
    numbers = [of_column for column, of_column in zip(headings, values, strict=True) if column.format == "number"]
    places = shared_places([places_of(of_column) for of_column in numbers])
    cells = [
        shown_cells(column, of_column, places=max(places_of(of_column), places) if places_of(of_column) == 2 else None)
        if column.format != "number" or not _is_of_different_size(of_column, kinds)
        else _by_kind(of_column, kinds, numbers)
        for column, of_column in zip(headings, values, strict=True)
    ]
    if not kinds:  # rows of several measures have the places of their measure
        cells = _with_digits_of_rows(headings, values, cells)
    columns = tuple(
        ShownColumn(
            name=column.name,
            label=column.label,
            is_number=column.format in NUMERIC,
            fraction=min(max((len(shown.fraction) for shown in of_column), default=0), 8),
            width=width_of(column, of_column),
        )
        for column, of_column in zip(headings, cells, strict=True)
    )
    placed = [
        [PlacedCell(whole=shown.whole, fraction=shown.fraction, column=column) for shown in of_column]
        for column, of_column in zip(columns, cells, strict=True)
    ]
    return ShownTable(
        name=table.name,
        title=table.title,
        columns=columns,
        rows=tuple(zip(*placed, strict=True)) if placed else (),
        total=len(table.rows),
        left_out=len(table.columns) - len(headings) if rows else 0,
        printed=printed_columns(columns, essential, key),
        printed_rows=len(rows) if printed_rows is None else printed_rows,
    )


def _kinds(table: Table, rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Return what is measured in each row where a table has a column `measure`, else nothing."""
    place = next((place for place, column in enumerate(table.columns) if column.name == "measure"), None)
    return [] if place is None else [row[place] for row in rows]


def _is_of_different_size(values: Sequence[Any], kinds: Sequence[Any]) -> bool:
    """Return whether some measure would be left without a digit by the decimal places of the largest one."""
    largest: dict[Any, float] = {}
    for kind, value in zip(kinds, values, strict=bool(kinds)):
        if isinstance(value, int | float):
            largest[kind] = max(largest.get(kind, 0.0), abs(value))
    return any(0 < size < 10 ** -places_of(values) for size in largest.values())


def _by_kind(values: Sequence[Any], kinds: Sequence[Any], numbers: Sequence[Sequence[Any]]) -> list[Shown]:
    """Return the cells of a column, one of the `numbers`, in which every measure has decimal places of its own."""
    places = {}
    for kind in dict.fromkeys(kinds):
        own, *others = (
            places_of([value for value, other in zip(column, kinds, strict=True) if other == kind])
            for column in (values, *numbers)
        )
        # A zero says nothing of how exactly its measure is known.
        places[kind] = max(own, shared_places(others)) if own == 2 else own or min(max(others, default=0), 3)
    return [number_cell(value, places[kind]) for value, kind in zip(values, kinds, strict=True)]


def _with_digits_of_rows(
    headings: Sequence[Column], values: Sequence[Sequence[Any]], cells: Sequence[list[Shown]]
) -> list[list[Shown]]:
    """Return the cells with more decimal places in rows whose scatter the places of the column leave less than two
    digits: a slope of 0.0042 (SE 0.0011) below an intercept of 512.3.
    """
    made = [list(of_column) for of_column in cells]
    numbers = [place for place, column in enumerate(headings) if column.format == "number"]
    scatter = [place for place in numbers if headings[place].name in SCATTER]
    for row in range(len(values[0]) if values else 0):
        sizes = [values[place][row] for place in scatter if isinstance(values[place][row], int | float)]
        wanted = max((places_beside(size) for size in sizes if size > 0), default=0)
        for place in numbers if sizes else ():
            of_column = [value for value in values[place] if isinstance(value, int | float)]
            if wanted > max(places_of(of_column), 2):
                made[place][row] = number_cell(values[place][row], wanted)
    return made


def width_of(column: Column, cells: Sequence[Shown]) -> int:
    """Return how many characters a column takes on paper, the space beside it among them."""
    longest = max((len(str(shown)) for shown in cells), default=0)
    words = (len(word) for text in (column.label, *map(str, cells)) for word in BREAKS.split(text))
    if column.format in NUMERIC:
        return GAP + max(longest, *(len(word) for word in BREAKS.split(column.label)))
    return GAP + max(min(longest, LINE_OF_TEXT), *words)

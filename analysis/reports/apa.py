"""Showing numbers as a results section prints them: by the format of their column, aligned on the decimal point.

Stored numbers keep every digit; rounding happens here and nowhere else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from analysis.methods.report import Column, Table
from analysis.methods.wording import df_text, number_text, p_text, share_text

NUMERIC = ("integer", "number", "p", "df", "statistic", "share")
UNDEFINED = "–"
# Text beyond this many characters is broken into lines.
LONG = 45
# Columns and characters that fit beside each other on a sheet of A4, and how many columns may name the rows.
WIDEST = 11
PAPER = 100
MOST_LEADING = 3
# Texts are broken between words; so many characters of them stand in a line where there is room, and so many are the
# space between two columns.
LINE_OF_TEXT = 22
GAP = 2
# Symbols of statistics, which APA style sets in italics, where a value or degrees of freedom follow.
_SYMBOLS = re.compile(
    r"(?<![\w′])(min ?F′|F[12]?|t|p|q|r|z|M|SD|SE|N|n|W|b|d|rs|ρ|τ|κ|α|χ²)(?=\s?(?:\(|=|&lt;|&gt;|≥|≤))"
)
_SIGNS = re.compile(r" (=|&lt;|&gt;) ")
NO_BREAK = "\u00a0"


@dataclass(frozen=True)
class Shown:
    """A cell as it is shown: the part before the decimal point, and the part from the point on."""

    whole: str
    fraction: str = ""

    def __str__(self) -> str:
        return self.whole + self.fraction


@dataclass(frozen=True)
class ShownColumn:
    """A column's heading, how many characters its cells have from the decimal point on, and how many fill it."""

    label: str
    is_number: bool
    fraction: int
    width: int
    fits_paper: bool = True

    @property
    def classes(self) -> str:
        """The classes of its cells in HTML, separated by spaces."""
        return " ".join(filter(None, ("number" if self.is_number else "", "" if self.fits_paper else "off-paper")))


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
class Band:
    """Some columns of a table that is wider than a page."""

    columns: tuple[ShownColumn, ...]
    rows: tuple[tuple[PlacedCell, ...], ...]


@dataclass(frozen=True)
class ShownTable:
    """A table for a page: its first rows as they are shown, how many there are, how many columns are empty."""

    name: str
    title: str
    columns: tuple[ShownColumn, ...]
    rows: tuple[tuple[PlacedCell, ...], ...]
    total: int
    left_out: int

    @property
    def is_cut(self) -> bool:
        return self.total > len(self.rows)

    @property
    def is_cut_on_paper(self) -> bool:
        """Whether a sheet of A4 shows only the first columns."""
        return not all(column.fits_paper for column in self.columns)

    @property
    def bands(self) -> list[Band]:
        """Return the table in pieces that fit a sheet of A4, each beginning with the columns that name its rows."""
        lead = leading(self.columns)
        if self.is_cut or not lead:
            return [Band(self.columns, self.rows)]
        room = max(PAPER - sum(column.width for column in self.columns[:lead]), PAPER // 3)
        pieces = in_pieces([column.width for column in self.columns[lead:]], room=room, most=WIDEST - lead)
        return [
            Band(
                (*self.columns[:lead], *self.columns[lead + start : lead + end]),
                tuple((*row[:lead], *row[lead + start : lead + end]) for row in self.rows),
            )
            for start, end in pieces
        ]


def leading(columns: Sequence[ShownColumn]) -> int:
    """Return how many columns at the beginning name the rows."""
    lead = 0
    while lead < min(len(columns), MOST_LEADING) and not columns[lead].is_number:
        lead += 1
    return lead


def in_pieces(widths: Sequence[int], *, room: int, most: int) -> list[tuple[int, int]]:
    """Return from where to where the columns of every piece go: as few pieces as fit, of one size where that fits too.

    >>> in_pieces([10] * 8, room=60, most=10), in_pieces([50, 10, 10, 10, 10], room=60, most=10)
    ([(0, 4), (4, 8)], [(0, 2), (2, 5)])
    >>> in_pieces([90], room=60, most=9)
    [(0, 1)]
    """
    starts = [0]
    for place in range(1, len(widths)):
        begun = starts[-1]
        if place - begun == most or sum(widths[begun : place + 1]) > room:
            starts.append(place)
    size = math.ceil(len(widths) / len(starts))
    even = list(range(0, len(widths), size)) or [0]
    if all(sum(widths[start : start + size]) <= room for start in even):
        starts = even
    return list(zip(starts, [*starts[1:], len(widths)], strict=True))


def shown_table(table: Table, *, limit: int) -> ShownTable:
    """Return the first `limit` rows of a table as they are shown. A column without any value is left out."""
    rows = table.rows[:limit]
    filled = [index for index in range(len(table.columns)) if any(row[index] not in (None, "") for row in table.rows)]
    headings = [table.columns[index] for index in filled]
    values = [[row[index] for row in rows] for index in filled]
    places = shared_places(
        [places_of(of_column) for column, of_column in zip(headings, values, strict=True) if column.format == "number"]
    )
    cells = [
        shown_cells(column, of_column, places=max(places_of(of_column), places) if places_of(of_column) == 2 else None)
        for column, of_column in zip(headings, values, strict=True)
    ]
    columns = tuple(
        ShownColumn(
            label=column.label,
            is_number=column.format in NUMERIC,
            fraction=min(max((len(shown.fraction) for shown in of_column), default=0), 8),
            width=width_of(column, of_column),
        )
        for column, of_column in zip(headings, cells, strict=True)
    )
    if len(rows) < len(table.rows) or not leading(columns):
        ends = accumulate(column.width for column in columns)
        columns = tuple(
            replace(column, fits_paper=not number or end <= PAPER)
            for number, (column, end) in enumerate(zip(columns, ends, strict=True))
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
    )


def width_of(column: Column, cells: Sequence[Shown]) -> int:
    """Return how many characters a column takes on paper, the space beside it among them."""
    longest = max((len(str(shown)) for shown in cells), default=0)
    words = (len(word) for text in (column.label, *map(str, cells)) for word in text.split())
    if column.format in NUMERIC:
        return GAP + max(longest, *(len(word) for word in column.label.split()))
    return GAP + max(min(longest, LINE_OF_TEXT), *words)


def shared_places(places: Sequence[int]) -> int:
    """Return with how many places columns of about one are shown: a mean of 1.06 as exactly as its bound of 0.985."""
    return 3 if 3 in places else 2


def shown_cells(column: Column, values: Sequence[Any], *, places: int | None = None) -> list[Shown]:
    """Return the cells of one column, numbers with `places` or as many as their size asks for.

    >>> [str(cell) for cell in shown_cells(Column("p", "p", "p"), [0.0184, 0.00002, None])]
    ['.018', '< .001', '–']
    >>> [str(cell) for cell in shown_cells(Column("df", "df", "df"), [147.0, 142.4946])]
    ['147', '142.49']
    >>> [str(cell) for cell in shown_cells(Column("mean", "Mean"), [1234.5678, 12.0])]
    ['1234.6', '12.0']
    """
    if column.format == "number":
        digits = places_of(values) if places is None else places
        return [_split(_number(value, digits)) for value in values]
    return [_split(_cell(column.format, value)) if column.format in NUMERIC else _plain(value) for value in values]


def places_of(values: Sequence[Any]) -> int:
    """Return with how many decimal places a column of numbers is shown: about three significant digits for its
    larger values, none where all are whole.

    >>> places_of([0.0123, 0.5]), places_of([1.5, 20.25]), places_of([812.4, 3105.0]), places_of([3, 4.0])
    (3, 2, 1, 0)
    """
    numbers = [abs(value) for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if all(float(number).is_integer() for number in numbers):
        return 0
    largest = max(numbers)
    return 3 if largest < 1 else 2 if largest < 100 else 1


def _number(value: Any, places: int) -> str:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return UNDEFINED if value is None else str(value)
    if value != 0 and (abs(value) >= 1e7 or abs(value) < 10**-places / 2):
        return number_text(value)
    return f"{'−' if value < 0 else ''}{abs(value):.{places}f}"


def _cell(kind: str, value: Any) -> str:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
        return UNDEFINED if value is None else str(value)
    match kind:
        case "p":
            return p_text(value).removeprefix("p ").removeprefix("= ")
        case "df":
            return df_text(value)
        case "share":
            return share_text(value, places=3)
        case "integer":
            return f"{'−' if value < 0 else ''}{abs(round(value))}"
        case _:
            return number_text(value)


def _split(text: str) -> Shown:
    point = text.find(".")
    return Shown(text) if point < 0 else Shown(text[:point], text[point:])


def _plain(value: Any) -> Shown:
    if value is None or value == "":
        return Shown(UNDEFINED)
    if isinstance(value, bool):
        return Shown(_("yes") if value else _("no"))
    return Shown(str(value))


def sentence_html(sentence: str) -> SafeString:
    """Return a sentence with the symbols of statistics in italics and no line break within `p = .018`.

    >>> sentence_html("F(1, 49) = 5.19, p < .001").replace(NO_BREAK, "~")
    '<i>F</i>(1, 49)~=~5.19, <i>p</i>~&lt;~.001'
    """
    # Everything is escaped first; the pattern only ever wraps its own symbols.
    text = _SYMBOLS.sub(r"<i>\1</i>", escape(sentence))
    return mark_safe(_SIGNS.sub(rf"{NO_BREAK}\1{NO_BREAK}", text))  # noqa: S308

"""Showing numbers as a results section prints them: by the format of their column, aligned on the decimal point.

Stored numbers keep every digit; rounding happens here and nowhere else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
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
# Columns and characters that fit beside each other on a sheet of A4.
WIDEST = 11
PAPER = 100
# Texts are broken between words; so many characters of them stand in a line where there is room, and so many are the
# space between two columns.
LINE_OF_TEXT = 22
GAP = 2
HYPHEN_FOR_MINUS = re.compile(r"(?<![\w.,=\"'()\[\]/−-])-(?=\d)")
# Symbols with a subscript, as one word.
SUBSCRIPTED = re.compile(r"(?<![^\W_])(?:([ηω])(p|G)(?=²)|(d)(z|av)(?!\w)|(BF)(10|01)(?!\w)|(df)([12])(?!\w))")
# Headings that are, or begin with, the symbol of a statistic.
_HEADINGS = re.compile(r"^(F|p|t|q|r|z|b|M|SD|SE|df|W|n|N|κ|α)(?=$| \()")
# What stays in one line: 90 % CI [.00, .44], and F(1, 49).
_TOGETHER = re.compile(r"(?<=\d) (?=%)|(?<=%) (?=CI \[)|(?<= CI) (?=\[)|(?<=[\d∞],) (?=[−\d.∞]+[\])])")
# Symbols of statistics, which APA style sets in italics, where a value or degrees of freedom follow.
_SYMBOLS = re.compile(
    r"(?<![\w′])(min ?F′|F[12]?|t|p|q|r|z|M|SD|SE|N|n|W|b|d|rs|ρ|τ|κ|α|χ²)(?=\s?(?:\(|=|&lt;|&gt;|≥|≤))"
)
_SIGNS = re.compile(r" (=|&lt;|&gt;) ")
NO_BREAK = "\u00a0"
SUBSCRIPTS = str.maketrans("12", "₁₂")
# Columns of names that a formula makes, such as marker:order.
OF_FORMULAS = ("effect", "term", "term_a", "term_b", "effect_of")


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
        text = str(escape(self.label))
        text = _HEADINGS.sub(r"<i>\1</i>", text) if self.is_number else text
        return mark_safe(SUBSCRIPTED.sub(_subscript, text))  # noqa: S308


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


def printed_columns(columns: Sequence[ShownColumn], essential: Sequence[str]) -> tuple[int, ...]:
    """Return the places of the columns that fit a sheet: all where they do, else the essential ones, else the first."""
    places = list(range(len(columns)))
    if _fitting(columns, places) != places:
        by_name = {column.name: place for place, column in enumerate(columns)}
        places = [by_name[name] for name in essential if name in by_name] or places
    return tuple(_fitting(columns, places))


def _fitting(columns: Sequence[ShownColumn], places: Sequence[int]) -> list[int]:
    ends = accumulate(columns[place].width for place in places)
    fitting = [place for place, end in zip(places, ends, strict=True) if end <= PAPER][:WIDEST]
    # An interval has both of its ends or none.
    if len(fitting) > 1 and len(fitting) < len(places) and columns[fitting[-1]].name.endswith("low"):
        fitting.pop()
    return fitting or list(places[:1])


def shown_table(
    table: Table, *, limit: int, essential: Sequence[str] = (), printed_rows: int | None = None
) -> ShownTable:
    """Return the first `limit` rows of a table as they are shown. A column without any value is left out.

    The excerpt has the `essential` columns where not all fit a sheet, and the first `printed_rows` rows.
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
        printed=printed_columns(columns, essential),
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
        places[kind] = max(own, shared_places(others)) if own == 2 else own
    return [_split(_number(value, places[kind])) for value, kind in zip(values, kinds, strict=True)]


def width_of(column: Column, cells: Sequence[Shown]) -> int:
    """Return how many characters a column takes on paper, the space beside it among them."""
    longest = max((len(str(shown)) for shown in cells), default=0)
    words = (len(word) for text in (column.label, *map(str, cells)) for word in re.split(r"\s+|(?<=-)", text))
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
    if column.name in OF_FORMULAS:
        return [_plain(crossed(value) if isinstance(value, str) else value) for value in values]
    return [_split(_cell(column.format, value)) if column.format in NUMERIC else _plain(value) for value in values]


def crossed(name: str) -> str:
    """Return the name of an effect as it is printed; the file keeps what the formula has.

    >>> crossed("marker:order"), crossed("(Intercept)"), crossed("ratio 1:2")
    ('marker × order', '(Intercept)', 'ratio 1:2')
    """
    return re.sub(r"(?<=[^\s\d:]):(?=[^\s\d:])|(?<=\w):(?=[^\W\d])", " × ", name)


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
    return Shown(with_minus(str(value)))


def with_minus(text: str) -> str:
    """Return a text with minus signs for hyphens before numbers that stand alone.

    >>> with_minus("clause at region -1, lower=-0.4, P-3, 2024-05-01")
    'clause at region −1, lower=-0.4, P-3, 2024-05-01'
    """
    return HYPHEN_FOR_MINUS.sub("−", text)


def _subscript(found: re.Match[str]) -> str:
    symbol, below = filter(None, found.groups())
    return f"{symbol if symbol == 'BF' else f'<i>{symbol}</i>'}<sub>{below}</sub>"


def _italic(symbol: re.Match[str]) -> str:
    name = symbol[1].rstrip("12")
    return f"<i>{name}</i>{symbol[1][len(name) :].translate(SUBSCRIPTS)}"


def sentence_html(sentence: str) -> SafeString:
    """Return a sentence with the symbols of statistics in italics and no line break within `p = .018`.

    >>> sentence_html("F1(1, 49) = 5.19").replace(NO_BREAK, "~")
    '<i>F</i>₁(1,~49)~=~5.19'

    >>> sentence_html("F(1, 49) = 5.19, p < .001").replace(NO_BREAK, "~")
    '<i>F</i>(1,~49)~=~5.19, <i>p</i>~&lt;~.001'

    >>> sentence_html("ηp² = .04, 90 % CI [.00, .44]").replace(NO_BREAK, "~")
    '<i>η</i><sub>p</sub>²~=~.04, 90~%~CI~[.00,~.44]'
    """
    # Everything is escaped first; the pattern only ever wraps its own symbols.
    text = _TOGETHER.sub(NO_BREAK, str(escape(with_minus(sentence))))
    text = SUBSCRIPTED.sub(_subscript, _SYMBOLS.sub(_italic, text))
    return mark_safe(_SIGNS.sub(rf"{NO_BREAK}\1{NO_BREAK}", text))  # noqa: S308

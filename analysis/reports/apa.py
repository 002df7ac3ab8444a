"""Format numbers in APA style by the format of their column, aligned on the decimal point.

Stored numbers keep every digit; rounding happens here and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from analysis.methods.report import Column
from analysis.methods.wording import df_text, number_text, p_text, share_text
from analysis.reports.symbols import crossed, with_minus

NUMERIC = ("integer", "number", "p", "df", "statistic", "share")
UNDEFINED = "–"
# What a computation leaves of a zero is one.
NOTHING = 1e-12
# Columns of names that a formula makes, such as marker:order.
OF_FORMULAS = ("effect", "term", "term_a", "term_b", "effect_of")


@dataclass(frozen=True)
class Shown:
    """A cell as it is shown: the part before the decimal point, and the part from the point on."""

    whole: str
    fraction: str = ""

    def __str__(self) -> str:
        return self.whole + self.fraction


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
        return [number_cell(value, digits) for value in values]
    if column.name in OF_FORMULAS:
        return [_plain(crossed(value) if isinstance(value, str) else value) for value in values]
    return [_split(_cell(column.format, value)) if column.format in NUMERIC else _plain(value) for value in values]


def places_of(values: Sequence[Any]) -> int:
    """Return with how many decimal places a column of numbers is shown: about three significant digits for its
    larger values, none where all are whole.

    >>> places_of([0.0123, 0.5]), places_of([1.5, 20.25]), places_of([812.4, 3105.0]), places_of([3, 4.0])
    (3, 2, 1, 0)
    >>> places_of([0.00213])
    5
    """
    numbers = [abs(value) for value in values if isinstance(value, (int, float)) and not isinstance(value, bool)]
    numbers = [number if number >= NOTHING else 0.0 for number in numbers]
    if all(float(number).is_integer() for number in numbers):
        return 0
    largest = max(numbers)
    if largest < 0.1:
        return min(2 - math.floor(math.log10(largest)), 7)
    return 3 if largest < 1 else 2 if largest < 100 else 1


def number_cell(value: Any, places: int) -> Shown:
    """Return a number with so many decimal places."""
    return _split(_number(value, places))


def _number(value: Any, places: int) -> str:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return UNDEFINED if value is None else str(value)
    if abs(value) < NOTHING:
        return f"{0:.{places}f}"
    if abs(value) >= 1e7 or abs(value) < 10**-places / 2:
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

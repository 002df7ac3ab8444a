"""A column as a factor: its distinct values, and which of them every row holds.

What is asked of cells (a code, a number, a level) is asked of the distinct values, of which a column of 144,000 rows
often has a thousand. While a method runs, a column is told apart once, however many checks ask for it.
"""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats, Integers

NO_CODE = frozenset({"", "NA", "NaN", "<NA>"})  # as R and pandas write a missing cell of text
SHORT = 15  # digits that every way of reading a decimal number turns into the same float
MOST_KEPT = 32  # columns that are remembered at a time
# Before pandas 3 a frame could be changed in place under a factor that was remembered.
COPIES_ON_WRITE = int(pd.__version__.partition(".")[0]) >= 3


@dataclass(frozen=True)
class Coded:
    """A column as positions in its levels; −1 where the cell is empty."""

    positions: Integers
    levels: tuple[str, ...]


@dataclass(frozen=True)
class Factor:
    """The distinct values of a column in the order in which they occur first, and where in them each row is.

    A position is −1 where the value is missing (None, NaN). `categories` are those of a categorical column, in their
    order; the positions are read-only, as several readers share them.
    """

    positions: Integers
    values: Any
    categories: tuple[Any, ...] | None = None

    @cached_property
    def codes(self) -> tuple[str | None, ...]:
        """The text of every distinct value; None where it stands for a missing cell."""
        return tuple(_code(value) for value in self.values)

    @cached_property
    def unordered(self) -> Coded:
        """The column with its levels in the order in which they first occur."""
        place = {code: at for at, code in enumerate(dict.fromkeys(code for code in self.codes if code is not None))}
        positions = self.each([-1 if code is None else place[code] for code in self.codes], -1)
        return Coded(_read_only(positions), tuple(place))

    @cached_property
    def coded(self) -> Coded:
        """The column with its levels in the order of its categories, else sorted by `in_order`."""
        found = self.unordered
        if self.categories is None:
            levels = tuple(sorted(found.levels, key=in_order))
        else:
            ordered, present = dict.fromkeys(map(_code, self.categories)), set(found.levels)
            levels = tuple(code for code in ordered if code is not None and code in present)
        place = {code: at for at, code in enumerate(levels)}
        positions = np.array([*(place[code] for code in found.levels), -1], dtype=np.intp)[found.positions]
        return Coded(_read_only(positions), levels)

    @cached_property
    def plain_numbers(self) -> Floats | None:
        """Distinct texts that are all short decimal numbers or empty as floats (empty: NaN), else None.

        Most columns are of this kind, and Python reads them in a third of the time that pandas takes.
        """
        try:
            together = "".join(self.values)
        except TypeError:  # no text
            return None
        if (
            not isinstance(self.values, np.ndarray)
            or not together.isascii()
            or together.encode().translate(None, b"-.0123456789")
            or max(map(len, self.values), default=0) > SHORT
        ):
            return None
        filled = self.values != ""
        parsed = np.full(len(self.values), np.nan)
        try:
            parsed[filled] = self.values[filled].astype(np.float64)
        except ValueError:
            return None
        # Among whole numbers, as pandas reads them, -0 is 0.
        return parsed if "." in together else parsed + 0.0

    @cached_property
    def numbers(self) -> Floats | None:
        """The distinct values as floats (empty: NaN); None where some of them are words."""
        if isinstance(self.values, np.ndarray) and self.values.dtype.kind in "fiu":
            return self.values.astype(np.float64)
        if self.plain_numbers is not None:
            return self.plain_numbers
        cells = pd.Series(self.codes, dtype=object)
        found = pd.to_numeric(cells, errors="coerce").to_numpy(dtype=np.float64)
        return None if bool((np.isnan(found) & cells.notna().to_numpy()).any()) else found

    def each(self, of_values: Sequence[Any] | npt.NDArray[Any], missing: Any) -> npt.NDArray[Any]:
        """Return for every row what holds of its value, and `missing` for a row without one.

        >>> Factor(np.array([1, -1, 0]), np.array(["a", "b"])).each([False, True], missing=False).tolist()
        [True, False, False]
        """
        dtype = np.dtype(object if missing is None else type(missing))
        return np.append(np.asarray(of_values, dtype=dtype), np.array([missing], dtype=dtype))[self.positions]


Kept = OrderedDict[tuple[int, ...], tuple[Factor, Any, Any]]
_kept: ContextVar[Kept | None] = ContextVar("kept", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Remember the factors of columns within, so that every column is told apart once."""
    if _kept.get() is not None or not COPIES_ON_WRITE:
        yield
        return
    token = _kept.set(OrderedDict())
    try:
        yield
    finally:
        _kept.reset(token)


def factor_of(values: pd.Series[Any]) -> Factor:
    """Return a column as a factor.

    >>> factor_of(pd.Series(["b", "a", "b"])).positions.tolist()
    [0, 1, 0]
    """
    kept = _kept.get()
    if kept is None or isinstance(values.dtype, pd.CategoricalDtype) or not len(values):
        return _told_apart(values)
    cells = values.to_numpy(dtype=object) if isinstance(values.dtype, pd.StringDtype) else values.to_numpy()
    # Views of one array are one column: the part of the memory that they show, which nothing else has while it is kept.
    key = (cells.__array_interface__["data"][0], len(cells), cells.strides[0], hash(values.dtype))
    if key in kept:
        kept.move_to_end(key)
        return kept[key][0]
    factor = _told_apart(values)
    # The copy shares the memory, so that pandas gives memory of its own to whoever changes the column in place.
    kept[key] = (factor, cells, values.copy(deep=False))
    if len(kept) > MOST_KEPT:
        kept.popitem(last=False)
    return factor


def _told_apart(values: pd.Series[Any]) -> Factor:
    # Text as plain objects is told apart in half of the time.
    cells = values.to_numpy(dtype=object) if isinstance(values.dtype, pd.StringDtype) else values
    positions, distinct = pd.factorize(cells, use_na_sentinel=True)
    categories = tuple(values.dtype.categories) if isinstance(values.dtype, pd.CategoricalDtype) else None
    return Factor(_read_only(positions), distinct, categories)


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.flags.writeable = False
    return array


def in_order(code: str) -> tuple[Any, ...]:
    """Return a sort key under which numbers inside codes count as numbers: S2 before S10, −1 before 1."""
    number = number_of(code)
    if not math.isnan(number):
        # The code itself comes last, so that 1 and 01 always stand in the same order.
        return (0, number, (), code)
    pieces = re.split(r"(\d+)", code)
    return (1, 0.0, tuple((0, int(piece), "") if piece.isdecimal() else (1, 0, piece) for piece in pieces), code)


def number_of(text: str) -> float:
    """Return the number that a text is, else NaN."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _code(value: Any) -> str | None:
    if isinstance(value, str):
        code = value.strip()
        return None if code in NO_CODE else code
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return None if pd.isna(value) else str(value)

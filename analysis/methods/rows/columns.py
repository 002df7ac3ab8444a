"""Reading one column of a frame: as numbers, as codes (text), as true and false.

A frame may come from a CSV file, where every cell is text so that a participant `001` stays `001`, or from a study,
where numbers are numbers. Methods read both through these functions and never look at dtypes themselves.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.report import BadInput
from analysis.methods.wording import how_to_write, listed, nearest, no_such

NO_CODE = frozenset({"", "NA", "NaN", "<NA>"})  # as R and pandas write a missing cell of text
NO_NUMBER = frozenset({"", "na", "n/a", "nan", "null", "none", "<na>"})
LARGEST, SMALLEST = 1e60, 1e-60  # whose fourth powers are still far from ∞ and from 0
SHORT = 15  # digits that every way of reading a decimal number turns into the same float
TRUE = frozenset({"true", "1", "1.0", "yes"})
FALSE = frozenset({"false", "0", "0.0", "no"})


def required(frame: pd.DataFrame, column: str | None, *, role: str) -> str:
    """Return the name of a column that the analysis cannot do without.

    Raises BadInput, naming the parameter to set, where it was neither named nor found under its usual name or that of
    the parameter.
    """
    names = [str(name) for name in frame.columns]
    if column is None and role in names:
        return role
    if column is None:
        guess = nearest(role, names)
        meant = f"; did you mean '{guess}'? Then" if guess else ";"
        raise BadInput(
            f"There is no column '{role}' in the data{meant} name the column that holds it with {role}=… "
            f"The columns are: {listed(names, shown=20)}."
        )
    if column not in names:
        raise BadInput(no_such("column", column, names))
    return column


def numbers(frame: pd.DataFrame, column: str) -> pd.Series[float]:
    """Return a column as floats; an empty cell (also NA, NaN, null) is NaN.

    Raises BadInput where a cell holds text or an infinite number, with the first such row, and where all numbers are
    too small to be squared.

    >>> numbers(pd.DataFrame({"rating": ["1.5", "", "2"]}), "rating").tolist()
    [1.5, nan, 2.0]
    >>> numbers(pd.DataFrame({"rating": ["1.5", "many"]}), "rating")
    Traceback (most recent call last):
    analysis.methods.report.BadInput: Column 'rating' must hold numbers; data row 2 holds 'many'. ...
    """
    values = frame[column]
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        parsed = values.astype("float64")
    else:
        plain = _plain_numbers(values)
        parsed = _any_numbers(frame, column) if plain is None else pd.Series(plain, index=frame.index, name=column)
    sizes = np.abs(parsed.to_numpy())
    absurd = sizes > LARGEST
    if absurd.any():
        position = int(np.flatnonzero(absurd)[0])
        what = "an infinite number" if np.isinf(parsed.iloc[position]) else "a number too large to compute with"
        raise BadInput(
            f"Column '{column}' holds {what} in data row {row_number(frame, position)}; correct or empty that cell."
        )
    if 0 < np.fmax.reduce(sizes, initial=0.0) < SMALLEST:
        raise BadInput(f"Column '{column}' holds only numbers too small to compute with; give it in a larger unit.")
    return parsed


def _plain_numbers(values: pd.Series[Any]) -> npt.NDArray[np.float64] | None:
    """Return text cells that are short decimal numbers or empty as floats; None where one is anything else.

    Most columns are of this kind, and Python reads them in a third of the time that pandas takes.
    """
    if not isinstance(values.dtype, pd.StringDtype):
        return None
    cells = values.to_numpy(dtype=object)
    try:
        together = "".join(cells)
    except TypeError:  # a cell is missing
        return None
    if (
        not together.isascii()
        or together.encode().translate(None, b"-.0123456789")
        or max(map(len, cells), default=0) > SHORT
    ):
        return None
    filled = cells != ""
    parsed = np.full(len(cells), np.nan)
    try:
        parsed[filled] = cells[filled].astype(np.float64)
    except ValueError:
        return None
    # Among whole numbers, as pandas reads them, -0 is 0.
    return parsed if "." in together else parsed + 0.0


def _any_numbers(frame: pd.DataFrame, column: str) -> pd.Series[float]:
    values = frame[column]
    cells = values.astype(object) if isinstance(values.dtype, pd.CategoricalDtype) else values
    parsed = pd.to_numeric(cells.astype("str"), errors="coerce").astype("float64")
    unread = np.flatnonzero(np.isnan(parsed.to_numpy()))
    text = cells.iloc[unread].astype("string").str.strip()
    wrong = ~(text.isna() | text.str.casefold().isin(NO_NUMBER))
    if wrong.any():
        raise BadInput(_not_numbers(frame, column, text=text, positions=unread, wrong=wrong))
    return parsed


def codes(frame: pd.DataFrame, column: str) -> pd.Series[Any]:
    """Return a column as text codes; an empty cell (also NA and NaN) is None. Whole floats lose their `.0`, truth
    values are `true` and `false`.

    >>> codes(pd.DataFrame({"item": ["001", "", "b"]}), "item").tolist()
    ['001', None, 'b']
    >>> codes(pd.DataFrame({"item": [1.0, float("nan"), 2.5]}), "item").tolist()
    ['1', None, '2.5']
    """
    distinct, uniques = _factorized(frame[column])
    texts = np.array([*(_code(unique) for unique in uniques), None], dtype=object)
    return pd.Series(texts[distinct], index=frame.index, dtype=object)


def booleans(frame: pd.DataFrame, column: str) -> pd.Series[bool] | None:
    """Return a column of true and false (an empty cell is false), or None where it holds anything else.

    >>> booleans(pd.DataFrame({"excluded": ["true", "false", ""]}), "excluded").tolist()
    [True, False, False]
    >>> booleans(pd.DataFrame({"excluded": ["perhaps"]}), "excluded") is None
    True
    """
    text = codes(frame, column).map(lambda code: code if code is None else code.strip().casefold())
    known = text.isna() | text.isin(TRUE | FALSE)
    return text.isin(TRUE) if bool(known.all()) else None


def levels(frame: pd.DataFrame, column: str) -> tuple[str, ...]:
    """Return the distinct codes of a column: in the order of an ordered or categorical column, else sorted with
    numbers in their numerical order.

    >>> levels(pd.DataFrame({"n": ["10", "9", "9", "b"]}), "n")
    ('9', '10', 'b')
    """
    return coded(frame, column).levels


def level_meant(wanted: str, names: Sequence[str]) -> str | None:
    """Return the level that a parameter names: as it is written, else the only one that differs in capitals or as the
    same number is written; None where there is none.

    >>> level_meant("TRUE", ["false", "true"]), level_meant("1.0", ["0", "1"]), level_meant("b", ["a", "B", "b"])
    ('true', '1', 'b')
    """
    if wanted in names:
        return wanted
    sought = wanted.strip().casefold()
    alike = [name for name in names if name.casefold() == sought or in_order(name)[:3] == (0, _number(sought), ())]
    return alike[0] if len(alike) == 1 else None


@dataclass(frozen=True)
class Coded:
    """A column as positions in its levels; −1 where the cell is empty."""

    positions: npt.NDArray[np.intp]
    levels: tuple[str, ...]


def coded(frame: pd.DataFrame, column: str) -> Coded:
    """Return the levels of a column, in the order of `levels`, and where in them each row is.

    >>> coded(pd.DataFrame({"order": ["b", "", "a", "b"]}), "order")
    Coded(positions=array([ 1, -1,  0,  1]), levels=('a', 'b'))
    """
    values = frame[column]
    distinct, uniques = _factorized(values)
    texts = [_code(unique) for unique in uniques]
    present = {text for text in texts if text is not None}
    if isinstance(values.dtype, pd.CategoricalDtype):
        ordered = [_code(category) for category in values.dtype.categories]
        names = tuple(text for text in dict.fromkeys(ordered) if text is not None and text in present)
    else:
        names = tuple(sorted(present, key=in_order))
    place = {name: position for position, name in enumerate(names)}
    places = np.array([*(-1 if text is None else place[text] for text in texts), -1], dtype=np.intp)
    return Coded(positions=places[distinct], levels=names)


def joined(frame: pd.DataFrame, columns: Sequence[str]) -> Coded:
    """Return several columns as one: levels joined with a colon, only those combinations that occur.

    >>> joined(pd.DataFrame({"a": ["x", "y"], "b": ["2", "1"]}), ["a", "b"])
    Coded(positions=array([0, 1]), levels=('x:2', 'y:1'))
    """
    parts = [coded(frame, column) for column in columns]
    if len(parts) == 1:
        return parts[0]
    total = _combined(parts)
    present, positions = np.unique(total[total >= 0], return_inverse=True)
    sizes = tuple(max(1, len(part.levels)) for part in parts)
    places = zip(*np.unravel_index(present, sizes), strict=True) if len(present) else ()
    names = tuple(":".join(part.levels[at] for part, at in zip(parts, place, strict=True)) for place in places)
    result = np.full(len(frame), -1, dtype=np.intp)
    result[total >= 0] = positions
    return Coded(positions=result, levels=names)


def repeated(frame: pd.DataFrame, columns: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Return for every row whether another row has the same levels of all these columns; empty cells never do.

    >>> repeated(pd.DataFrame({"a": ["x", "x", "y"], "b": ["1", "1", "1"]}), ["a", "b"]).tolist()
    [True, True, False]
    """
    total = _combined([_unordered(frame, column) for column in columns])
    combinations, _ = pd.factorize(total)
    return np.asarray((np.bincount(combinations) > 1)[combinations] & (total >= 0))


def _factorized(values: pd.Series[Any]) -> tuple[npt.NDArray[np.intp], Any]:
    """Return for every cell which distinct value it holds (−1: none), and the distinct values."""
    # Text as plain objects is told apart in half of the time.
    cells = values.to_numpy(dtype=object) if isinstance(values.dtype, pd.StringDtype) else values
    return pd.factorize(cells, use_na_sentinel=True)


def _unordered(frame: pd.DataFrame, column: str) -> Coded:
    """Return a column as `coded` does, its levels in the order in which they first occur."""
    distinct, uniques = _factorized(frame[column])
    texts = [_code(unique) for unique in uniques]
    place = {text: position for position, text in enumerate(dict.fromkeys(text for text in texts if text is not None))}
    places = np.array([*(-1 if text is None else place[text] for text in texts), -1], dtype=np.intp)
    return Coded(positions=places[distinct], levels=tuple(place))


def _combined(parts: Sequence[Coded]) -> npt.NDArray[np.intp]:
    """Return one number per row for its levels in several columns; −1 where one of them is empty."""
    total = np.zeros(len(parts[0].positions), dtype=np.intp)
    known = np.ones(len(total), dtype=bool)
    for part in parts:
        total = total * max(1, len(part.levels)) + part.positions
        known &= part.positions >= 0
    return np.where(known, total, -1)


def in_order(code: str) -> tuple[Any, ...]:
    """Return a sort key under which numbers inside codes count as numbers: S2 before S10, −1 before 1."""
    number = _number(code)
    if not math.isnan(number):
        # The code itself comes last, so that 1 and 01 always stand in the same order.
        return (0, number, (), code)
    pieces = re.split(r"(\d+)", code)
    return (1, 0.0, tuple((0, int(piece), "") if piece.isdecimal() else (1, 0, piece) for piece in pieces), code)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def row_number(frame: pd.DataFrame, position: int) -> object:
    """Return how a person finds a row again: the first row of data is row 1."""
    label = frame.index[position]
    return int(label) + 1 if isinstance(label, (int, np.integer)) else label


def _code(value: Any) -> str | None:
    if isinstance(value, str):
        code = value.strip()
        return None if code in NO_CODE else code
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return None if pd.isna(value) else str(value)


def _not_numbers(
    frame: pd.DataFrame, column: str, *, text: pd.Series[Any], positions: npt.NDArray[Any], wrong: pd.Series[bool]
) -> str:
    first = int(np.flatnonzero(wrong.to_numpy())[0])
    found = str(text.iloc[first])
    count = int(wrong.sum())
    more = f" ({count:,} rows are like that)" if count > 1 else ""
    return (
        f"Column '{column}' must hold numbers; data row {row_number(frame, int(positions[first]))} holds "
        f"'{found}'{more}.{how_to_write(found)} "
        f"Correct the cell, leave it empty if the value is missing, or choose another column."
    )

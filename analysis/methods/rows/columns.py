"""Reading one column of a frame: as numbers, as codes (text), as true and false.

A frame may come from a CSV file, where every cell is text so that a participant `001` stays `001`, or from a study,
where numbers are numbers. Methods read both through these functions and never look at dtypes themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.report import BadInput
from analysis.methods.rows.combined import combined, numbered, shared
from analysis.methods.rows.factors import NO_CODE, Coded, factor_of, in_order, number_of
from analysis.methods.wording import how_to_write, listed, nearest, no_such

NO_NUMBER = frozenset({"", "na", "n/a", "nan", "null", "none", "<na>"})
LARGEST, SMALLEST = 1e60, 1e-60  # whose fourth powers are still far from ∞ and from 0
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
        found = _numbers_of_text if isinstance(values.dtype, pd.StringDtype) else _numbers_of_any
        parsed = pd.Series(found(frame, column), index=frame.index, name=column)
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


def _numbers_of_text(frame: pd.DataFrame, column: str) -> Floats:
    factor = factor_of(frame[column])
    missing = bool((factor.positions < 0).any())
    if factor.plain_numbers is not None and not missing:
        return factor.each(factor.plain_numbers, math.nan)
    # A missing cell stands last, where the position −1 finds it.
    cells = pd.Series([*factor.values, *([None] if missing else [])], dtype=frame[column].dtype)
    parsed, wrong = _parsed(cells)
    if wrong.any():
        raise BadInput(_not_numbers(frame, column, wrong[factor.positions]))
    return parsed[factor.positions]


def _numbers_of_any(frame: pd.DataFrame, column: str) -> Floats:
    values = frame[column]
    parsed, wrong = _parsed(values.astype(object) if isinstance(values.dtype, pd.CategoricalDtype) else values)
    if wrong.any():
        raise BadInput(_not_numbers(frame, column, wrong))
    return parsed


def _parsed(cells: pd.Series[Any]) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return cells as floats, and which of them are neither a number nor empty."""
    parsed = pd.to_numeric(cells.astype("str"), errors="coerce").to_numpy(dtype=np.float64)
    wrong = np.isnan(parsed)
    text = cells[wrong].astype("string").str.strip()
    wrong[wrong] = ~(text.isna() | text.str.casefold().isin(NO_NUMBER)).to_numpy(dtype=bool)
    return parsed, wrong


def codes(frame: pd.DataFrame, column: str) -> pd.Series[Any]:
    """Return a column as text codes; an empty cell (also NA and NaN) is None. Whole floats lose their `.0`, truth
    values are `true` and `false`.

    >>> codes(pd.DataFrame({"item": ["001", "", "b"]}), "item").tolist()
    ['001', None, 'b']
    >>> codes(pd.DataFrame({"item": [1.0, float("nan"), 2.5]}), "item").tolist()
    ['1', None, '2.5']
    """
    factor = factor_of(frame[column])
    return pd.Series(factor.each(factor.codes, None), index=frame.index, dtype=object)


def booleans(frame: pd.DataFrame, column: str) -> pd.Series[bool] | None:
    """Return a column of true and false (an empty cell is false), or None where it holds anything else.

    >>> booleans(pd.DataFrame({"excluded": ["true", "false", ""]}), "excluded").tolist()
    [True, False, False]
    >>> booleans(pd.DataFrame({"excluded": ["perhaps"]}), "excluded") is None
    True
    """
    factor = factor_of(frame[column])
    texts = ["" if code is None else code.strip().casefold() for code in factor.codes]
    if not {*texts} <= TRUE | FALSE | {""}:
        return None
    return pd.Series(factor.each([text in TRUE for text in texts], missing=False), index=frame.index)


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
    alike = [name for name in names if name.casefold() == sought or in_order(name)[:3] == (0, number_of(sought), ())]
    return alike[0] if len(alike) == 1 else None


def coded(frame: pd.DataFrame, column: str) -> Coded:
    """Return the levels of a column, in the order of `levels`, and where in them each row is.

    >>> coded(pd.DataFrame({"order": ["b", "", "a", "b"]}), "order")
    Coded(positions=array([ 1, -1,  0,  1]), levels=('a', 'b'))
    """
    return factor_of(frame[column]).coded


def joined(frame: pd.DataFrame, columns: Sequence[str]) -> Coded:
    """Return several columns as one: levels joined with a colon, only those combinations that occur.

    >>> joined(pd.DataFrame({"a": ["x", "y"], "b": ["2", "1"]}), ["a", "b"])
    Coded(positions=array([0, 1]), levels=('x:2', 'y:1'))
    """
    parts = [coded(frame, column) for column in columns]
    if len(parts) == 1:
        return parts[0]
    sizes = tuple(max(1, len(part.levels)) for part in parts)
    total, known = combined((part.positions, len(part.levels)) for part in parts)
    present, positions = numbered(total[known], math.prod(sizes))
    places = zip(*np.unravel_index(present, sizes), strict=True) if len(present) else ()
    names = tuple(":".join(part.levels[at] for part, at in zip(parts, place, strict=True)) for place in places)
    result = np.full(len(frame), -1, dtype=np.intp)
    result[known] = positions
    return Coded(positions=result, levels=names)


def repeated(frame: pd.DataFrame, columns: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Return for every row whether another row has the same levels of all these columns; empty cells never do.

    >>> repeated(pd.DataFrame({"a": ["x", "x", "y"], "b": ["1", "1", "1"]}), ["a", "b"]).tolist()
    [True, True, False]
    """
    parts = (factor_of(frame[column]).unordered for column in columns)
    return shared((part.positions, len(part.levels)) for part in parts)


def row_number(frame: pd.DataFrame, position: int) -> object:
    """Return how a person finds a row again: the first row of data is row 1."""
    label = frame.index[position]
    return int(label) + 1 if isinstance(label, (int, np.integer)) else label


def _not_numbers(frame: pd.DataFrame, column: str, wrong: npt.NDArray[np.bool_]) -> str:
    first, count = int(np.flatnonzero(wrong)[0]), int(wrong.sum())
    found = str(frame[column].iloc[[first]].astype(object).astype("string").str.strip().iloc[0])
    more = f" ({count:,} rows are like that)" if count > 1 else ""
    return (
        f"Column '{column}' must hold numbers; data row {row_number(frame, first)} holds "
        f"'{found}'{more}.{how_to_write(found)} "
        f"Correct the cell, leave it empty if the value is missing, or choose another column."
    )


__all__ = [
    "FALSE",
    "NO_CODE",
    "NO_NUMBER",
    "TRUE",
    "Coded",
    "booleans",
    "coded",
    "codes",
    "in_order",
    "joined",
    "level_meant",
    "levels",
    "numbers",
    "repeated",
    "required",
    "row_number",
]

"""Reading one column of a frame: as numbers, as codes (text), as true and false.

A frame may come from a CSV file, where every cell is text so that a participant `001` stays `001`, or from a study,
where numbers are numbers. Methods read both through these functions and never look at dtypes themselves.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.report import BadInput
from analysis.methods.wording import listed, no_such

NO_NUMBER = frozenset({"", "na", "n/a", "nan", "null", "none", "<na>"})
LARGEST = 1e100  # whose squares and cubes are still finite
TRUE = frozenset({"true", "1", "1.0", "yes"})
FALSE = frozenset({"false", "0", "0.0", "no"})


def required(frame: pd.DataFrame, column: str | None, *, role: str) -> str:
    """Return the name of a column that the analysis cannot do without.

    Raises BadInput, naming the parameter to set, where it was neither named nor found under its usual name.
    """
    names = [str(name) for name in frame.columns]
    if column is None:
        raise BadInput(
            f"There is no column '{role}' in the data; name the column that holds it with {role}=… "
            f"The columns are: {listed(names, shown=20)}."
        )
    if column not in names:
        raise BadInput(no_such("column", column, names))
    return column


def numbers(frame: pd.DataFrame, column: str) -> pd.Series[float]:
    """Return a column as floats; an empty cell (also NA, NaN, null) is NaN.

    Raises BadInput where a cell holds text or an infinite number, with the first such row.

    >>> numbers(pd.DataFrame({"rating": ["1.5", "", "2"]}), "rating").tolist()
    [1.5, nan, 2.0]
    >>> numbers(pd.DataFrame({"rating": ["1.5", "many"]}), "rating")
    Traceback (most recent call last):
    analysis.methods.report.BadInput: Column 'rating' must hold numbers; data row 2 holds 'many'. ...
    """
    values = frame[column]
    if pd.api.types.is_bool_dtype(values) or not pd.api.types.is_numeric_dtype(values):
        text = values.astype("string").str.strip()
        empty = text.isna() | text.str.casefold().isin(NO_NUMBER)
        parsed = pd.to_numeric(text.where(~empty), errors="coerce").astype("float64")
        wrong = parsed.isna() & ~empty
        if wrong.any():
            raise BadInput(_not_numbers(column, text, wrong))
    else:
        parsed = values.astype("float64")
    absurd = np.abs(parsed.to_numpy()) > LARGEST
    if absurd.any():
        position = int(np.flatnonzero(absurd)[0])
        what = "an infinite number" if np.isinf(parsed.iloc[position]) else "a number too large to compute with"
        raise BadInput(
            f"Column '{column}' holds {what} in data row {row_number(frame, position)}; correct or empty that cell."
        )
    return parsed


def codes(frame: pd.DataFrame, column: str) -> pd.Series[Any]:
    """Return a column as text codes; an empty cell is None. Whole floats lose their `.0`, truth values are
    `true` and `false`.

    >>> codes(pd.DataFrame({"item": ["001", "", "b"]}), "item").tolist()
    ['001', None, 'b']
    >>> codes(pd.DataFrame({"item": [1.0, float("nan"), 2.5]}), "item").tolist()
    ['1', None, '2.5']
    """
    values = frame[column]
    distinct, uniques = pd.factorize(values, use_na_sentinel=True)
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
    values = frame[column]
    present = {code for code in codes(frame, column).unique() if code is not None}
    if isinstance(values.dtype, pd.CategoricalDtype):
        ordered = [_code(category) for category in values.dtype.categories]
        return tuple(code for code in ordered if code is not None and code in present)
    return tuple(sorted(present, key=in_order))


def in_order(code: str) -> tuple[Any, ...]:
    """Return a sort key under which numbers inside codes count as numbers: S2 before S10, −1 before 1."""
    try:
        return (0, float(code), ())
    except ValueError:
        pieces = re.split(r"(\d+)", code)
        return (1, 0.0, tuple((0, int(piece), "") if piece.isdigit() else (1, 0, piece) for piece in pieces), code)


def row_number(frame: pd.DataFrame, position: int) -> object:
    """Return how a person finds a row again: the first row of data is row 1."""
    label = frame.index[position]
    return int(label) + 1 if isinstance(label, (int, np.integer)) else label


def _code(value: Any) -> str | None:
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return None if pd.isna(value) else str(value)


def _not_numbers(column: str, text: pd.Series[Any], wrong: pd.Series[bool]) -> str:
    position = int(np.flatnonzero(wrong.to_numpy())[0])
    found = str(text.iloc[position])
    where = row_number(text.to_frame(), position)
    count = int(wrong.sum())
    rows = f"data row {where} holds '{found}'"
    more = f" ({count:,} rows are like that)" if count > 1 else ""
    comma = " Write decimals with a point." if re.fullmatch(r"-?\d*,\d+", found) else ""
    return (
        f"Column '{column}' must hold numbers; {rows}{more}.{comma} "
        f"Correct the cell, leave it empty if the value is missing, or choose another column."
    )

"""Terms such as `z(pace)`: a column, its logarithm, or its standard scores within participants or within items.

| term | meaning |
|---|---|
| `pace` | the column as it is |
| `log(pace)` | its natural logarithm |
| `z(pace)` | (x − mean) / sd within participant, with the sample standard deviation (n − 1) |
| `z2(pace)` | the same within item, over its conditions |

A column whose name looks like a term is that column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.contrast_texts import unquoted
from analysis.methods.report import BadInput
from analysis.methods.rows.columns import codes, numbers
from analysis.methods.wording import counted, no_such

WITHIN = {"z": "participant", "z2": "item"}
_TERM = re.compile(r"(?P<function>[a-z]\w*)\((?P<column>.+)\)")


@dataclass(frozen=True)
class ScoredTerm:
    """A column and what is done with it; `within` is empty, `participant` or `item`."""

    name: str
    column: str
    within: str = ""
    is_log: bool = False


def scored_term(name: str, names: Sequence[str]) -> ScoredTerm:
    """Read a term of columns `names`.

    Raises BadInput for a column or a function that does not exist.

    >>> scored_term("z(pace)", ["pace"])
    ScoredTerm(name='z(pace)', column='pace', within='participant', is_log=False)
    >>> scored_term("pace", ["pace"]).within
    ''
    """
    if name in names:
        return ScoredTerm(name, name)
    match = _TERM.fullmatch(name)
    if match is None:
        raise BadInput(no_such("column", name, names))
    function, column = match["function"], unquoted(match["column"])
    if function != "log" and function not in WITHIN:
        raise BadInput(f"There is no '{function}(…)'; known are z(…) within participant, z2(…) within item, log(…).")
    if column not in names:
        raise BadInput(no_such("column", column, names))
    return ScoredTerm(name, column, WITHIN.get(function, ""), function == "log")


def values_of(frame: pd.DataFrame, term: ScoredTerm) -> Floats:
    """Return the column of a term as floats, or its logarithm, before any standardisation.

    Raises BadInput for a logarithm of what is not above zero.
    """
    values = np.asarray(numbers(frame, term.column), dtype=np.float64)
    if not term.is_log:
        return values
    without = int((values <= 0).sum())
    if without:
        count = counted(without, f"value of '{term.column}' is", f"values of '{term.column}' are")
        raise BadInput(
            f"{term.name}: {count} not above zero, and such numbers have no logarithm; leave those rows out with "
            f"where={term.column}>0."
        )
    return np.asarray(np.log(values))


def standard_scores_within(values: Floats, groups: pd.Series[str]) -> Floats:
    """Return z within groups with the sample standard deviation; NaN where a group has no variance or the group is
    not known.

    >>> standard_scores_within(np.array([1.0, 2.0, 3.0, 5.0]), pd.Series(["a", "a", "a", "b"])).tolist()
    [-1.0, 0.0, 1.0, nan]
    """
    series = pd.Series(values)
    names = groups.to_numpy()
    grouped = series.groupby(names, sort=False, dropna=True)
    mean = grouped.transform("mean")
    varies = grouped.transform("max") - grouped.transform("min") > 1e-12 * mean.abs()
    centred = series - mean
    # The mean of large numbers is off by a rounding; what is left of it in the differences is taken out.
    centred -= centred.groupby(names, sort=False, dropna=True).transform("mean")
    sd = centred.groupby(names, sort=False, dropna=True).transform("std")
    return np.asarray((centred / sd).where(varies & (sd > 0)), dtype=np.float64)


def scored(frame: pd.DataFrame, term: ScoredTerm, *, participant: str | None, item: str | None) -> Floats:
    """Return the values of a term over all rows of a frame.

    Raises BadInput where the column of participants or items that it needs is missing.
    """
    values = values_of(frame, term)
    if not term.within:
        return values
    return standard_scores_within(values, codes(frame, column_within(term, participant=participant, item=item)))


def column_within(term: ScoredTerm, *, participant: str | None, item: str | None) -> str:
    """Return the column within whose groups a term is standardised. Raises BadInput where there is none."""
    column = {"participant": participant, "item": item}[term.within]
    if column is None:
        raise BadInput(
            f"{term.name} is standardised within {term.within}, but there is no such column; name it with "
            f"{term.within}=…"
        )
    return column

"""What kind of values a measure holds, and which method they ask for; signs for missing values among numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.rows.design import Design
from analysis.methods.rows.factors import factor_of
from analysis.methods.rows.remarks import Importance, Remark
from analysis.methods.wording import counted, listed

BINARY, ORDERED, ORDERED_OR_COUNTS, COUNTS, SHARES = "binary", "ordered", "ordered or counts", "counts", "shares"
LARGEST_ANSWER = 11
"""The highest answer of a scale; more values than its steps are an amount."""
LARGEST_MEAN = 20
"""Counts with a larger mean scatter nearly as a measure does."""
MOST_TRIALS = 60
ROWS_FOR_EACH = 3
"""Values are few where each has so many rows on average."""
SENTINELS = frozenset({*(sign * int(digit * n) for digit in "89" for n in (2, 3, 4, 5) for sign in (-1, 1)), -9, -8})
FENCE = 3.0
"""So many interquartile ranges beyond the quartiles of the others a sign for a missing value lies, at least."""


def distinct_numbers(frame: pd.DataFrame, column: str) -> tuple[Floats, Floats]:
    """Return the distinct numbers of a column, sorted, and how often each occurs; nothing where it holds words.

    >>> [one.tolist() for one in distinct_numbers(pd.DataFrame({"y": ["1", "0", "", "1.0"]}), "y")]
    [[0.0, 1.0], [1.0, 2.0]]
    """
    factor = factor_of(frame[column])
    values = factor.numbers
    if values is None:
        return np.zeros(0), np.zeros(0)
    counts = np.bincount(factor.positions[factor.positions >= 0], minlength=len(values)).astype(np.float64)
    known = np.isfinite(values) & (counts > 0)
    found, place = np.unique(values[known], return_inverse=True)
    return found, np.bincount(place, weights=counts[known], minlength=len(found)).astype(np.float64)


def kind_of_values(values: Floats, counts: Floats) -> str:
    """Return what the values of a measure are where a method for measures does not suit them, else an empty text.

    >>> kind_of_values(np.array([0.0, 1.0]), np.array([9.0, 9.0]))
    'binary'
    >>> kind_of_values(np.array([1.0, 2, 3, 4, 5]), np.full(5, 9.0)), kind_of_values(np.array([212.5, 300]), np.ones(2))
    ('ordered', '')
    """
    total = float(counts.sum())
    if len(values) < 2 or total < ROWS_FOR_EACH * len(values):
        return ""
    if len(values) == 2:
        return BINARY
    low, high = float(values[0]), float(values[-1])
    if (values % 1 == 0).all():
        if low >= 0 and high <= LARGEST_ANSWER:
            return ORDERED if low > 0 else ORDERED_OR_COUNTS
        return COUNTS if low == 0 and float(values @ counts) / total < LARGEST_MEAN else ""
    if low >= 0 and high <= 1 and (low == 0 or high == 1) and _trials(values):
        return SHARES
    return ""


def _trials(values: Floats) -> int:
    """Return the least number of trials of which all values are shares; 0 where it is larger than any list."""
    for number in range(2, MOST_TRIALS + 1):
        if np.allclose(values * number, np.round(values * number), atol=0.01, rtol=0):
            return number
    return 0


def other_model(frame: pd.DataFrame, measure: str, formula: str, *, is_transformed: bool = False) -> list[str]:
    """Return a remark where a measure asks for another model, with the command; `formula` is that of the model.

    >>> answers = pd.DataFrame({"correct": [0, 1] * 6})
    >>> print(other_model(answers, "correct", "correct ~ order + (1 | participant)")[0])
    'correct' has two values (0 and 1), and this method takes it for a measure that scatters alike everywhere: its
    intervals leave the range from 0 to 1, and its tests do not hold their level near the ends. Ask for glmm
    formula="correct ~ order + (1 | participant)".
    """
    if measure not in frame.columns:
        return []
    values, counts = distinct_numbers(frame, measure)
    kind = kind_of_values(values, counts)
    if not kind or (is_transformed and kind in (COUNTS, SHARES)):
        return []
    asked = f'formula="{formula}"'
    low, high = (f"{value:g}" for value in (values[0], values[-1]))
    if kind == BINARY:
        text = (
            f"'{measure}' has two values ({low} and {high}), and this method takes it for a measure that scatters "
            f"alike everywhere: its intervals leave the range from {low} to {high}, and its tests do not hold their "
            f"level near the ends. Ask for glmm {asked}."
        )
    elif kind in (ORDERED, ORDERED_OR_COUNTS):
        more = f"; if they are counts, for glmm {asked} family=negative-binomial" if kind == ORDERED_OR_COUNTS else ""
        text = (
            f"'{measure}' has {len(values)} ordered values ({low} to {high}), and this method takes the steps between "
            f"them for equal. If they are answers on a scale, ask for ordinal {asked} tests=f{more}."
        )
    elif kind == COUNTS:
        text = (
            f"'{measure}' holds counts ({low} to {high}), which scatter the more the larger they are. Ask for glmm "
            f"{asked} family=negative-binomial."
        )
    else:
        text = (
            f"'{measure}' holds shares of {_trials(values)} trials or a multiple, which scatter less near 0 and 1. "
            f"Give single answers (0 and 1), or their number with trials=…, to glmm {asked}."
        )
    return [Remark(text, Importance.MODEL)]


def formula_of(measure: str, design: Design) -> str:
    """Return the mixed model of all factors of a design, with the slopes that it allows, as `lmm` takes it."""
    factors = [_written(name) for name in design.factors]
    random = []
    for unit in design.units:
        slopes = [_written(name) for name in design.factors if design.is_within(name, unit)]
        terms = " + ".join(["1", *([" * ".join(slopes)] if slopes else [])])
        random.append(f"({terms} | {':'.join(map(_written, unit.columns))})")
    return f"{_written(measure)} ~ {' + '.join([' * '.join(factors) or '1', *random])}"


def _written(name: str) -> str:
    return name if re.fullmatch(r"\.?[^\W\d][\w.]*", name) else f"`{name}`"


def sentinels(frame: pd.DataFrame, columns: Iterable[str]) -> list[str]:
    """Return a remark on numbers such as −999 or 9999 that lie far outside all others and stand for no value.

    >>> times = pd.DataFrame({"rt": [*range(300, 900, 10), 9999, 9999]})
    >>> print(sentinels(times, ["rt"])[0])
    'rt' holds 9999 in 2 rows, far from all other values (300 to 890): a sign for a missing value? Empty these cells, or
    leave the rows out with where="rt != 9999".
    """
    said = []
    for name in dict.fromkeys(columns):
        known = factor_of(frame[name]).numbers
        if known is None or not np.isin(known, [*SENTINELS]).any():
            continue
        values, counts = distinct_numbers(frame, name)
        found = [float(value) for value in values if value in SENTINELS]
        if not found or len(values) < 3:
            continue
        signs = [value for value in found if _lies_outside(value, values, counts, found)]
        if not signs:
            continue
        rest = values[~np.isin(values, signs)]
        rows = int(counts[np.isin(values, signs)].sum())
        where = " and ".join(f"{_quoted(name)} != {value:g}" for value in signs)
        said.append(
            f"'{name}' holds {listed(f'{value:g}' for value in signs)} in {counted(rows, 'row')}, far from all other "
            f"values ({rest[0]:g} to {rest[-1]:g}): a sign for a missing value? Empty these cells, or leave the rows "
            f'out with where="{where}".'
        )
    return [Remark(text, Importance.ROWS) for text in said]


def _quoted(name: str) -> str:
    return name if re.fullmatch(r"\w+", name) else f"'{name}'"


def _lies_outside(sign: float, values: Floats, counts: Floats, found: Sequence[float]) -> bool:
    others = ~np.isin(values, found)
    rest, weights = values[others], counts[others]
    if len(rest) < 2 or rest[0] <= sign <= rest[-1]:
        return False
    total = np.cumsum(weights) / weights.sum()
    low, high = rest[np.searchsorted(total, 0.25)], rest[np.searchsorted(total, 0.75)]
    room = FENCE * max(float(high - low), 0.0)
    if low - room <= sign <= high + room:
        return False
    spread = float(rest[-1] - rest[0])
    gap = min(abs(sign - float(rest[0])), abs(sign - float(rest[-1])))
    often = float(counts[values == sign].sum())
    return gap > spread or (often > 1 and not math.isclose(gap, 0) and gap > spread / 4) or (sign < 0 <= rest[0])

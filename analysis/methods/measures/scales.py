"""Compute scores on arrays: logarithms, ratios, and z scores within groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Floats, Integers

HOW = ("z", "z-population", "log", "log-z", "ratio", "log-ratio")


@dataclass(frozen=True)
class Scores:
    """A score per value (NaN where there is none), and per group what it was standardised with."""

    scores: Floats
    n: Integers
    mean: Floats
    sd: Floats
    constant: npt.NDArray[np.bool_]


def score_values(
    value: Floats, *, positions: Integers, count: int, how: str, references: Floats | None, offset: float | None
) -> Scores:
    """Score values on the scale `how`; `positions` gives the group of each value (−1: none), `references` its modulus.

    >>> two = score_values(np.array([1.0, 100.0]), positions=np.array([0, 0]), count=1, how="log", references=None,
    ...     offset=None)
    >>> two.scores.tolist(), two.mean.tolist()
    ([0.0, 2.0], [1.0])
    """
    scaled = value
    if how in ("ratio", "log-ratio"):
        if references is None:
            raise ValueError("a ratio needs references")
        scaled = value / references if offset is None or how == "ratio" else (value + offset) / references
    elif how in ("log", "log-z") and offset is not None:
        scaled = value + offset
    if how in ("log", "log-z", "log-ratio"):
        positive = scaled > 0
        scaled = np.where(positive, np.log10(np.where(positive, scaled, 1.0)), np.nan)
    known = (positions >= 0) & ~np.isnan(scaled)
    groups = pd.Series(scaled[known]).groupby(positions[known])
    every = range(count)
    n = np.asarray(groups.count().reindex(every, fill_value=0), dtype=np.intp)
    mean = np.asarray(groups.mean().reindex(every), dtype=np.float64)
    constant = np.asarray(groups.max().reindex(every) == groups.min().reindex(every), dtype=np.bool_)
    centred = np.full(len(scaled), np.nan)
    centred[known] = scaled[known] - mean[positions[known]]
    # The mean of large numbers is off by a rounding; what is left of it in the differences is taken out.
    rest = np.bincount(positions[known], weights=centred[known], minlength=count) / np.maximum(n, 1)
    centred[known] -= rest[positions[known]]
    squares = np.bincount(positions[known], weights=centred[known] ** 2, minlength=count)
    divisor = n if how == "z-population" else n - 1
    sd = np.where((n > 1) & ~constant, np.sqrt(squares / np.maximum(divisor, 1)), np.where(n > 1, 0.0, np.nan))
    scores = np.where(positions >= 0, scaled, np.nan)
    if how in ("z", "z-population", "log-z"):
        usable = known & (sd[positions] > 0)
        scores = np.full(len(scaled), np.nan)
        scores[usable] = centred[usable] / sd[positions[usable]]
    return Scores(scores=scores, n=n, mean=mean, sd=sd, constant=constant)

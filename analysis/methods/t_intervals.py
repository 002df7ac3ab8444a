"""Means of groups with their standard deviations and t intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.methods.arrays import Floats

# How often people are drawn again, always the same way.
DRAWS, SEED = 10_000, 20_260


def t_intervals(values: pd.Series[float], by: pd.Series[Any], *, confidence: float) -> pd.DataFrame:
    """Return n, mean, sd, ci_low and ci_high of the values of every group, in the order of the groups' keys.

    NaN has no part in them; a group without a value has n = 0. With one value there is neither spread nor interval.

    >>> found = t_intervals(pd.Series([1.0, 2.0, 4.0]), pd.Series(["a", "a", "b"]), confidence=0.95)
    >>> found["n"].tolist(), found["mean"].tolist(), found["ci_high"].round(2).tolist()
    ([2, 1], [1.5, 4.0], [7.85, nan])
    """
    found = {key: of_mean(np.asarray(own.dropna(), dtype=np.float64), confidence) for key, own in values.groupby(by)}
    return pd.DataFrame(found).T.astype({"n": int})


def of_mean(values: Floats, confidence: float) -> dict[str, float]:
    """Return n, mean, sd, ci_low and ci_high: the mean ± t · sd/√n.

    >>> {name: round(value, 2) for name, value in of_mean(np.array([1.0, 2.0]), 0.95).items()}
    {'n': 2, 'mean': 1.5, 'sd': 0.71, 'ci_low': -4.85, 'ci_high': 7.85}
    """
    n = len(values)
    mean = float(values.mean()) if n else np.nan
    sd = half = np.nan
    if n > 1:
        sd = without_rounding(values)
        half = float(scipy.stats.t.isf((1 - confidence) / 2, n - 1)) * sd / math.sqrt(n)
    return {"n": n, "mean": mean, "sd": sd, "ci_low": mean - half, "ci_high": mean + half}


def without_rounding(values: Floats, smallest: float = 0.0) -> float:
    """Return the standard deviation, 0 where values differ by no more than `smallest`.

    Equal values may differ from their mean by rounding.

    >>> without_rounding(np.array([0.1, 0.1, 0.1]))
    0.0
    """
    return float(values.std(ddof=1)) if np.ptp(values) > smallest else 0.0


def resampled(values: np.ndarray, level: float) -> tuple[float, float]:
    """Return the interval of the mean of values, one of each person, in which this share of resampled means lies.

    People are drawn with replacement, always with the same seed. Values that occur several times are drawn as counts,
    so that 10,000 people cost no more than their different values.

    >>> resampled(np.array([0.5, 0.5, 0.5]), 0.95)
    (0.5, 0.5)
    """
    different, counts = np.unique(values, return_counts=True)
    drawn = np.random.default_rng(SEED).multinomial(len(values), counts / len(values), size=DRAWS)
    low, high = np.quantile(drawn @ different / len(values), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)

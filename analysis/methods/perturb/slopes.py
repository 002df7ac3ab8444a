"""Slopes: the change of a metric per 10 % of texts spoilt, with a bootstrap interval over texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

Numbers = npt.NDArray[np.int64]
Values = Mapping[str, float | None]
TENTH = 10.0
FEWEST = 0.9


def slope_of(shares: Sequence[float], values: Sequence[float | None]) -> float | None:
    """Return the slope per 10 % of the line through the untouched value that fits the curve best (least squares).

    >>> slope_of([0, 50, 100], [8.0, 6.0, 4.0])
    -0.4
    """
    if any(value is None for value in values):
        return None
    x = np.asarray(shares, dtype=np.float64) / TENTH
    y = np.array([float(value or 0.0) for value in values])
    return float(x @ (y - y[0]) / (x @ x))


def linearity(shares: Sequence[float], values: Sequence[float | None], slope: float | None) -> float | None:
    """Return 1 − squared distances from the line / squared changes: near 1 where the slope tells the curve."""
    if slope is None:
        return None
    y = np.array([float(value or 0.0) for value in values])
    changes = y - y[0]
    total = float(changes @ changes)
    if total == 0:
        return None
    left = changes - slope * np.asarray(shares, dtype=np.float64) / TENTH
    return 1 - float(left @ left) / total


def drawn_slopes(
    before: Numbers,
    after: Numbers,
    order: npt.NDArray[np.intp],
    *,
    places: Sequence[int],
    values_of: Callable[[Numbers], Values],
    names: Sequence[str],
    resamples: int,
    seed: int,
) -> dict[str, list[float]]:
    """Return the slope of every metric when texts are drawn again, with their spoilt versions.

    `order` says in which order texts are spoilt and `places` how many at each share (0 first). A text that is drawn
    twice is spoilt in both copies or in none.
    """
    random = np.random.default_rng(seed)
    n = len(before)
    found: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(resamples if n > 1 else 0):
        times = np.bincount(random.integers(n, size=n), minlength=n)[:, None]
        changes = np.vstack([np.zeros((1, before.shape[1]), np.int64), np.cumsum(((after - before) * times)[order], 0)])
        spoilt = np.concatenate([[0], np.cumsum(times[order, 0])])
        total = (before * times).sum(axis=0)
        curve = [values_of(total + changes[place]) for place in places]
        # The shares are those of the texts as they were drawn.
        real = [0.0, *(100 * float(spoilt[place]) / n for place in places[1:])]
        for name in names:
            slope = slope_of(real, [values.get(name) for values in curve]) if max(real) > 0 else None
            if slope is not None:
                found[name].append(slope)
    return found


def slope_row(
    shares: Sequence[float], means: Sequence[float | None], drawn: Sequence[float], *, sign: int, resamples: int
) -> dict[str, Any]:
    """Return the slope of the mean curve with its 95 % interval (slope ± 1.96 standard deviations of those drawn)."""
    slope = slope_of(shares, means)
    line: dict[str, Any] = {"slope": slope, "linear": linearity(shares, means, slope)}
    if slope is None:
        return line
    line["rewarded"] = sign * slope > 1e-9
    if resamples and len(drawn) > 1 and len(drawn) >= FEWEST * resamples:
        half = float(scipy.stats.norm.isf(0.025)) * float(np.std(drawn, ddof=1))
        line |= {"ci_low": slope - half, "ci_high": slope + half, "sure": abs(slope) > half}
    return line

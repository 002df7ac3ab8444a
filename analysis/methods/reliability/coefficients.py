"""Compute Cronbach's α, Feldt's interval, and item–rest correlations, on arrays."""

from __future__ import annotations

import numpy as np
import scipy

from analysis.methods.arrays import ROUNDING, Floats


def alpha(covariance: Floats) -> float:
    """Return Cronbach's α = k/(k − 1) · (1 − Σ s_i² / s_T²) of a k × k matrix of covariances or correlations.

    Cronbach (1951), *Psychometrika* 16, 297–334. NaN where the sum has no variance but that of rounding.

    >>> round(alpha(np.array([[1.0, 0.5], [0.5, 1.0]])), 4)
    0.6667
    """
    k, total, single = len(covariance), float(covariance.sum()), float(np.trace(covariance))
    return float("nan") if total <= ROUNDING * single else k / (k - 1) * (1 - single / total)


def feldt_interval(value: float, *, people: int, items: int, confidence: float) -> tuple[float, float]:
    """Return the interval of α: (1 − α)/(1 − α̂) follows F with n − 1 and (n − 1)(k − 1) degrees of freedom.

    Feldt, Woodruff & Salih (1987), *Applied Psychological Measurement* 11, 93–103. Exact where items are parallel and
    normal.

    >>> low, high = feldt_interval(0.8, people=50, items=5, confidence=0.95)
    >>> round(low, 3), round(high, 3)
    (0.697, 0.876)
    """
    df1, df2, tail = people - 1, (people - 1) * (items - 1), (1 - confidence) / 2
    return (
        1 - (1 - value) * float(scipy.stats.f.isf(tail, df1, df2)),
        1 - (1 - value) * float(scipy.stats.f.ppf(tail, df1, df2)),
    )


def item_rest_correlations(answers: Floats) -> Floats:
    """Return the correlation of every column with the sum of the others; NaN where one of them does not vary."""
    total = answers.sum(axis=1)
    return np.array([correlation(column, total - column) for column in answers.T])


def correlation(a: Floats, b: Floats) -> float:
    """Return Pearson's r; NaN where one of the two does not vary."""
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])


def mean_correlation(correlations: Floats) -> float:
    """Return the mean of the correlations between different items."""
    k = len(correlations)
    return float((correlations.sum() - np.trace(correlations)) / (k * (k - 1)))

"""Estimate worths that sum to zero, their pairwise differences, and clusters of options that do not differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
import scipy

from analysis.methods.adjusted import holm
from analysis.methods.arrays import Floats
from analysis.methods.preference.likelihood import basis_of

EQUAL = 1e-9
"""Worths that differ by less are equal but for rounding."""


@dataclass(frozen=True)
class Estimates:
    """Worths (log scale, sum zero) with their covariance, and the further parameters with theirs.

    `df` are the degrees of freedom of t; infinite for z. `extra` are ln ν by size of tie, then δ.
    """

    worths: Floats
    covariance: Floats
    extra: Floats
    extra_variance: Floats
    df: float

    @property
    def order(self) -> list[int]:
        """Return the options, the best first; of equal ones the first in the alphabet."""
        return sorted(range(len(self.worths)), key=lambda at: (-round(float(self.worths[at]), 9), at))

    def critical(self, confidence: float) -> float:
        """Return the quantile for intervals."""
        return float(scipy.stats.t.isf((1 - confidence) / 2, self.df))

    def p_value(self, statistic: Floats) -> Floats:
        """Return the two-sided p of every statistic."""
        return np.asarray(2 * scipy.stats.t.sf(np.abs(statistic), self.df))


def estimates(theta: Floats, covariance: Floats, options: int, *, df: float = np.inf) -> Estimates:
    """Return estimates in coordinates as worths."""
    basis = basis_of(options)
    cut = options - 1
    worths = basis @ theta[:cut]
    worths[np.abs(worths) < EQUAL] = 0.0
    return Estimates(
        worths=worths,
        covariance=basis @ covariance[:cut, :cut] @ basis.T,
        extra=theta[cut:],
        extra_variance=np.diag(covariance)[cut:],
        df=df,
    )


def standard_errors(variances: Floats) -> Floats:
    """Return roots; a variance of zero is not known (nothing varied)."""
    return np.asarray(np.where(variances > 1e-14, np.sqrt(np.maximum(variances, 0)), np.nan))


@dataclass(frozen=True)
class EqualWorths:
    """Wald's test of all worths being equal: χ² on `df`, or F on `df` and `df2` where clusters were drawn.

    `f` and `df2` are NaN where p is that of χ²; p is NaN where there are too few clusters, or no covariance.
    """

    chi2: float
    df: int
    p: float
    f: float = np.nan
    df2: float = np.nan


def equal_worths(found: Estimates) -> EqualWorths:
    """Return the test of all worths being equal.

    With a covariance of p differences that was itself estimated from G clusters, Wald's χ² is Hotelling's T², and
    F = T² (G − p) / ((G − 1) p) on p and G − p degrees of freedom (Hotelling 1931, *Annals of Mathematical Statistics*
    2, 360–378; exact for normal means of clusters). There is no such F for G ≤ p.
    """
    df = len(found.worths) - 1
    if not np.isfinite(found.covariance).all():
        return EqualWorths(np.nan, df, np.nan)
    chi2 = float(found.worths @ np.linalg.pinv(found.covariance, rcond=1e-9, hermitian=True) @ found.worths)
    if np.isinf(found.df):
        return EqualWorths(chi2, df, float(scipy.stats.chi2.sf(chi2, df)))
    df2 = found.df + 1 - df
    if df2 <= 0:
        return EqualWorths(np.nan, df, np.nan)
    f = chi2 * df2 / (found.df * df)
    return EqualWorths(chi2, df, float(scipy.stats.f.sf(f, df, df2)), f, df2)


def differences(found: Estimates, *, confidence: float) -> pd.DataFrame:
    """Return every difference between options (a, b: their places), the better one first.

    Columns: a, b, difference, se, statistic, p, ci_low, ci_high, and p_holm, adjusted by Holm (1979).
    """
    a, b = np.array(list(combinations(found.order, 2)), dtype=np.intp).T
    difference, of = found.worths[a] - found.worths[b], found.covariance
    se = standard_errors(of[a, a] + of[b, b] - 2 * of[a, b])
    statistic, half = difference / se, found.critical(confidence) * se
    p = np.where(np.isfinite(statistic), found.p_value(statistic), np.nan)
    pairs = pd.DataFrame({"a": a, "b": b, "difference": difference, "se": se, "statistic": statistic, "p": p})
    return pairs.assign(
        ci_low=difference - half, ci_high=difference + half, p_holm=np.array(holm(p.tolist()), dtype=np.float64)
    )


def clusters(order: Sequence[int], told_apart: set[tuple[int, int]]) -> dict[int, int]:
    """Return the cluster of every option, 1 for the best. A new cluster begins where every option above is told apart
    from every option below.

    >>> clusters([2, 0, 1], {(2, 1), (0, 1)})
    {2: 1, 0: 1, 1: 2}
    """
    found: dict[int, int] = {}
    number = 1
    for place, option in enumerate(order):
        if place and all((a, b) in told_apart for a in order[:place] for b in order[place:]):
            number += 1
        found[option] = number
    return found

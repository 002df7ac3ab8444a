"""Test counts with statsmodels: pooled z test, intervals of differences, McNemar's χ².

Imported lazily: it takes half a second, and listing the methods does not need it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

INTERVALS = {"newcombe": "Newcombe's hybrid score interval", "wald": "Wald interval (unpooled standard error)"}


@dataclass(frozen=True)
class Share:
    """`successes` of `n` in the group `name`."""

    name: str
    successes: int
    n: int

    @property
    def p(self) -> float:
        return self.successes / self.n


def z_test(a: Share, b: Share) -> tuple[float, float]:
    """Return z and two-sided p of the pooled two-proportion test; both NaN where the pooled proportion is 0 or 1.

    >>> z_test(Share("a", 0, 10), Share("b", 0, 12))
    (nan, nan)
    """
    from statsmodels.stats.proportion import proportions_ztest

    if a.successes + b.successes in (0, a.n + b.n):
        return float("nan"), float("nan")
    z, p = proportions_ztest([a.successes, b.successes], [a.n, b.n])
    return float(z), float(p)


def difference_interval(a: Share, b: Share, how: str) -> tuple[float, float]:
    """Return the 95 % interval of p_a − p_b: `newcombe` or `wald`."""
    from statsmodels.stats.proportion import confint_proportions_2indep

    method = {"newcombe": "newcomb", "wald": "wald"}[how]
    low, high = confint_proportions_2indep(a.successes, a.n, b.successes, b.n, method=method, compare="diff")
    return float(low), float(high)


def mcnemar_approximations(only_a: int, only_b: int) -> dict[str, float]:
    """Return McNemar's χ² of the discordant pairs, without and with Edwards's continuity correction, and their p.

    >>> found = mcnemar_approximations(12, 3)
    >>> round(found["chi2"], 4), round(found["p_chi2"], 5), round(found["chi2_corrected"], 4)
    (5.4, 0.02014, 4.2667)
    """
    from statsmodels.stats.contingency_tables import mcnemar

    if only_a + only_b == 0:
        return {}
    pairs = [[0, only_a], [only_b, 0]]
    plain = mcnemar(pairs, exact=False, correction=False)
    # A correction never moves equal numbers apart, which statsmodels' does.
    corrected = plain if only_a == only_b else mcnemar(pairs, exact=False, correction=True)
    return {
        "chi2": float(plain.statistic),
        "p_chi2": float(plain.pvalue),
        "chi2_corrected": float(corrected.statistic),
        "p_corrected": float(corrected.pvalue),
    }


def fourfold(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return how many pairs succeeded in both, only in the first, only in the second, in neither."""
    return np.array(
        [(first * second).sum(), (first > second).sum(), (first < second).sum(), ((first + second) == 0).sum()],
        dtype=np.int64,
    )

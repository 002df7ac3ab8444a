"""What is computed from counts: the pooled z-test, intervals of proportions and differences, fourfold tables."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt
import scipy

INTERVALS = {"newcombe": "Newcombe's hybrid score interval", "wald": "Wald interval (unpooled standard error)"}
_Z = 1.959963984540054  # the 97.5 % quantile of the normal distribution


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
    pooled = (a.successes + b.successes) / (a.n + b.n)
    if pooled in (0.0, 1.0):
        return float("nan"), float("nan")
    z = (a.p - b.p) / sqrt(pooled * (1 - pooled) * (1 / a.n + 1 / b.n))
    return z, float(2 * scipy.stats.norm.sf(abs(z)))


def wilson(successes: int, n: int) -> tuple[float, float]:
    """Return Wilson's 95 % score interval of one proportion.

    >>> [round(value, 4) for value in wilson(15, 148)]
    [0.0624, 0.1605]
    """
    p = successes / n
    middle = p + _Z**2 / (2 * n)
    half = _Z * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
    below, above = (middle - half) / (1 + _Z**2 / n), (middle + half) / (1 + _Z**2 / n)
    return (0.0 if successes == 0 else below), (1.0 if successes == n else above)


def difference_interval(a: Share, b: Share, how: str) -> tuple[float, float]:
    """Return the 95 % interval of p_a − p_b: `newcombe` or `wald`."""
    difference = a.p - b.p
    if how == "wald":
        half = _Z * sqrt(a.p * (1 - a.p) / a.n + b.p * (1 - b.p) / b.n)
        return difference - half, difference + half
    (low_a, high_a), (low_b, high_b) = wilson(a.successes, a.n), wilson(b.successes, b.n)
    return (
        difference - sqrt((a.p - low_a) ** 2 + (high_b - b.p) ** 2),
        difference + sqrt((high_a - a.p) ** 2 + (b.p - low_b) ** 2),
    )


def mcnemar_approximations(only_a: int, only_b: int) -> dict[str, float]:
    """Return McNemar's χ² of the discordant pairs, without and with Edwards's continuity correction, and their p.

    >>> found = mcnemar_approximations(12, 3)
    >>> round(found["chi2"], 4), round(found["p_chi2"], 5), round(found["chi2_corrected"], 4)
    (5.4, 0.02014, 4.2667)
    """
    discordant = only_a + only_b
    if not discordant:
        return {}
    plain = (only_a - only_b) ** 2 / discordant
    corrected = max(abs(only_a - only_b) - 1, 0) ** 2 / discordant if only_a != only_b else 0.0
    return {
        "chi2": plain,
        "p_chi2": float(scipy.stats.chi2.sf(plain, 1)),
        "chi2_corrected": corrected,
        "p_corrected": float(scipy.stats.chi2.sf(corrected, 1)),
    }


def fourfold(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return how many pairs succeeded in both, only in the first, only in the second, in neither."""
    return np.array(
        [(first * second).sum(), (first > second).sum(), (first < second).sum(), ((first + second) == 0).sum()],
        dtype=np.int64,
    )

"""Compute p values of rank correlations: exact where possible, else by the approximations that R uses."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt
import scipy

from analysis.methods.arrays import Floats

EXACT_UP_TO = 9
EDGEWORTH_BELOW = 1290
KENDALL_EXACT_BELOW = 50


def spearman_p(x: Floats, y: Floats, rho: float) -> tuple[float, str]:
    """Return the two-sided p of Spearman's ρ and the name of what ran.

    n ≤ 9: all n! orders of y (ties included; without ties this is R's exact p). Otherwise without ties and n < 1290
    the Edgeworth series of algorithm AS 89 (Best & Roberts 1975), as R; with ties, more pairs, or where the series
    leaves nothing above zero, t with n − 2 df.

    >>> ranks = np.array([1.0, 2.0, 3.0, 4.0])
    >>> p, method = spearman_p(ranks, np.array([2.0, 1.0, 4.0, 3.0]), 0.6)
    >>> round(p, 6), method
    (0.416667, 'exact')
    """
    n = len(x)
    tied = len(np.unique(x)) < n or len(np.unique(y)) < n
    if n <= EXACT_UP_TO:
        return _permuted(
            scipy.stats.rankdata(x), scipy.stats.rankdata(y)
        ), "exact permutation, with ties" if tied else "exact"
    series = _edgeworth(rho, n) if not tied and n < EDGEWORTH_BELOW else 0.0
    if series > 0:
        return series, "Edgeworth series (AS 89)"
    return t_p(rho, n), "t approximation" + (", with ties" if tied else "")


def kendall_p(x: Floats, y: Floats) -> tuple[float, str]:
    """Return the two-sided p of Kendall's τ-b and the name of what ran: exact for n < 50 without ties, as R."""
    n = len(x)
    tied = len(np.unique(x)) < n or len(np.unique(y)) < n
    if not tied and n < KENDALL_EXACT_BELOW:
        return float(scipy.stats.kendalltau(x, y, method="exact").pvalue), "exact"
    name = "normal approximation" + (", with ties" if tied else "")
    return float(scipy.stats.kendalltau(x, y, method="asymptotic").pvalue), name


def t_p(r: float, n: int) -> float:
    """Return the two-sided p of r by t = r √((n − 2)/(1 − r²)).

    >>> round(t_p(0.43, 32), 3)
    0.014
    """
    if abs(r) >= 1:
        return 0.0
    return float(2 * scipy.stats.t.sf(abs(r) * math.sqrt((n - 2) / (1 - r**2)), n - 2))


@lru_cache(maxsize=16)
def _orders(n: int) -> npt.NDArray[np.intp]:
    return np.array(list(permutations(range(n))), dtype=np.intp)


def _permuted(x: Floats, y: Floats) -> float:
    """Return the share of all orders of y whose correlation with x is at least as far from zero."""
    centred, other = x - x.mean(), y - y.mean()
    products = other[_orders(len(y))] @ centred
    return float((np.abs(products) >= abs(float(other @ centred)) - 1e-9).mean())


def _edgeworth(rho: float, n: int) -> float:
    """Return p by the series of AS 89 for the sum of squared rank differences."""
    total = (n**3 - n) / 3
    s = round((n**3 - n) * (1 - rho) / 6)
    upper = s > total / 2
    # The statistic takes even values: P(S ≥ s) above the middle, P(S ≤ s) = 1 − P(S ≥ s + 2) below it.
    start = s if upper else s + 2
    b = 1 / n
    x = (6 * (start - 1) * b / (n**2 - 1) - 1) * math.sqrt(n - 1)
    y = x * x
    u = (
        x
        * b
        * (
            0.2274
            + b * (0.2531 + 0.1745 * b)
            + y
            * (
                -0.0758
                + b * (0.1033 + 0.3932 * b)
                - y * b * (0.0879 + 0.0151 * b - y * (0.0072 - 0.0831 * b + y * b * (0.0131 - 4.6e-4 * y)))
            )
        )
    )
    tail = u / math.exp(y / 2) + float(scipy.stats.norm.sf(x))
    one_sided = tail if upper else 1 - tail
    return float(min(1.0, max(0.0, 2 * min(1.0, max(0.0, one_sided)))))

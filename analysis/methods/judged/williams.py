"""Williams' test of two correlations with the same variable."""

from __future__ import annotations

import math

import scipy


def williams(r12: float, r13: float, r23: float, n: int) -> tuple[float, float] | None:
    """Return t with n − 3 df and its two-sided p for r12 against r13, which share variable 1; None where undefined.

    t = (r12 − r13) √((n − 1)(1 + r23) / (2 |R| (n − 1)/(n − 3) + (r12 + r13)²/4 · (1 − r23)³)) with the determinant
    |R| = 1 − r12² − r13² − r23² + 2 r12 r13 r23 (Williams 1959; Steiger 1980, equation 7). Not defined for n < 4 and
    where variables 2 and 3 are the same up to a linear change.

    >>> t, p = williams(0.4, 0.5, 0.1, 103)  # psych::r.test in R
    >>> round(t, 2), round(p, 2)
    (-0.89, 0.37)
    """
    if n < 4 or not 1 - abs(r23) > 1e-12:
        return None
    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    below = 2 * determinant * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if below <= 1e-15:
        return None
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return t, float(2 * scipy.stats.t.sf(abs(t), n - 3))

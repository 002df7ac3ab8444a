"""Two one-sided tests of one difference against bounds (TOST; Schuirmann 1987), and its test against zero."""

from __future__ import annotations

from typing import Any

import scipy

from analysis.methods.effects import noncentral

VERDICTS = {
    (True, False): "equivalent",
    (False, True): "different",
    (True, True): "both",
    (False, False): "undecided",
}


def two_one_sided(
    estimate: float, se: float, df: float, *, low: float, high: float, alpha: float, deviation: float | None = None
) -> dict[str, Any]:
    """Return size, t, p_low, p_high, p, ci_low, ci_high, p_difference and verdict of one difference.

    Bounds are in units of the estimate, or, where a standard deviation is given, in these.

    >>> two_one_sided(0.0, 0.1, 23, low=-0.5, high=0.5, alpha=0.05)["verdict"]
    'equivalent'
    """
    t = estimate / se
    if deviation is None:
        size, half = estimate, float(scipy.stats.t.isf(alpha, df)) * se
        interval: tuple[float | None, float | None] = (size - half, size + half)
        p_low = float(scipy.stats.t.sf((estimate - low) / se, df))
        p_high = float(scipy.stats.t.cdf((estimate - high) / se, df))
    else:
        size, one = estimate / deviation, se / deviation
        bounds = noncentral.of_t(t, df, confidence=1 - 2 * alpha)
        interval = (None, None) if bounds is None else (bounds[0] * one, bounds[1] * one)
        # The mirror image keeps the digits of a small p.
        p_low = noncentral.t_below(-t, df, -low / one)
        p_high = noncentral.t_below(t, df, high / one)
    p, p_difference = max(p_low, p_high), float(2 * scipy.stats.t.sf(abs(t), df))
    return {
        "size": size,
        "t": t,
        "p_low": p_low,
        "p_high": p_high,
        "p": p,
        "ci_low": interval[0],
        "ci_high": interval[1],
        "p_difference": p_difference,
        "verdict": VERDICTS[p < alpha, p_difference < alpha],
    }

"""Intervals of noncentrality: all values under which what was found lies in neither tail (Steiger & Fouladi 1997).

An interval of an effect size is that of the noncentrality of its test, put on the scale of the effect size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy

from analysis.methods.wording import percent_text, share_text

Interval = tuple[float, float]

SHARE_OF_F = 0.90
"""The level of intervals of η² and ω²: they leave out zero exactly where F is significant at .05 (Steiger 2004)."""

# So often is a bound doubled before the search gives up; 2^60 is beyond any noncentrality that has digits.
DOUBLINGS = 60

NODES, WEIGHTS = np.polynomial.legendre.leggauss(120)
# So far from its mean a normal variable has a density worth adding; so small a tail of χ² has none.
REACH = 9.0
NEGLIGIBLE = 1e-16


def of_f(f: float, df1: float, df2: float, *, confidence: float = SHARE_OF_F) -> Interval | None:
    """Return the interval of the noncentrality λ of an F, at least 0; None where a bound cannot be computed.

    `confidence` is the level of the two-sided interval. Solves P(F ≤ f | λ) = (1 ± confidence)/2.

    >>> low, high = of_f(5.0, 2, 46)
    >>> round(low, 4), round(high, 4)
    (1.2945, 22.5673)
    """
    tail = (1 - confidence) / 2

    def below(noncentrality: float) -> float:
        return float(scipy.special.ncfdtr(df1, df2, noncentrality, f))

    low = _root(below, 1 - tail, start=0.0, step=max(1.0, f * df1))
    high = _root(below, tail, start=0.0, step=max(1.0, f * df1))
    return None if low is None or high is None else (low, high)


def of_t(t: float, df: float, *, confidence: float = 0.95) -> Interval | None:
    """Return the interval of the noncentrality of a t; None where a bound cannot be computed.

    >>> low, high = of_t(2.5, 23)
    >>> round(low, 4), round(high, 4)
    (0.3886, 4.5636)
    """
    if t < 0:
        mirrored = of_t(-t, df, confidence=confidence)
        return None if mirrored is None else (-mirrored[1], -mirrored[0])
    tail = (1 - confidence) / 2

    def below(noncentrality: float) -> float:
        return t_below(t, df, noncentrality)

    # Below −8 hardly any t is positive, so that no lower bound lies there.
    low = _root(below, 1 - tail, start=-8.0, step=8.0 + t)
    high = _root(below, tail, start=-8.0, step=8.0 + t)
    return None if low is None or high is None else (low, high)


def t_below(t: float, df: float, noncentrality: float) -> float:
    """Return the probability of a t no larger than `t`, for a noncentrality.

    T = (z + δ)/s with z normal and s² = χ²/df; integrated over that of the two in which the integrand is smooth
    (SciPy's nctdtr has no value at some places).

    >>> round(t_below(3.0, 23, 2.5), 7), round(t_below(-3.0, 23.4, -2.0), 7)
    (0.6651828, 0.1875234)
    """
    if t < 0:
        return 1 - t_below(-t, df, -noncentrality)
    if t * t <= 2 * df:
        low, high = (math.sqrt(scipy.special.chdtri(df, share) / df) for share in (1 - NEGLIGIBLE, NEGLIGIBLE))
        s = (low + high) / 2 + (high - low) / 2 * NODES
        log_density = (df - 1) * np.log(s) - df * s**2 / 2 + df / 2 * math.log(df / 2) - math.lgamma(df / 2)
        values = 2 * np.exp(log_density) * scipy.special.ndtr(t * s - noncentrality)
        return float(np.clip((high - low) / 2 * WEIGHTS @ values, 0, 1))
    low, high = max(-REACH, -noncentrality), max(REACH, -noncentrality)
    z = (low + high) / 2 + (high - low) / 2 * NODES
    beyond = scipy.special.chdtrc(df, df * ((z + noncentrality) / t) ** 2)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    return float(np.clip(scipy.special.ndtr(-noncentrality) + (high - low) / 2 * WEIGHTS @ (density * beyond), 0, 1))


def partial_eta2_text(line: Mapping[str, Any]) -> str:
    """Return partial η² (`pes`) with its interval (`pes_low`, `pes_high`) as they follow a test, where there are any.

    >>> partial_eta2_text({"pes": 0.25, "pes_low": 0.1, "pes_high": 0.4}), partial_eta2_text({"pes": None})
    (', ηp² = .25, 90 % CI [.10, .40]', '')
    """
    if line.get("pes") is None:
        return ""
    if line.get("pes_low") is None:
        return f", ηp² = {share_text(line['pes'])}"
    interval = f"[{share_text(line['pes_low'])}, {share_text(line['pes_high'])}]"
    return f", ηp² = {share_text(line['pes'])}, {percent_text(SHARE_OF_F)} CI {interval}"


def _root(below: Callable[[float], float], target: float, *, start: float, step: float) -> float | None:
    """Return where a falling probability reaches its target, or `start` where it is lower from there on."""
    at_start = below(start)
    if not math.isfinite(at_start):
        return None
    if at_start <= target:
        return start
    for _ in range(DOUBLINGS):
        value = below(start + step)
        if not math.isfinite(value):
            return None
        if value < target:
            return float(
                scipy.optimize.brentq(lambda at: below(at) - target, start, start + step, xtol=1e-10, rtol=1e-12)
            )
        step *= 2
    return None

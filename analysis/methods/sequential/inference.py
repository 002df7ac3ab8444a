"""Estimate an effect on which a sequential plan has decided, with its interval and p.

A study that stops when an effect is large overestimates it. By the stage-wise ordering (Tsiatis, Rosner & Mehta, 1984)
a result is the more extreme the earlier its boundary was crossed, and at the same look the larger its statistic. With
F(θ) the probability of a result at least as large as the one found, where the effect is θ, the interval lies between
the θ of F = α/2 and of F = 1 − α/2, the median-unbiased estimate is that of F = 1/2, and the two-sided p is
2 min(F(0), 1 − F(0)).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.sequential.boundaries import Look
from analysis.methods.sequential.crossing import FAR, Staying

# How far from the estimate the interval is looked for, in standard errors.
WIDEST = 40.0


@dataclass(frozen=True)
class Adjusted:
    """The median-unbiased estimate with its interval, and the two-sided p, all by the stage-wise ordering."""

    estimate: float
    low: float
    high: float
    p: float


@dataclass(frozen=True)
class Found:
    """What the analysis of the last look found: the estimate, its standard error and degrees of freedom.

    `before` are the looks that were made without stopping, `share` the share of the information at this one. Only where
    df are infinite is everything exact: with few of them the statistic of this look is taken for a normal one with the
    same p, so that without a look before the interval is that of the t test.
    """

    estimate: float
    se: float
    df: float
    before: Sequence[Look]
    share: float
    # Whether a look may also stop the study below; not so in one-sided plans, which other software has.
    is_two_sided: bool = True

    def at_least_as_large(self, effect: float) -> float:
        """Return the probability of this result or one that is further up, where the effect is `effect`."""
        # Everything about a drift of zero, so the bounds are what moves.
        drift = effect / (self.se * np.sqrt(self.share))
        staying, total = Staying.begun(), 0.0
        shares = [*(look.share for look in self.before), self.share]
        for look, following in zip(self.before, shares[1:], strict=True):
            moved, bound = drift * look.share, look.boundary * np.sqrt(look.share)
            total += staying.above(bound - moved, look.share)
            below = -bound - moved if self.is_two_sided else -np.inf
            staying = staying.within(below, bound - moved, look.share, following=following)
        statistic = self._as_normal((self.estimate - effect) / self.se)
        return total + staying.above(statistic * np.sqrt(self.share), self.share)

    def adjusted(self, *, confidence: float = 0.95) -> Adjusted:
        """Return what the looks before make of the result."""
        tail = (1 - confidence) / 2
        upwards = self.at_least_as_large(0.0)
        return Adjusted(
            estimate=self._effect_of(0.5),
            low=self._effect_of(tail),
            high=self._effect_of(1 - tail),
            p=float(min(1.0, 2 * min(upwards, 1 - upwards))),
        )

    def _effect_of(self, probability: float) -> float:
        """Return the effect at which a result at least as large as this one has this probability; it rises with it."""

        def missing(steps: float) -> float:
            return self.at_least_as_large(self.estimate + steps * self.se) - probability

        reach = 4.0
        while reach < WIDEST and not missing(-reach) < 0 < missing(reach):
            reach *= 2
        if not missing(-reach) < 0 < missing(reach):
            return float("nan")
        return float(self.estimate + self.se * scipy.optimize.brentq(missing, -reach, reach, xtol=1e-10))

    def _as_normal(self, t: float) -> float:
        """Return the normal value with the same tail as a value of t."""
        if not np.isfinite(self.df):
            return t
        z = -scipy.special.ndtri(scipy.special.stdtr(self.df, -abs(t)))
        return float(np.sign(t) * min(z, 4 * FAR))

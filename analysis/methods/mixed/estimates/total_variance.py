"""Compute d of a difference by the total variance of a linear mixed model.

    d = difference / √V,  V = σ² + Σ mean over the rows of z'Σz

V is what a single observation varies by around the mean of its condition: people, items, their slopes, and the residual
(Westfall, Kenny & Judd 2014, where two conditions are coded −1 and 1; Brysbaert & Stevens 2018). It does not depend on
the coding of factors. With g the derivative of V by (θ, σ) and A as in `satterthwaite`, V has 2V²/(g'Ag) degrees of
freedom, and

    var d = var(difference)/V + d²/(2 df)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.mixed.estimates.interfaces import Tested
from analysis.methods.mixed.estimates.satterthwaite import Fitted


@dataclass(frozen=True)
class Total:
    """The total variance of a measure with its degrees of freedom."""

    variance: float
    df: float

    def effect(self, tested: Tested, *, confidence: float) -> dict[str, float]:
        """Return d of a difference with its interval, by the t distribution with the degrees of freedom of its test.

        >>> found = Total(4.0, 50.0).effect(Tested(1.0, 0.25, 40.0, 4.0, 0.0003), confidence=0.95)
        >>> {name: round(value, 3) for name, value in found.items()}
        {'d': 0.5, 'd_low': 0.228, 'd_high': 0.772}
        """
        if not self.variance > 0:
            return {}
        d = tested.estimate / float(np.sqrt(self.variance))
        se = float(np.sqrt(tested.se**2 / self.variance + d**2 / (2 * self.df)))
        half = float(scipy.stats.t.isf((1 - confidence) / 2, tested.df)) * se
        return {"d": d, "d_low": d - half, "d_high": d + half}


def total_of(fit: Fitted) -> Total:
    """Return the total variance of the measure of a fit."""
    sigma = fit.optimum.sigma
    weights = [
        np.asarray(columns.T @ columns) / fit.prepared.n
        for columns in (g.columns / s for g, s in zip(fit.prepared.groups, fit.prepared.scales, strict=True))
    ]
    along = [w @ factor for w, factor in zip(weights, fit.lambdas, strict=True)]
    random = sum(float((factor * one).sum()) for factor, one in zip(fit.lambdas, along, strict=True))
    variance = sigma**2 * (1 + random)
    slope = np.array(
        [
            *(
                2 * sigma**2 * sum(along[p.group][one.row, one.column] for one in p.elements)
                for p in fit.optimum.places
            ),
            2 * variance / sigma,
        ]
    )
    uncertainty = float(slope @ fit.spread @ slope)
    df = 2 * variance**2 / uncertainty if uncertainty > 0 else float("inf")
    return Total(variance * fit.prepared.unit**2, df)

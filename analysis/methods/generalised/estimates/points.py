"""Compute means of ordered categories in points: the expected category, averaged over the cells of a mean.

With values v_1 < … < v_m of the categories and thresholds α_k, a cell with linear predictor η has the expected value

    v_m − Σ_k (v_{k+1} − v_k) P(y ≤ k),  logit P(y ≤ k) = α_k − η

for people and items with average effects; standard errors by the delta method (`mode = "mean.class"` of emmeans).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.mixed.estimates.means import Mean
from analysis.methods.mixed.reported.declared import POINTS
from analysis.methods.report import Column


@dataclass(frozen=True)
class Points:
    """Means of a cumulative model in points; `values` are those of its categories, lowest first."""

    fit: Fitted
    values: Floats

    @property
    def columns(self) -> tuple[Column, ...]:
        """Return the columns of a mean in points."""
        return POINTS

    @property
    def covariance(self) -> Floats:
        """Return the covariance matrix of the fixed effects and the thresholds."""
        return self.fit.joint

    def of(self, mean: Mean) -> tuple[float, Floats]:
        """Return the mean in points and its derivative by the fixed effects and the thresholds."""
        steps, thresholds = np.diff(self.values), self.fit.extra
        eta = mean.cells @ self.fit.beta + thresholds.mean()
        below = scipy.special.expit(thresholds - eta[:, None])
        steep = steps * below * (1 - below)
        by_eta = steep.sum(axis=1)
        by_threshold = by_eta.mean() / len(thresholds) - steep.mean(axis=0)
        value = float(self.values[-1] - (below @ steps).mean())
        return value, np.concatenate([by_eta @ mean.cells / len(eta), by_threshold])

    def line(self, mean: Mean, *, confidence: float) -> dict[str, float]:
        """Return a mean with its standard error and interval by the columns of tables; nothing without an estimate."""
        if mean.weights is None:
            return {}
        value, slope = self.of(mean)
        se = float(np.sqrt(max(float(slope @ self.covariance @ slope), 0.0)))
        half = float(scipy.stats.norm.isf((1 - confidence) / 2)) * se
        return dict(zip((c.name for c in self.columns), (value, se, value - half, value + half), strict=True))


def values_of(labels: Sequence[str]) -> Floats:
    """Return the values of categories: their numbers where all are numbers that rise, else 1, 2, 3 …

    >>> values_of(["1", "2", "4"]).tolist(), values_of(["never", "always"]).tolist()
    ([1.0, 2.0, 4.0], [1.0, 2.0])
    """
    counted = np.arange(1, len(labels) + 1, dtype=np.float64)
    try:
        found = np.array([float(label) for label in labels])
    except ValueError:
        return counted
    return found if bool(np.isfinite(found).all() and (np.diff(found) > 0).all()) else counted

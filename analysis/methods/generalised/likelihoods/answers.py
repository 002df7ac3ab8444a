"""What a row says: its log likelihood as a function of its linear predictor, with the derivatives that Laplace needs.

Binomial counts with a logit link, and ordered categories with cumulative logits:

    P(y ≤ k) = 1 / (1 + exp(−(α_k − η)))

With h = α_y − η and l = α_(y−1) − η the probability of a category is σ(h) σ(−l) (1 − exp(l − h)), whose last factor
does not depend on η. So the derivatives with respect to η are those of two logits, and no difference of two nearly
equal probabilities is ever formed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import scipy

from analysis.methods.arrays import Floats, Integers


@dataclass(frozen=True)
class Derivatives:
    """At a linear predictor η (n): Σℓ, and per row ℓ′, the weight w = −ℓ″ and its derivative w′.

    For the extra parameters τ (thresholds, q of them): ∂Σℓ/∂τ (q), ∂ℓ′/∂τ and ∂w/∂τ (n × q).
    """

    value: float
    slope: Floats
    weight: Floats
    weight_slope: Floats
    extra_value: Floats
    extra_slope: Floats
    extra_weight: Floats

    @classmethod
    def plain(cls, value: float, slope: Floats, weight: Floats, weight_slope: Floats) -> Derivatives:
        """Return the derivatives where there are no extra parameters."""
        none = np.zeros((len(slope), 0))
        return cls(value, slope, weight, weight_slope, np.zeros(0), none, none)


class Likelihood(Protocol):
    """The log likelihood of all rows."""

    def at(self, eta: Floats, extra: Floats) -> Derivatives | None:
        """Return the derivatives, or None where the extra parameters are not allowed."""


@dataclass(frozen=True)
class Binomial:
    """`successes` of `trials` in every row, with a logit link.

    >>> made = Binomial(np.array([1.0, 0.0]), np.ones(2)).at(np.zeros(2), np.zeros(0))
    >>> round(made.value, 6), made.slope.tolist(), made.weight.tolist()
    (-1.386294, [0.5, -0.5], [0.25, 0.25])
    """

    successes: Floats
    trials: Floats

    def at(self, eta: Floats, extra: Floats) -> Derivatives | None:
        """Return the derivatives at a linear predictor."""
        share = scipy.special.expit(eta)
        weight = self.trials * share * scipy.special.expit(-eta)
        value = float((self.successes * eta - self.trials * np.logaddexp(0.0, eta)).sum()) + self.constant
        return Derivatives.plain(value, self.successes - self.trials * share, weight, weight * (1 - 2 * share))

    @property
    def constant(self) -> float:
        """Return the logarithm of the binomial coefficients, which R counts as part of the likelihood."""
        if float(self.trials.max(initial=0.0)) <= 1:
            return 0.0
        n, y = self.trials, self.successes
        return float(
            (scipy.special.gammaln(n + 1) - scipy.special.gammaln(y + 1) - scipy.special.gammaln(n - y + 1)).sum()
        )


@dataclass(frozen=True)
class Cumulative:
    """Ordered categories with cumulative logits.

    `category` is 0 … K − 1. Thresholds are linear in τ: that of a row above category k is `design[k] @ τ` where
    `spread` is None. With `spread` (n × r: columns whose effect may differ between thresholds) τ holds K − 1
    thresholds, then K − 2 blocks of r: how the effects at every later threshold differ from those at the first.

    >>> made = Cumulative(np.array([0, 1, 2]), 3).at(np.zeros(3), np.array([-1.0, 1.0]))
    >>> round(float(np.exp(made.value)), 6)
    0.033425
    """

    category: Integers
    count: int
    spread: Floats | None = None

    def at(self, eta: Floats, extra: Floats) -> Derivatives | None:
        """Return the derivatives, or None where the two thresholds of a row are not in order."""
        above, below = self._designs()
        has_above, has_below = self.category < self.count - 1, self.category > 0
        upper = np.where(has_above, above @ extra, np.inf)
        lower = np.where(has_below, below @ extra, -np.inf)
        gap = upper - lower
        if not bool((gap > 0).all()):
            return None
        h, low = upper - eta, lower - eta
        in_h, in_low = scipy.special.expit(h), scipy.special.expit(low)
        steep_h, steep_low = in_h * scipy.special.expit(-h), in_low * scipy.special.expit(-low)
        bent_h, bent_low = steep_h * (1 - 2 * in_h), steep_low * (1 - 2 * in_low)
        value = scipy.special.log_expit(h) + scipy.special.log_expit(-low) + np.log(-np.expm1(-gap))
        between = has_above & has_below
        narrow = np.where(between, 1 / np.expm1(np.where(between, gap, 1.0)), 0.0)
        by_upper, by_lower = scipy.special.expit(-h) + narrow, -in_low - narrow
        return Derivatives(
            value=float(value.sum()),
            slope=in_low - scipy.special.expit(-h),
            weight=steep_h + steep_low,
            weight_slope=-(bent_h + bent_low),
            extra_value=by_upper @ above + by_lower @ below,
            extra_slope=steep_h[:, None] * above + steep_low[:, None] * below,
            extra_weight=bent_h[:, None] * above + bent_low[:, None] * below,
        )

    def _designs(self) -> tuple[Floats, Floats]:
        """Return what multiplies τ in the threshold above and below every row; zeros where there is none."""
        size = self.count - 1
        made = []
        for place in (self.category, self.category - 1):
            known = (place >= 0) & (place < size)
            thresholds = np.zeros((len(place), size))
            thresholds[np.flatnonzero(known), place[known]] = 1.0
            if self.spread is not None:
                later = [thresholds[:, [k]] * self.spread for k in range(1, size)]
                thresholds = np.hstack([thresholds, *later])
            made.append(thresholds)
        return made[0], made[1]


def start(likelihood: Cumulative) -> Floats:
    """Return the thresholds of the shares of all categories.

    >>> start(Cumulative(np.array([0, 0, 1, 1]), 2)).tolist()
    [0.0]
    """
    counts = np.bincount(likelihood.category, minlength=likelihood.count)
    return np.asarray(scipy.special.logit(np.cumsum(counts)[:-1] / counts.sum()))


@dataclass(frozen=True)
class Centred:
    """A cumulative likelihood whose thresholds have a mean of zero, for models with an intercept in η.

    τ are all of its `thresholds` but the last.

    >>> free, centred = Cumulative(np.array([0, 1, 2]), 3), Centred(Cumulative(np.array([0, 1, 2]), 3), 2)
    >>> eta = np.array([0.0, 0.5, 1.0])
    >>> centred.at(eta, np.array([-1.0])).value == free.at(eta, np.array([-1.0, 1.0])).value
    True
    """

    likelihood: Likelihood
    thresholds: int

    def at(self, eta: Floats, extra: Floats) -> Derivatives | None:
        """Return the derivatives, or None where thresholds are not in order."""
        basis = self.basis(self.thresholds)
        found = self.likelihood.at(eta, basis @ extra)
        if found is None:
            return None
        return replace(
            found,
            extra_value=found.extra_value @ basis,
            extra_slope=found.extra_slope @ basis,
            extra_weight=found.extra_weight @ basis,
        )

    @staticmethod
    def basis(thresholds: int) -> Floats:
        """Return what turns τ into thresholds.

        >>> Centred.basis(3).tolist()
        [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]]
        """
        return np.vstack([np.eye(thresholds - 1), -np.ones((1, thresholds - 1))])

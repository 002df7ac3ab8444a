"""Counts with a log link: Poisson, and the negative binomial with variance μ + μ²/θ (NB2).

μ = exp(η) times the exposure of the row. With α = 1/θ, which is 0 for a Poisson count, and the gamma functions of y + θ
and θ written as a product,

    ℓ = Σ_{j<y} ln(1 + jα) + y ln μ − (y + θ) ln(1 + μα) − ln y!

loses no digits however large θ is. The extra parameter is τ = ln θ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.generalised.likelihoods.answers import Derivatives

# Third powers of ratios of such numbers are still numbers.
LARGEST = 1e50


@dataclass(frozen=True)
class _Counts:
    """Whole numbers with an offset of the linear predictor each."""

    counts: Floats
    offset: Floats

    @cached_property
    def factorials(self) -> float:
        """Return Σ ln y!."""
        return float(scipy.special.gammaln(self.counts + 1).sum())


@dataclass(frozen=True)
class Poisson(_Counts):
    """`counts` (whole numbers) with an `offset` of the linear predictor each: the logarithm of the exposure.

    >>> made = Poisson(np.array([2.0, 0.0]), np.zeros(2)).at(np.zeros(2), np.zeros(0))
    >>> round(made.value, 6), made.slope.tolist(), made.weight.tolist()
    (-2.693147, [1.0, -1.0], [1.0, 1.0])
    """

    def at(self, eta: Floats, extra: Floats) -> Derivatives | None:
        """Return the derivatives at a linear predictor, None where a mean is beyond numbers."""
        with np.errstate(over="ignore"):
            mu = np.exp(eta + self.offset)
        if not bool((mu < LARGEST).all()):
            return None
        value = float((self.counts * (eta + self.offset) - mu).sum()) - self.factorials
        return Derivatives.plain(value, self.counts - mu, mu, mu)


@dataclass(frozen=True)
class NegativeBinomial(_Counts):
    """`counts` with an `offset` each; τ is the logarithm of θ.

    >>> made = NegativeBinomial(np.array([2.0]), np.zeros(1)).at(np.zeros(1), np.array([np.log(3.0)]))
    >>> round(float(np.exp(made.value)), 9), round(6 * 0.75**3 * 0.25**2, 9)
    (0.158203125, 0.158203125)
    """

    def at(self, eta: Floats, extra: Floats) -> Derivatives | None:
        """Return the derivatives, or None where a mean or θ is beyond numbers."""
        with np.errstate(over="ignore"):
            mu = np.exp(eta + self.offset)
            theta = float(np.exp(extra[0]))
        if not bool((mu < LARGEST).all()) or not 1 / LARGEST < theta < LARGEST:
            return None
        y, alpha = self.counts, 1 / theta
        apart = 1 + mu * alpha
        logs = np.log1p(mu * alpha)
        steps, larger = self.steps
        value = larger @ np.log1p(steps * alpha) + (y * (eta + self.offset) - (y + theta) * logs).sum()
        by_theta = (
            -(larger @ (steps * alpha / (1 + steps * alpha))) + ((y + theta) * mu * alpha / apart - theta * logs).sum()
        )
        return Derivatives(
            value=float(value) - self.factorials,
            slope=(y - mu) / apart,
            weight=mu * (1 + y * alpha) / apart**2,
            weight_slope=mu * (1 + y * alpha) * (1 - mu * alpha) / apart**3,
            extra_value=np.array([by_theta]),
            extra_slope=((y - mu) * mu * alpha / apart**2)[:, None],
            extra_weight=(-alpha * mu * (y - 2 * mu - y * mu * alpha) / apart**3)[:, None],
        )

    @cached_property
    def steps(self) -> tuple[Floats, Floats]:
        """Return j = 1, 2, … below the largest count, and how many counts are larger than each.

        >>> NegativeBinomial(np.array([0.0, 3.0, 2.0]), np.zeros(3)).steps
        (array([1., 2.]), array([2., 1.]))
        """
        frequencies = np.bincount(self.counts.astype(np.intp))
        larger = len(self.counts) - np.cumsum(frequencies)
        return np.arange(1.0, len(frequencies) - 1), larger[1 : len(frequencies) - 1].astype(np.float64)

"""Positive times: gamma (variance φμ²) and inverse Gaussian (variance φμ³), with a log or an identity link.

With the shape s = 1/φ a row says s k(μ) + f(s), where

    gamma               k = −y/μ − ln μ             f = s ln s + (s − 1) ln y − ln Γ(s)
    inverse Gaussian    k = −(y − μ)² / (2μ²y)      f = ½ ln s − ½ ln(2πy³)

(for gamma plus s ln y, which is in f). The extra parameter is τ = ln s. With a log link times may be in any unit; with
an identity link they come divided by `unit`, which the value takes account of.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.generalised.likelihoods.answers import Derivatives
from analysis.methods.mixed.estimates.scales import GAMMA, LOG


@dataclass(frozen=True)
class Times:
    """Times of a family with a link; τ is the logarithm of the shape.

    >>> made = Times(np.array([2.0]), "gamma", "log").at(np.zeros(1), np.zeros(1))  # exponential with mean 1
    >>> round(made.value, 9), made.slope.tolist(), made.weight.tolist()
    (-2.0, [1.0], [2.0])
    """

    times: Floats
    family: str
    link: str
    unit: float = 1.0

    def at(self, eta: Floats, extra: Floats) -> Derivatives | None:
        """Return the derivatives, or None where a mean is not positive or anything beyond numbers."""
        with np.errstate(over="ignore", under="ignore"):
            mu = np.exp(eta) if self.link == LOG else eta
            shape = float(np.exp(extra[0]))
        if not bool((mu > 1e-100).all()) or not bool((mu < 1e100).all()) or not 1e-12 < shape < 1e15:
            return None
        y = self.times
        if self.family == GAMMA:
            k = -y / mu - np.log(mu)
            first, second, third = (y - mu) / mu**2, (mu - 2 * y) / mu**3, (6 * y - 2 * mu) / mu**4
            alone = len(y) * (shape * np.log(shape) - float(scipy.special.gammaln(shape))) + (shape - 1) * self.logs
            by_shape = len(y) * (np.log(shape) + 1 - float(scipy.special.digamma(shape))) + self.logs
        else:
            k = -((y - mu) ** 2) / (2 * mu**2 * y)
            first, second, third = (y - mu) / mu**3, (2 * mu - 3 * y) / mu**4, (12 * y - 6 * mu) / mu**5
            alone = len(y) / 2 * (np.log(shape) - np.log(2 * np.pi)) - 1.5 * self.logs
            by_shape = len(y) / (2 * shape)
        if self.link == LOG:
            bent = mu**3 * third + 3 * mu**2 * second + mu * first
            first, second, third = mu * first, mu**2 * second + mu * first, bent
        slope, weight = shape * first, -shape * second
        return Derivatives(
            value=float(shape * k.sum() + alone) - len(y) * float(np.log(self.unit)),
            slope=slope,
            weight=weight,
            weight_slope=-shape * third,
            extra_value=np.array([shape * (float(k.sum()) + by_shape)]),
            extra_slope=slope[:, None],
            extra_weight=weight[:, None],
        )

    @cached_property
    def logs(self) -> float:
        """Return Σ ln y."""
        return float(np.log(self.times).sum())

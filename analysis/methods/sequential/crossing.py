"""Compute the probabilities that a test statistic of several looks stays between its bounds, or crosses them.

Z₁ … Z_K at the shares of information t₁ < … < t_K are jointly normal with Var Z = 1 and cov(Z_j, Z_k) = √(t_j/t_k) (the
canonical joint distribution; Jennison & Turnbull, 2000, chapter 3). So S_k = Z_k √t_k has independent increments of
variance t_k − t_{k−1}, and the density of S_k among those who were never outside follows from that of S_{k−1} by one
integral (Armitage, McPherson & Rowe, 1969), here by Gauss-Legendre quadrature.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy

from analysis.methods.arrays import Floats

# Beyond this many standard deviations there is nothing to integrate: P(|Z| > 9) = 2e-19.
FAR = 9.0
FEWEST_NODES, MOST_NODES, NODES_PER_SD = 80, 1600, 6


@dataclass(frozen=True)
class Staying:
    """S at a share of information among those who have stayed: `mass` at `nodes`; its sum is the probability."""

    share: float
    nodes: Floats
    mass: Floats

    @classmethod
    def begun(cls) -> Staying:
        """Return S before any data: 0 for certain."""
        return cls(0.0, np.zeros(1), np.ones(1))

    def above(self, bound: float, share: float) -> float:
        """Return the probability of having stayed and of S ≥ `bound` at `share`."""
        return float(self.mass @ scipy.special.ndtr((self.nodes - bound) / np.sqrt(share - self.share)))

    def below(self, bound: float, share: float) -> float:
        """Return the probability of having stayed and of S ≤ `bound` at `share`."""
        return float(self.mass @ scipy.special.ndtr((bound - self.nodes) / np.sqrt(share - self.share)))

    def within(self, low: float, high: float, share: float, *, following: float) -> Staying:
        """Return S at `share` among those who stay between the bounds; `following` is the share of the next look."""
        sd = np.sqrt(share - self.share)
        low = max(low, float(self.nodes.min()) - FAR * sd)
        high = min(high, float(self.nodes.max()) + FAR * sd)
        if high <= low:
            return Staying(share, np.zeros(1), np.zeros(1))
        narrowest = min(sd, np.sqrt(following - share))
        number = int(np.clip(NODES_PER_SD * (high - low) / narrowest, FEWEST_NODES, MOST_NODES))
        points, weights = _gauss_legendre(-(-number // 40) * 40)
        nodes = low + (high - low) * (points + 1) / 2
        steps = (nodes[:, None] - self.nodes[None, :]) / sd
        density = np.exp(-(steps**2) / 2) @ self.mass / (sd * np.sqrt(2 * np.pi))
        return Staying(share, nodes, density * weights * (high - low) / 2)


@cache
def _gauss_legendre(number: int) -> tuple[Floats, Floats]:
    points, weights = np.polynomial.legendre.leggauss(number)
    return points, weights

"""Standard errors and intervals of the probabilities of categories from log odds against a baseline.

With p_k = exp(η_k) / Σ exp(η_j) the derivative of p_k by η_j is p_k (δ_kj − p_j) (delta method, as `emmeans` with
mode = "prob"); intervals are symmetric in the log odds of p_k, so that they stay between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from analysis.methods.arrays import Floats


def standard_errors(shares: Floats, covariance: Floats) -> Floats:
    """Return the standard errors of all probabilities, the baseline first; `covariance` is that of the log odds.

    >>> shares = np.array([0.5, 0.3, 0.2])
    >>> counts = 100 * shares
    >>> covariance = np.diag(1 / counts[1:]) + 1 / counts[0]
    >>> [round(float(se), 4) for se in standard_errors(shares, covariance)]  # √(p(1 − p)/n)
    [0.05, 0.0458, 0.04]
    """
    slopes = np.diag(shares)[:, 1:] - np.outer(shares, shares[1:])
    return np.asarray(np.sqrt(np.maximum(np.einsum("kj,jl,kl->k", slopes, covariance, slopes), 0.0)))


def interval(share: float, se: float, *, confidence: float) -> tuple[float, float]:
    """Return the interval of a probability strictly between 0 and 1.

    >>> [round(end, 3) for end in interval(0.5, 0.05, confidence=0.95)]
    [0.403, 0.597]
    """
    centre = float(scipy.special.logit(share))
    half = float(scipy.stats.norm.isf((1 - confidence) / 2)) * se / (share * (1 - share))
    return float(scipy.special.expit(centre - half)), float(scipy.special.expit(centre + half))


def covariance_of(own: Sequence[Floats], crossed: dict[tuple[int, int], Floats], weights: Sequence[Floats]) -> Floats:
    """Return the covariance matrix of contrasts of several models, one of each: `own` are the covariances of their
    fixed effects, `crossed` those of the pairs j < k.
    """
    size = len(own)
    found = np.zeros((size, size))
    for j in range(size):
        found[j, j] = weights[j] @ own[j] @ weights[j]
        for k in range(j + 1, size):
            found[j, k] = found[k, j] = weights[j] @ crossed[j, k] @ weights[k]
    return found

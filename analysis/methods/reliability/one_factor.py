"""Fit a one-factor model, Σ = λλ′ + Ψ, by maximum likelihood, and compute McDonald's ω from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats

SMALLEST = 0.005
"""The smallest uniqueness that a standardised item may have; R's `factanal` has the same."""


@dataclass(frozen=True)
class OneFactor:
    """Standardised loadings and uniquenesses, and how well one factor fits.

    `at_bound` says which uniquenesses stand at their smallest value (a Heywood case).
    """

    loadings: Floats
    uniquenesses: Floats
    chi2: float
    df: int
    p: float
    converged: bool
    at_bound: tuple[bool, ...]


def one_factor(correlations: Floats, *, people: int) -> OneFactor | None:
    """Return the one-factor model of a k × k matrix of correlations, k ≥ 3; None where the matrix is singular.

    Minimises log|Σ| + tr(RΣ⁻¹) − log|R| − k over the uniquenesses, the loadings being the first eigenvector of
    Ψ^−½ R Ψ^−½ (Jöreskog 1967, *Psychometrika* 32, 443–482). χ² = (n − 1 − (2k + 5)/6 − 2/3) times the minimum, with
    Bartlett's correction, on k(k − 3)/2 degrees of freedom.
    """
    k = len(correlations)
    if np.linalg.eigvalsh(correlations)[0] < 1e-10:
        return None
    start = np.clip((1 - 0.5 / k) / np.diag(np.linalg.inv(correlations)), SMALLEST, 1.0)
    found = scipy.optimize.minimize(
        _objective,
        start,
        args=(correlations,),
        jac=True,
        method="L-BFGS-B",
        bounds=[(SMALLEST, 1.0)] * k,
        options={"maxiter": 2_000, "ftol": 1e-15, "gtol": 1e-9},
    )
    uniquenesses = np.asarray(found.x, dtype=float)
    df = k * (k - 3) // 2
    minimum = max(0.0, float(found.fun))
    chi2 = (people - 1 - (2 * k + 5) / 6 - 2 / 3) * minimum
    p = float(scipy.stats.chi2.sf(chi2, df)) if df > 0 else float("nan")
    at_bound = tuple(bool(value <= SMALLEST * 1.001) for value in uniquenesses)
    return OneFactor(_loadings(uniquenesses, correlations), uniquenesses, chi2, df, p, bool(found.success), at_bound)


def _objective(uniquenesses: Floats, correlations: Floats) -> tuple[float, Floats]:
    """Return the discrepancy for these uniquenesses with the best loadings, and its gradient."""
    scale = 1 / np.sqrt(uniquenesses)
    values = np.linalg.eigvalsh(correlations * np.outer(scale, scale))
    rest = values[:-1]
    loadings = _loadings(uniquenesses, correlations)
    implied = np.outer(loadings, loadings) + np.diag(uniquenesses)
    gradient = np.diag(implied - correlations) / uniquenesses**2
    return float(np.sum(rest - np.log(rest) - 1)), gradient


def _loadings(uniquenesses: Floats, correlations: Floats) -> Floats:
    scale = 1 / np.sqrt(uniquenesses)
    values, vectors = np.linalg.eigh(correlations * np.outer(scale, scale))
    loadings = np.sqrt(uniquenesses) * vectors[:, -1] * np.sqrt(max(values[-1] - 1, 0.0))
    return np.asarray(loadings if loadings.sum() >= 0 else -loadings)


def rmsea(model: OneFactor, *, people: int) -> float:
    """Return the root mean square error of approximation, √(max(χ² − df, 0)/(df (n − 1))) (Steiger 1990).

    >>> round(rmsea(OneFactor(np.ones(4), np.ones(4), 12.0, 2, 0.0025, True, (False,) * 4), people=101), 4)
    0.2236
    """
    return float(np.sqrt(max(model.chi2 - model.df, 0.0) / (model.df * (people - 1))))


def omega(loadings: Floats, uniquenesses: Floats, spread: Floats | None = None) -> float:
    """Return McDonald's ω total of the sum of the items, (Σλ)² / ((Σλ)² + Σψ).

    `spread` are the standard deviations of the items as they were answered, where the sum is of these; without them
    the sum is of standardised items. McDonald (1999), *Test Theory*, chapter 6.

    >>> omega(np.array([0.6, 0.6, 0.6]), np.array([0.64, 0.64, 0.64]))
    0.627906976744186
    """
    sd = np.ones(len(loadings)) if spread is None else spread
    common = float((loadings * sd).sum()) ** 2
    return common / (common + float((uniquenesses * sd**2).sum()))

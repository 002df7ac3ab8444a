"""Compute marginal and conditional R² of a mixed model (Nakagawa & Schielzeth 2013)."""

from __future__ import annotations

import math

import numpy as np

from analysis.methods.mixed.estimates.interfaces import Estimates

LOGISTIC_VARIANCE = math.pi**2 / 3
"""The variance of the logistic distribution, which is that of a single observation on the logit scale."""

NOTE_OF_R2 = (
    "R² is after Nakagawa and Schielzeth (2013): marginal for the fixed effects, conditional for fixed and random "
    "effects together; random slopes count with their mean variance over the rows (Johnson 2014)"
)


def explained(fit: Estimates, *, residual: float) -> dict[str, float | None]:
    """Return `r2_marginal` and `r2_conditional` of a fit whose single observations have the variance `residual`.

    With σ_f² the variance of the fixed part Xβ over the rows and σ_r² the mean over the rows of z'Σz, over all groups:
    R²_m = σ_f² / (σ_f² + σ_r² + residual), R²_c = (σ_f² + σ_r²) / (σ_f² + σ_r² + residual) (Nakagawa, Johnson &
    Schielzeth 2017).
    """
    predicted = fit.design.fixed.values[:, list(fit.prepared.kept)] @ fit.beta
    fixed = float(predicted.var(ddof=1)) if len(predicted) > 1 else 0.0
    random = sum(
        float(np.einsum("np,pq,nq->n", group.columns, covariance, group.columns).mean())
        for group, covariance in zip(fit.prepared.groups, fit.random_covariances(), strict=True)
    )
    total = fixed + random + residual
    if not total > 0:
        return {"r2_marginal": None, "r2_conditional": None}
    return {"r2_marginal": fixed / total, "r2_conditional": (fixed + random) / total}

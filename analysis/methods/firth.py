"""Firth's penalised logistic regression (1993, *Biometrika* 80, 27–38): finite estimates also under separation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import linalg, special

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Penalised:
    """Coefficients, the inverse of the information at them, and the penalised log-likelihood."""

    b: Floats
    covariance: Floats
    log_likelihood: float


def firth(Z: Floats, outcome: Floats, *, free: Truths | None = None, start: Floats | None = None) -> Penalised:
    """Maximise l(b) + ½ log |Z'WZ| over the coefficients that are `free` (default all); the others are 0.

    The penalty is always that of the whole design, so that penalised likelihoods of restricted models can be compared
    (Heinze and Schemper, 2002, *Statistics in Medicine* 21, 2409–2419). Z holds its own intercept column and must have
    full rank.

    >>> x = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    >>> separated = firth(np.column_stack([np.ones(6), x]), np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]))
    >>> bool(np.isfinite(separated.b).all())
    True
    """
    width = Z.shape[1]
    chosen = np.ones(width, dtype=bool) if free is None else free
    b = np.zeros(width) if start is None else np.where(chosen, start, 0.0)
    current = _at(Z, outcome, b)
    for _ in range(500):
        information, hat, probability, value = current
        score = (Z.T @ (outcome - probability + hat * (0.5 - probability)))[chosen]
        if float(np.abs(score).max(initial=0.0)) < 1e-10:
            break
        step = np.zeros(width)
        step[chosen] = linalg.solve(information[np.ix_(chosen, chosen)], score, assume_a="pos")
        step *= min(1.0, 5.0 / float(np.abs(step).max()))
        size = 1.0
        proposed = _at(Z, outcome, b + step)
        while not proposed[3] >= value - 1e-11 * (1 + abs(value)) and size > 1e-8:
            size /= 2
            proposed = _at(Z, outcome, b + size * step)
        if size <= 1e-8:
            break
        b = b + size * step
        current = proposed
        if float(np.abs(size * step).max()) < 1e-12 * (1 + float(np.abs(b).max())):
            break
    return Penalised(b=b, covariance=linalg.inv(current[0]), log_likelihood=current[3])


def _at(Z: Floats, outcome: Floats, b: Floats) -> tuple[Floats, Floats, Floats, float]:
    linear = Z @ b
    probability = special.expit(linear)
    root = np.sqrt(probability * special.expit(-linear))
    weighted = Z * root[:, None]
    Q, R = linalg.qr(weighted, mode="economic", check_finite=False)
    hat = (Q**2).sum(axis=1)
    with np.errstate(divide="ignore"):
        penalty = float(np.log(np.abs(np.diag(R))).sum())
    likelihood = -float(np.logaddexp(0.0, np.where(outcome > 0, -linear, linear)).sum())
    return weighted.T @ weighted, hat, probability, likelihood + penalty

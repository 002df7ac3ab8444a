"""The conditional logit of choices, maximised by Newton's method: log likelihood, estimates, covariance."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.preference.choices import Choices

STEPS = 100
DONE = 1e-10
FAR = 30.0
"""An estimate beyond this is infinite: the probability of the opposite is below 1e-13."""
PSEUDO = 0.5
"""Weight of a win and of a loss of every option against one of worth 0, where an option always won or always lost."""


@dataclass(frozen=True)
class Fit:
    """Estimates in the coordinates of `basis` (λ), then ties, then side; `scores` are the gradients of judgements."""

    theta: Floats
    covariance: Floats
    log_likelihood: float
    converged: bool


def basis_of(number: int) -> Floats:
    """Return an orthonormal basis of all worths that sum to zero (options × options − 1).

    >>> basis_of(2).round(4).tolist()
    [[0.7071], [-0.7071]]
    """
    made = np.zeros((number, number - 1))
    for column in range(number - 1):
        made[: column + 1, column] = 1.0
        made[column + 1, column] = -(column + 1)
        made[:, column] /= np.sqrt((column + 1) * (column + 2))
    return made


def in_coordinates(choices: Choices, options: int) -> Choices:
    """Return choices with the worths in the coordinates of `basis_of`."""
    rotated = choices.features[:, :options] @ basis_of(options)
    return replace(choices, features=np.column_stack([rotated, choices.features[:, options:]]))


def with_pseudo(choices: Choices, options: int) -> tuple[Choices, Floats]:
    """Return choices with a win and a loss of every option against one of worth 0, and the weights of those.

    This keeps estimates finite where an option always won or always lost (as `npseudo` of the R package PlackettLuce).
    """
    basis = basis_of(options)
    width = choices.features.shape[1]
    rows = np.zeros((4 * options, width))
    rows[0::4, : options - 1] = basis
    rows[2::4, : options - 1] = basis
    base = len(choices.features)
    starts = base + np.arange(0, 4 * options, 2)
    chosen = starts + np.tile([0, 1], options)
    more = replace(
        choices,
        features=np.vstack([choices.features, rows]),
        starts=np.concatenate([choices.starts, starts]).astype(np.intp),
        chosen=np.concatenate([choices.chosen, chosen]).astype(np.intp),
    )
    return more, np.full(2 * options, PSEUDO)


def fit(choices: Choices, weights: Floats, *, start: Floats | None = None) -> Fit:
    """Maximise Σ w ln p(chosen) over choices in coordinates.

    >>> from analysis.methods.preference.choices import choices_of
    >>> from analysis.methods.preference.judgements import PAIRS, Judgement, Judgements
    >>> made = tuple(Judgement(((0,), (1,)) if won else ((1,), (0,)), (0, 1)) for won in (1, 1, 1, 0))
    >>> found = in_coordinates(choices_of(Judgements(PAIRS, ("x", "y"), made, None, None), model="sequential"), 2)
    >>> round(float(fit(found, np.ones(4)).theta[0] * 2**0.5), 4)  # ln 3
    1.0986
    """
    theta = np.zeros(choices.features.shape[1]) if start is None else start.copy()
    value, gradient, information = _derivatives(choices, weights, theta)
    converged = False
    for _ in range(STEPS):
        step = np.linalg.lstsq(information, gradient, rcond=1e-12)[0]
        # Steps square the distance: the one after a gain this small ends at the maximum to all digits.
        converged = float(gradient @ step) < DONE
        share = 1.0
        while True:
            reached = _derivatives(choices, weights, theta + share * step)
            if reached[0] >= value or share < 1e-6:
                break
            share /= 2
        theta = theta + share * step
        value, gradient, information = reached
        if converged or float(np.abs(theta).max(initial=0.0)) > FAR:
            break
    covariance = np.asarray(np.linalg.pinv(information, rcond=1e-12, hermitian=True), dtype=np.float64)
    return Fit(theta, covariance, value, converged)


def log_likelihood(choices: Choices, theta: Floats) -> float:
    """Return Σ ln p(chosen), every choice once."""
    return float(np.log(np.maximum(probabilities(choices, theta)[choices.chosen], 1e-300)).sum())


def probabilities(choices: Choices, theta: Floats) -> Floats:
    """Return the probability of every alternative."""
    eta = choices.features @ theta
    sizes = np.diff(np.append(choices.starts, len(eta)))
    eta = np.exp(eta - np.repeat(np.maximum.reduceat(eta, choices.starts), sizes))
    return np.asarray(eta / np.repeat(np.add.reduceat(eta, choices.starts), sizes))


def gradients(choices: Choices, theta: Floats) -> Floats:
    """Return the gradient of ln p(chosen) of every choice."""
    p = probabilities(choices, theta)
    means = np.add.reduceat(p[:, None] * choices.features, choices.starts, axis=0)
    return np.asarray(choices.features[choices.chosen] - means)


def _derivatives(choices: Choices, weights: Floats, theta: Floats) -> tuple[float, Floats, Floats]:
    p = probabilities(choices, theta)
    X = choices.features
    sizes = np.diff(np.append(choices.starts, len(p)))
    weighted = (np.repeat(weights, sizes) * p)[:, None] * X
    means = np.add.reduceat(p[:, None] * X, choices.starts, axis=0)
    value = float(weights @ np.log(np.maximum(p[choices.chosen], 1e-300)))
    gradient = weights @ (X[choices.chosen] - means)
    information = X.T @ weighted - means.T @ (weights[:, None] * means)
    return value, np.asarray(gradient), np.asarray(information)

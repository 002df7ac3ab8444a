"""Detect separation: fixed effects of a logistic model without finite estimates, and the model in their limit.

If some direction of the fixed effects separates rows, the likelihood rises for ever along it, with or without random
effects. In the limit the separated rows have probability 1 whatever their random effects, so that the likelihood is
that of the other rows alone (see `analysis.methods.logistic.separation`). That part is fitted: what it can estimate
is finite, and its maximum is the supremum that likelihood ratio tests need.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.logistic.separation import overlap_is_certain, separated_rows
from analysis.methods.mixed.fitting.crossproducts import independent


def undecided(X: Floats, successes: Floats, trials: Floats) -> npt.NDArray[np.bool_]:
    """Return the rows that no direction of X separates: all of them where every estimate is finite.

    >>> X = np.column_stack([np.ones(4), [0.0, 0.0, 1.0, 1.0]])
    >>> undecided(X, np.array([0.0, 1.0, 1.0, 1.0]), np.ones(4)).tolist()
    [True, True, False, False]
    """
    n = len(X)
    kept, _ = independent(X / np.maximum(np.abs(X).max(axis=0, initial=0.0), 1e-300))
    if not kept:
        return np.ones(n, dtype=bool)
    rows = np.concatenate([np.flatnonzero(successes > 0), np.flatnonzero(successes < trials)])
    outcome = np.repeat([1.0, 0.0], [int((successes > 0).sum()), int((successes < trials).sum())])
    basis = np.linalg.qr(X[rows][:, list(kept)])[0]
    if overlap_is_certain(basis, outcome, _fitted(basis, outcome)):
        return np.ones(n, dtype=bool)
    separated = separated_rows(basis, outcome)
    open_rows = np.zeros(n, dtype=bool)
    open_rows[rows[~separated]] = True
    return open_rows


def separated_categories(X: Floats, category: npt.NDArray[np.intp], count: int) -> bool:
    """Return whether thresholds and effects of a cumulative logit model have no finite estimate.

    Every row says that its category's upper threshold lies above its linear predictor and the lower one below: the
    same as a binary outcome for each of the two.

    >>> x = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> separated_categories(x, np.array([0, 0, 1, 1]), 2), separated_categories(x, np.array([0, 1, 0, 1]), 2)
    (True, False)
    """
    made, signs = [], []
    for sign, place in ((1.0, category), (0.0, category - 1)):
        known = np.flatnonzero((place >= 0) & (place < count - 1))
        thresholds = np.zeros((len(known), count - 1))
        thresholds[np.arange(len(known)), place[known]] = 1.0
        made.append(np.hstack([thresholds, -X[known]]))
        signs.append(np.full(len(known), sign))
    stacked, outcome = np.vstack(made), np.concatenate(signs)
    kept, _ = independent(stacked / np.maximum(np.abs(stacked).max(axis=0, initial=0.0), 1e-300))
    basis = np.linalg.qr(stacked[:, list(kept)])[0]
    if overlap_is_certain(basis, outcome, _fitted(basis, outcome)):
        return False
    return bool(separated_rows(basis, outcome).any())


def _fitted(basis: Floats, outcome: Floats) -> Floats:
    """Return the linear predictor of a logistic regression after a few Newton steps: enough to judge overlap."""
    b = np.zeros(basis.shape[1])
    for _ in range(25):
        share = scipy.special.expit(basis @ b)
        information = basis.T @ (basis * (share * (1 - share))[:, None]) + 1e-10 * np.eye(len(b))
        step = np.linalg.solve(information, basis.T @ (outcome - share))
        b = b + step * min(1.0, 20.0 * np.sqrt(len(basis)) / max(float(np.abs(step).max()), 1e-300))
        if float(np.abs(basis @ b).max(initial=0.0)) > 25 or float(np.abs(step).max()) < 1e-10:
            break
    return np.asarray(basis @ b)

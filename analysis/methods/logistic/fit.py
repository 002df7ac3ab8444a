"""Fitting one binary logistic regression: maximum likelihood, its limit under separation, Firth's penalty.

Columns are centred and scaled before fitting and coefficients are turned back after it, so that the result does not
depend on units. Columns that are linear combinations of earlier ones get no coefficient, as in R.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.logistic.firth import firth
from analysis.methods.logistic.separation import overlap_is_certain, separated_rows

Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Fit:
    """A fitted model. The first coefficient is the intercept.

    `b` and `covariance` are NaN for coefficients that have no finite estimate (`separated`: none, quasi, complete) or
    that are `aliased`. `deviance` is −2 log-likelihood (under separation its limit), `linear` the linear predictor
    (±inf where the probability tends to 0 or 1), `rank` the number of coefficients with the intercept.
    """

    b: Floats
    covariance: Floats
    deviance: float
    linear: Floats
    rank: int
    aliased: Truths
    separated: str = "none"

    @property
    def se(self) -> Floats:
        return np.asarray(np.sqrt(np.diag(self.covariance)), dtype=np.float64)


def fit(X: Floats, outcome: Floats, *, penalty: str = "none") -> Fit:
    """Fit outcome (1 and 0) ~ intercept + columns of X.

    `penalty` is `none` (maximum likelihood) or `firth`. Under separation the limit of the likelihood is returned.

    >>> found = fit(np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]), np.array([0.0, 0.0, 1.0, 0.0, 1.0, 1.0]))
    >>> found.b.round(4).tolist(), round(found.deviance, 4), found.separated
    ([-4.2491, 1.214], 4.956, 'none')
    """
    Z, back, kept = standardised(X)
    if penalty == "firth":
        found = firth(Z, outcome)
        linear = Z @ found.b
        return _placed(X, kept, back @ found.b, back @ found.covariance @ back.T, deviance(outcome, linear), linear)
    b, linear = newton(Z, outcome)
    basis = np.asarray(scipy.linalg.qr(Z, mode="economic")[0], dtype=np.float64)
    if not overlap_is_certain(basis, outcome, linear):
        rows = separated_rows(basis, outcome)
        if rows.any():
            b, covariance, linear = _limit(Z, outcome, rows, back)
            minus2ll = deviance(outcome[~rows], linear[~rows])
            how = "complete" if rows.all() else "quasi"
            return _placed(X, kept, b, covariance, minus2ll, linear, separated=how)
    weight = scipy.special.expit(linear) * scipy.special.expit(-linear)
    covariance = scipy.linalg.inv((Z * weight[:, None]).T @ Z)
    return _placed(X, kept, back @ b, back @ covariance @ back.T, deviance(outcome, linear), linear)


def newton(
    Z: Floats, outcome: Floats, *, start: Floats | None = None, steps: int = 60, tolerance: float = 1e-11
) -> tuple[Floats, Floats]:
    """Return coefficients and linear predictor by Newton's method with step halving, stopped where the fit diverges.

    Under separation the linear predictor grows by about 1 a step; what is returned then classifies as the limit does.
    """
    b = np.zeros(Z.shape[1]) if start is None else start.copy()
    linear = Z @ b
    current = deviance(outcome, linear)
    for _ in range(steps):
        probability = scipy.special.expit(linear)
        weight = probability * scipy.special.expit(-linear)
        information = np.asarray((Z * weight[:, None]).T @ Z, dtype=np.float64)
        score = Z.T @ (outcome - probability)
        _, step, singular = scipy.linalg.lapack.dposv(information, score)
        if singular:
            step = np.asarray(np.linalg.lstsq(information, score, rcond=1e-12)[0], dtype=np.float64)
        change = Z @ step
        size = 1.0
        proposed = deviance(outcome, linear + change)
        while not proposed <= current * (1 + 1e-12) + 1e-12 and size > 1e-6:
            size /= 2
            proposed = deviance(outcome, linear + size * change)
        if size <= 1e-6:
            break
        b = b + size * step
        linear = linear + size * change
        done = float(np.abs(step).max()) < tolerance * (1 + float(np.abs(b).max()))
        current = proposed
        if done or current < 1e-9 * len(outcome):
            break
    return b, Z @ b


def deviance(outcome: Floats, linear: Floats) -> float:
    """Return −2 log-likelihood.

    >>> round(deviance(np.array([1.0, 0.0]), np.zeros(2)), 6)
    2.772589
    """
    return float(2 * np.logaddexp(0.0, np.where(outcome > 0, -linear, linear)).sum())


def standardised(X: Floats) -> tuple[Floats, Floats, list[int]]:
    """Return Z (intercept and the independent columns, centred, scaled), T with b = T b_Z, and which were kept.

    A column is dependent where what the earlier ones leave of it is below 1e-9 of its length.
    """
    rows, width = X.shape
    mean = X.mean(axis=0) if rows else np.zeros(width)
    centred = X - mean
    scale = np.sqrt((centred**2).mean(axis=0))
    flat = scale <= 1e-12 * np.maximum(np.abs(mean), 1e-300)
    scale = np.where(flat, 1.0, scale)
    columns, kept = [np.ones(rows)], [0]
    basis = np.empty((rows, width + 1), order="F")
    basis[:, 0] = 1 / np.sqrt(max(rows, 1))
    for place in range(width):
        if flat[place]:
            continue
        column = centred[:, place] / scale[place]
        rest = column
        for _ in range(2):
            Q = basis[:, : len(kept)]
            rest = rest - Q @ (Q.T @ rest)
        length = float(np.linalg.norm(rest))
        if length < 1e-9 * np.sqrt(rows):
            continue
        columns.append(column)
        basis[:, len(kept)] = rest / length
        kept.append(place + 1)
    back = np.eye(len(kept))
    for position, place in enumerate(kept[1:], start=1):
        back[position, position] = 1 / scale[place - 1]
        back[0, position] = -mean[place - 1] / scale[place - 1]
    return np.column_stack(columns), back, kept


def _placed(
    X: Floats, kept: list[int], b: Floats, covariance: Floats, minus2ll: float, linear: Floats, separated: str = "none"
) -> Fit:
    """Put the coefficients of the kept columns among those of all columns; aliased ones are NaN."""
    width = X.shape[1] + 1
    every, spread, aliased = np.full(width, np.nan), np.full((width, width), np.nan), np.ones(width, dtype=bool)
    every[kept], aliased[kept] = b, False
    spread[np.ix_(kept, kept)] = covariance
    return Fit(
        b=every,
        covariance=spread,
        deviance=minus2ll,
        linear=linear,
        rank=len(kept),
        aliased=aliased,
        separated=separated,
    )


def _limit(Z: Floats, outcome: Floats, rows: Truths, back: Floats) -> tuple[Floats, Floats, Floats]:
    """Return what the fit tends to: the separated rows at probability 0 or 1, the others fitted among themselves.

    Coefficients are on the scale of the columns as given; NaN where the data do not determine a finite value.
    """
    linear = np.where(outcome > 0, np.inf, -np.inf)
    width = Z.shape[1]
    rest = Z[~rows]
    if len(rest) == 0:
        return np.full(width, np.nan), np.full((width, width), np.nan), linear
    _, sizes, directions = np.linalg.svd(rest, full_matrices=False)
    V = directions[sizes > 1e-9 * sizes.max()].T
    c, linear[~rows] = newton(rest @ V, outcome[~rows])
    weight = scipy.special.expit(linear[~rows]) * scipy.special.expit(-linear[~rows])
    small = scipy.linalg.inv(((rest @ V) * weight[:, None]).T @ (rest @ V))
    # A coefficient is determined where its row of the back-transformation lies in what the remaining rows span.
    lost = np.linalg.norm(back - back @ V @ V.T, axis=1) > 1e-7 * np.linalg.norm(back, axis=1)
    b = np.where(lost, np.nan, back @ V @ c)
    covariance = np.where(lost[:, None] | lost[None, :], np.nan, back @ V @ small @ V.T @ back.T)
    return b, covariance, linear

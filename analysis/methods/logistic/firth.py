"""Firth's penalised logistic regression (1993, *Biometrika* 80, 27–38): finite estimates also under separation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from analysis.methods.arrays import Floats

Truths = npt.NDArray[np.bool_]
STEPS = 200
LONGEST = 5.0
"""No step changes a linear predictor by more."""


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
    chosen = np.ones(Z.shape[1], dtype=bool) if free is None else free
    # Orthonormal columns in place of Z: steps and their limit are then in units of the linear predictor, however
    # strongly the columns of Z are correlated.
    Q, whole = _orthonormal(Z)
    F, root = (Q, whole) if chosen.all() else _orthonormal(Z[:, chosen])
    # The start is where the free columns come nearest to the given fit; never further out than no fit at all.
    c = np.zeros(F.shape[1]) if start is None else F.T @ (Z @ start) / max(len(Z), 1)
    current = _at(Q, F @ c, outcome)
    if start is not None and not current.value >= (nothing := _at(Q, np.zeros(len(Z)), outcome)).value:
        c, current = np.zeros(F.shape[1]), nothing
    for _ in range(STEPS):
        step = _step(F, current, outcome)
        step *= min(1.0, LONGEST / max(float(np.abs(F @ step).max(initial=0.0)), LONGEST))
        size = 1.0
        proposed = _at(Q, F @ (c + step), outcome)
        while not proposed.value >= current.value - 1e-12 * (1 + abs(current.value)) and size > 1e-8:
            size /= 2
            proposed = _at(Q, F @ (c + size * step), outcome)
        if size <= 1e-8:
            break
        c = c + size * step
        current = proposed
        if float(np.abs(F @ (size * step)).max(initial=0.0)) < 1e-11 * (1 + float(np.abs(F @ c).max(initial=0.0))):
            break
    b = np.zeros(Z.shape[1])
    b[chosen] = scipy.linalg.solve_triangular(root, c) if len(c) else c
    back = scipy.linalg.solve_triangular(current.root @ whole, np.eye(len(b)))
    scale = float(np.log(np.abs(np.diag(whole))).sum())
    return Penalised(b=b, covariance=back @ back.T, log_likelihood=current.value + scale)


@dataclass(frozen=True)
class _Place:
    """A point: fitted probabilities, the weighted design Q√w = U R (U orthonormal, R `root`), the penalised value."""

    probability: Floats
    weight: Floats
    basis: Floats
    root: Floats
    value: float


def _orthonormal(Z: Floats) -> tuple[Floats, Floats]:
    """Return √n Q and R/√n of Z = QR."""
    Q, R = scipy.linalg.qr(Z, mode="economic")
    size = np.sqrt(max(len(Z), 1))
    return np.asarray(Q * size, dtype=np.float64), np.asarray(R / size, dtype=np.float64)


def _at(Q: Floats, linear: Floats, outcome: Floats) -> _Place:
    probability = scipy.special.expit(linear)
    weight = probability * scipy.special.expit(-linear)
    basis, root = scipy.linalg.qr(Q * np.sqrt(weight)[:, None], mode="economic", check_finite=False)
    with np.errstate(divide="ignore"):
        penalty = float(np.log(np.abs(np.diag(root))).sum())
    likelihood = -float(np.logaddexp(0.0, np.where(outcome > 0, -linear, linear)).sum())
    return _Place(probability, weight, np.asarray(basis), np.asarray(root), likelihood + penalty)


def _step(F: Floats, at: _Place, outcome: Floats) -> Floats:
    """Return the Newton step; where the penalised likelihood is not concave, that of Fisher scoring.

    With hat values h, H = UU' and c = ½ − p, the score is F'(y − p + hc), and minus its derivative
    F' diag(w + h(w − 2c²)) F + 2 Σ_ab B_ab B_ab', B_ab = F'(c U_a U_b), for ∂h_i/∂η_j = 2 δ_ij h_i c_i − 2 H_ij² c_j.
    """
    hat, away = (at.basis**2).sum(axis=1), 0.5 - at.probability
    score = F.T @ (outcome - at.probability + hat * away)
    spread = np.array([(at.basis.T @ (at.basis * (column * away)[:, None])).ravel() for column in F.T])
    curved = (F * (at.weight + hat * (at.weight - 2 * away**2))[:, None]).T @ F + 2 * spread @ spread.T
    try:
        return np.asarray(scipy.linalg.cho_solve(scipy.linalg.cho_factor(curved), score), dtype=np.float64)
    except scipy.linalg.LinAlgError:
        information = (F * at.weight[:, None]).T @ F
        return np.asarray(np.linalg.lstsq(information, score, rcond=1e-12)[0], dtype=np.float64)

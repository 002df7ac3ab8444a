"""Separation in logistic regression: found by linear programming, and what the likelihood tends to where it is found.

A direction δ with s_i x_i'δ ≥ 0 for all rows (s_i = ±1 for the two outcomes) and > 0 for some can be followed for
ever, the likelihood only rising: no finite maximum exists (Albert and Anderson, 1984, *Biometrika* 71, 1–10). The
rows with > 0 then end up with probability 0 or 1; the rest is an ordinary, smaller problem (Clarkson and Jennrich,
1991; Geyer, 2009, *Electronic Journal of Statistics* 3, 259–289). The linear programme is that of Konis (2007).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from analysis.methods.arrays import Floats

Truths = npt.NDArray[np.bool_]
_MARGIN = 1e-7


def overlap_is_certain(basis: Floats, outcome: Floats, linear: Floats) -> bool:
    """Return whether a fit proves that a finite maximum exists, so that no linear programme is needed.

    `basis` has orthonormal columns that span the design; `linear` is the linear predictor of a fit. Along any
    separating direction of length 1 the log-likelihood would rise by at least min(q) · ‖Qδ‖₁ ≥ min(q), where q is the
    fitted probability of the outcome that did not happen; a gradient shorter than that excludes all of them.

    >>> basis = np.linalg.qr(np.column_stack([np.ones(4), [1.0, 2.0, 3.0, 4.0]]))[0]
    >>> overlap_is_certain(basis, np.array([0.0, 1.0, 1.0, 0.0]), np.zeros(4))
    True
    """
    signed = np.where(outcome > 0, linear, -linear)
    if not np.isfinite(signed).all() or signed.max() > 30:
        return False
    residual = outcome - 1 / (1 + np.exp(-linear))
    gradient = float(np.linalg.norm(basis.T @ residual))
    return gradient < 0.5 * float(1 / (1 + np.exp(signed.max())))


def separated_rows(basis: Floats, outcome: Floats) -> Truths:
    """Return the rows whose fitted probability tends to 0 or 1; none where a finite maximum exists.

    `basis` has orthonormal columns that span the design matrix (with its intercept). All rows: complete separation.

    >>> x = np.array([1.0, 2.0, 2.0, 3.0])
    >>> basis = np.linalg.qr(np.column_stack([np.ones(4), x]))[0]
    >>> separated_rows(basis, np.array([0.0, 0.0, 1.0, 1.0])).tolist()
    [True, False, False, True]
    """
    rows, width = basis.shape
    signed = np.where(outcome > 0, 1.0, -1.0)[:, None] * basis * np.sqrt(rows)
    separated = np.zeros(rows, dtype=bool)
    # What is left after a direction has been followed may be separated again, along another one.
    for _ in range(width):
        left = np.flatnonzero(~separated)
        if len(left) == 0:
            break
        part = np.unique(np.round(signed[left], 12), axis=0)
        found = scipy.optimize.linprog(
            -part.sum(axis=0) / len(part),
            A_ub=-part,
            b_ub=np.zeros(len(part)),
            bounds=(-1, 1),
            method="highs",
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
        if found.x is None:
            break
        new = signed[left] @ found.x > _MARGIN
        if not new.any():
            break
        separated[left[new]] = True
    return separated

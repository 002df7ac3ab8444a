"""The profiled criterion of a linear mixed model and its gradient, by blocks.

    y = Xβ + Zb + ε,  b = Λu,  u ~ N(0, σ²I),  ε ~ N(0, σ²I)

Λ is block diagonal and lower triangular, with elements θ. The criterion is −2 log likelihood, profiled over β and σ
(Bates, Mächler, Bolker & Walker 2015, Journal of Statistical Software 67(1), equations 34 and 42):

    ML    d(θ) = ln|L|² + n [1 + ln(2πr²/n)]
    REML  d(θ) = ln|L|² + ln|R_X|² + (n − p) [1 + ln(2πr²/(n − p))]

The grouping factor with the most random effects comes first: its block of Λ'Z'ZΛ + I is block diagonal and is
factored level by level, all levels at once. The other groups, X and y form a dense Schur complement whose last
element is r². No step after the cross-products depends on the number of rows.

With V = I + ZΛΛ'Z', P = V⁻¹ − V⁻¹X(X'V⁻¹X)⁻¹X'V⁻¹ and h = Z'Py, the derivative with respect to Λ of one group is

    2 (Σ_levels G_l − w Σ_levels h_l h_l') Λ,   w = df/r²  (or 1/σ² where σ is held),

where G_l is the diagonal block of Z'PZ (REML) or Z'V⁻¹Z (ML) at level l.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.mixed.fitting.crossproducts import Crossproducts


@dataclass(frozen=True)
class State:
    """The criterion at one Λ with σ profiled out, and the factorisation behind it (all in scaled units).

    `schur` is the Schur complement before the other groups are multiplied by their Λ, `root` the lower-triangular
    factor of it after; `shrink` and `whitened` are L⁻¹Λ' and L⁻¹Λ'Z'[Z X y] of the first group. `fixed` are the
    estimates of β, `fixed_root` is their factor: their covariance matrix is σ²(R R')⁻¹.
    """

    criterion: float
    lambdas: tuple[Floats, ...]
    r2: float
    schur: Floats
    root: Floats
    shrink: Floats
    whitened: Floats
    fixed: Floats
    fixed_root: Floats


@dataclass(frozen=True)
class Derived:
    """What derivatives are made of. Per group: Σ G_l (P × P), h (levels × P) and Z'V⁻¹X (levels × P × p).

    `left` holds, per part of the blocks (the first group; all others), the rows E with Z'PZ = (what the first group
    leaves) − EE'; `remaining` is Z'[Z X y] of the first group after itself, `inner` its own blocks.
    """

    gammas: tuple[Floats, ...]
    effects: tuple[Floats, ...]
    by_design: tuple[Floats, ...]
    left: tuple[Floats, Floats]
    remaining: Floats
    inner: Floats


def evaluate(prepared: Crossproducts, lambdas: tuple[Floats, ...], *, reml: bool) -> State | None:
    """Return the criterion at the factors Λ (one P × P matrix per group, in scaled units).

    Returns None where the factorisation fails, which happens only for absurdly large Λ.
    """
    q, P, _ = prepared.first.shape
    m, p = prepared.others, prepared.p
    inner = lambdas[0].T @ prepared.first @ lambdas[0] + np.eye(P)
    try:
        inner_root = np.linalg.cholesky(inner)
        shrink = np.linalg.inv(inner_root) @ lambdas[0].T
        whitened = (shrink @ prepared.cross).reshape(q * P, m + p + 1)
        schur = prepared.rest - product(whitened.T, whitened)
        scaled = times_lambda(prepared, lambdas, times_lambda(prepared, lambdas, schur).T)
        scaled[np.arange(m), np.arange(m)] += 1.0
        root = np.asarray(scipy.linalg.cholesky(scaled, lower=True, check_finite=False))
    except (np.linalg.LinAlgError, scipy.linalg.LinAlgError):
        return None
    diagonal = np.diag(root)
    log_det = 2 * float(np.log(np.diagonal(inner_root, axis1=1, axis2=2)).sum() + np.log(diagonal[:m]).sum())
    if reml:
        log_det += 2 * float(np.log(diagonal[m : m + p]).sum())
    r2 = float(diagonal[-1] ** 2)
    df = prepared.n - (p if reml else 0)
    criterion = log_det + df * (1 + float(np.log(2 * np.pi * r2 / df)))
    if not np.isfinite(criterion):
        return None
    fixed_root = root[m : m + p, m : m + p]
    fixed = scipy.linalg.solve_triangular(fixed_root, root[-1, m : m + p], trans="T", lower=True) if p else np.zeros(0)
    return State(criterion, lambdas, r2, schur, root, shrink, whitened, np.asarray(fixed), fixed_root)


def derive(prepared: Crossproducts, state: State, *, reml: bool) -> Derived:
    """Return what first and second derivatives are made of."""
    q, P, width = prepared.first.shape[0], prepared.first.shape[1], prepared.rest.shape[0]
    m, p = prepared.others, prepared.p
    used = m + p if reml else m
    last, crossed = state.root[-1, : m + p], state.root[m : m + p, :m]
    v1 = state.shrink @ prepared.first
    inner = prepared.first - np.swapaxes(v1, 1, 2) @ v1
    remaining = (prepared.cross - np.swapaxes(v1, 1, 2) @ state.whitened.reshape(q, P, width)).reshape(q * P, width)
    left = _right_solve(state.root[: m + p, : m + p], times_lambda(prepared, state.lambdas, remaining)[:, : m + p])
    gammas = [inner.sum(axis=0) - _sum_of_blocks(left[:, :used], P)]
    effects = [(remaining[:, -1] - left @ last).reshape(q, P)]
    by_design = [(remaining[:, m : m + p] - product(left[:, :m], crossed.T)).reshape(q, P, p)]
    others = np.zeros((0, m + p))
    if m:
        scaled = times_lambda(prepared, state.lambdas, state.schur[:m])[:, : m + p]
        others = _right_solve(state.root[: m + p, : m + p], scaled)
        h = state.schur[:m, -1] - others @ last
        K = state.schur[:m, m : m + p] - product(others[:, :m], crossed.T)
        for group, place in zip(prepared.groups[1:], prepared.places[1:], strict=True):
            levels, columns = len(group.levels), len(group.names)
            own = state.schur[place, place].reshape(levels, columns, levels, columns)
            blocks = own[np.arange(levels), :, np.arange(levels), :].sum(axis=0)
            gammas.append(blocks - _sum_of_blocks(others[place, :used], columns))
            effects.append(h[place].reshape(levels, columns))
            by_design.append(K[place].reshape(levels, columns, p))
    return Derived(tuple(gammas), tuple(effects), tuple(by_design), (left, others), remaining, inner)


def times_lambda(prepared: Crossproducts, lambdas: tuple[Floats, ...], values: Floats) -> Floats:
    """Multiply the columns of the other groups by their Λ, from the right."""
    result = np.array(values, order="C")
    for group, place, factor in zip(prepared.groups[1:], prepared.places[1:], lambdas[1:], strict=True):
        block = result[:, place]
        if len(group.names) == 1:
            block *= factor[0, 0]
        else:
            shaped = np.ascontiguousarray(block).reshape(-1, len(group.names))
            result[:, place] = product(shaped, factor).reshape(block.shape)
    return result


def product(a: Floats, b: Floats) -> Floats:
    """Return the matrix product AB.

    One library does all large products and factorisations: NumPy and SciPy each bring a BLAS with threads of its own,
    and two sets of threads that take turns cost more than the work.
    """
    if not a.size or not b.size:
        return np.zeros((a.shape[0], b.shape[1]))
    return np.asarray(scipy.linalg.blas.dgemm(1.0, b.T, a.T)).T


def _right_solve(lower: Floats, rows: Floats) -> Floats:
    """Return E with E L' = rows."""
    if not lower.size:
        return np.zeros((rows.shape[0], 0))
    return np.asarray(scipy.linalg.blas.dtrsm(1.0, lower, rows.T, lower=1)).T


def _sum_of_blocks(left: Floats, width: int) -> Floats:
    """Return Σ_l E_l E_l' for E (levels · width × columns)."""
    if not left.size:
        return np.zeros((width, width))
    shaped = np.ascontiguousarray(left.reshape(-1, width, left.shape[1]).swapaxes(0, 1)).reshape(width, -1)
    return product(shaped, shaped.T)

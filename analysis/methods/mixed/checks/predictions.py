"""Compute residuals and conditional modes of a linear mixed model, and simulate from it.

For any measure y on the design of the fit, at its θ (all in scaled units, W = L⁻¹Λ'Z₁'[Z₂ X], see `engine`):

    w = L⁻¹Λ₁'Z₁'y,   (Λ₂u₂, β) from the Schur complement with the right side [Z₂ X]'y − W'w,
    b₁ = Λ₁L⁻ᵀ(w − W(Λ₂u₂, β))

The covariance matrix of random effects given y, β and θ is σ²Λ(Λ'Z'ZΛ + I)⁻¹Λ', whose blocks lme4 calls `condVar`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Group
from analysis.methods.mixed.estimates.satterthwaite import Fitted
from analysis.methods.mixed.fitting.engine import product, times_lambda


@dataclass(frozen=True)
class Modes:
    """The conditional modes of one group's random effects (levels × P), and their covariances (levels × P × P)."""

    group: Group
    modes: Floats
    covariances: Floats


@dataclass(frozen=True)
class Rows:
    """The design of a fit by rows, in scaled units: Z of every group (sparse) and the orthonormal X."""

    fit: Fitted
    Z: tuple[scipy.sparse.csr_matrix, ...]
    X: Floats


def rows_of(fit: Fitted) -> Rows:
    """Return the design of a fit by rows."""
    prepared = fit.prepared
    Z = tuple(
        by_rows(group, group.columns / scale) for group, scale in zip(prepared.groups, prepared.scales, strict=True)
    )
    X = fit.design.fixed.values[:, list(prepared.kept)]
    X = scipy.linalg.solve_triangular(prepared.root, X.T, trans="T", lower=False).T if prepared.kept else X
    return Rows(fit, Z, np.asarray(X))


def by_rows(group: Group, columns: Floats) -> scipy.sparse.csr_matrix:
    """Return Z of a group, of whose columns (n × P) every row has those of its level."""
    n, width = columns.shape
    places = group.index[:, None] * width + np.arange(width)
    ends = np.arange(0, n * width + 1, width)
    return scipy.sparse.csr_matrix((columns.ravel(), places.ravel(), ends), shape=(n, len(group.levels) * width))


def random_effects(fit: Fitted) -> tuple[Modes, ...]:
    """Return the conditional modes of every group of `prepared`, in units of the data."""
    prepared, state = fit.prepared, fit.optimum.state
    m = prepared.others
    q, P, width = prepared.cross.shape
    root = state.root[:m, :m]
    solution = np.asarray(
        scipy.linalg.solve_triangular(state.root[:-1, :-1], state.root[-1, :-1], trans="T", lower=True)
    )
    spherical = solution[:m]
    through = np.append(_times(fit, spherical[:, None])[:, 0], solution[m:])
    whitened = state.whitened.reshape(q, P, width)
    back = np.swapaxes(state.shrink, 1, 2)
    first = (back @ (whitened[:, :, -1] - whitened[:, :, :-1] @ through)[:, :, None])[:, :, 0]
    spread = back @ state.shrink
    modes, covariances = [first], [spread]
    if m:
        reached = times_lambda(prepared, state.lambdas, (back @ whitened[:, :, :m]).reshape(q * P, m))
        left = np.asarray(scipy.linalg.solve_triangular(root, reached.T, lower=True)).T.reshape(q, P, m)
        covariances[0] = spread + left @ np.swapaxes(left, 1, 2)
        inverse = np.asarray(scipy.linalg.solve_triangular(root, np.eye(m), lower=True))
        for group, place, factor in zip(prepared.groups[1:], prepared.places[1:], state.lambdas[1:], strict=True):
            levels, columns = len(group.levels), len(group.names)
            modes.append(spherical[place].reshape(levels, columns) @ factor.T)
            own = inverse[:, place].reshape(m, levels, columns).transpose(1, 2, 0)
            covariances.append(factor @ (own @ np.swapaxes(own, 1, 2)) @ factor.T)
    return tuple(
        Modes(
            group,
            values / scale * prepared.unit,
            covariance / (scale[:, None] * scale[None, :]) * fit.sigma**2,
        )
        for group, scale, values, covariance in zip(prepared.groups, prepared.scales, modes, covariances, strict=True)
    )


def residuals(rows: Rows, measures: Floats) -> Floats:
    """Return measures (n × k, scaled units) minus what fixed and random effects say of them at the θ of the fit."""
    prepared, state = rows.fit.prepared, rows.fit.optimum.state
    q, P, width = prepared.cross.shape
    W = state.whitened.reshape(q * P, width)[:, :-1]
    own = np.asarray(rows.Z[0].T @ measures).reshape(q, P, -1)
    w = (state.shrink @ own).reshape(q * P, -1)
    others = [np.asarray(Z.T @ measures) for Z in rows.Z[1:]]
    right = np.vstack([*others, rows.X.T @ measures]) - product(W.T, w)
    m = prepared.others
    right[:m] = times_lambda(prepared, state.lambdas, right[:m].T).T
    solution = scipy.linalg.cho_solve((state.root[:-1, :-1], True), right)
    scaled = np.asarray(solution)
    scaled[:m] = _times(rows.fit, scaled[:m])
    first = np.swapaxes(state.shrink, 1, 2) @ (w - product(W, scaled)).reshape(q, P, -1)
    left = measures - rows.Z[0] @ first.reshape(q * P, -1) - rows.X @ scaled[m:]
    for Z, place in zip(rows.Z[1:], prepared.places[1:], strict=True):
        left = left - Z @ scaled[place]
    return np.asarray(left)


def simulated(rows: Rows, *, count: int, random: np.random.Generator) -> Floats:
    """Return measures (n × count, scaled units) that the random part of the fitted model makes."""
    fit = rows.fit
    measures = random.standard_normal((fit.prepared.n, count))
    for group, Z, factor in zip(fit.prepared.groups, rows.Z, fit.optimum.state.lambdas, strict=True):
        effects = random.standard_normal((len(group.levels), count, len(group.names))) @ factor.T
        measures += Z @ effects.transpose(0, 2, 1).reshape(group.size, count)
    return measures


def _times(fit: Fitted, spherical: Floats) -> Floats:
    """Return Λu of the groups after the first, for u as columns."""
    made = np.array(spherical)
    for group, place, factor in zip(
        fit.prepared.groups[1:], fit.prepared.places[1:], fit.optimum.state.lambdas[1:], strict=True
    ):
        block = spherical[place].reshape(len(group.levels), len(group.names), -1)
        made[place] = (factor @ block).reshape(group.size, -1)
    return made

"""Compute the fixed effects without each level of a group, at the variances estimated from all rows.

Rows I are left out by a mean of their own (D: their indicators), with V and P as in `engine`:

    β̂ without I = β̂ − (X'V⁻¹X)⁻¹X'V⁻¹D (D'PD)⁻¹D'Py

With A = Z₁Λ₁ of the first group, V₁ = I + AA' and R = [Z₂Λ₂ X], S = R'V₁⁻¹R + (1 for random effects) = LL' and
U = V₁⁻¹RL⁻ᵀ give P = V₁⁻¹ − UU'. No variance is estimated again, which is the only approximation (of logistic models
also the weights of the rows stay as they are).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.columns import declared_table, usual
from analysis.methods.mixed.checks.predictions import Rows, by_rows
from analysis.methods.mixed.design.matrices import INTERCEPT, Group
from analysis.methods.mixed.estimates.interfaces import Estimates
from analysis.methods.mixed.fitting.engine import product
from analysis.methods.report import Column, Figure, Table

# Multiplications (about half a second) and numbers in memory at most.
MOST_WORK = 4e9
MOST_NUMBERS = 1e7
LOST = 1e-5

INFLUENCE = declared_table(
    "influence",
    "Fixed effects without each level of a group",
    "Every fixed effect without each participant and each item, at the variances estimated from all rows; of logistic "
    "models and others with a link by one step from the estimates of all rows, at their weights.",
    usual("group", meaning="The grouping factor."),
    Column("unit", "Left out", "text", meaning="The level that is left out."),
    "term",
    usual("estimate", "Estimate of all", "The estimate from all rows."),
    Column("without", "Estimate without", meaning="The estimate without the level."),
    Column("change", "Change", meaning="The second less the first."),
    Column("change_se", "Change in SE", meaning="The change over the standard error of the estimate of all."),
    Column("panel", "Panel", "text", meaning="The part of the figure.", importance="detail"),
    when="where there are effects and the model is not so large that it takes long",
)


@dataclass(frozen=True)
class Equations:
    """Rows of a linear problem with random effects: the columns of every group in units of its Λ (n × P), X, y (n).

    The group with the most random effects comes first. `back` turns coefficients of X into the fixed effects that are
    reported. For a logistic model all rows are weighted and y is the working response at its optimum.
    """

    groups: tuple[Group, ...]
    columns: tuple[Floats, ...]
    X: Floats
    y: Floats
    back: Floats

    @property
    def is_small(self) -> bool:
        """Return whether leaving out every level takes no longer than a moment."""
        n, p = self.X.shape
        width = sum(group.size for group in self.groups[1:]) + p
        pairs = sum(float((np.bincount(group.index) ** 2.0).sum()) for group in self.groups)
        return bool(n * width <= MOST_NUMBERS and (n + self.groups[0].size) * width**2 + pairs * width <= MOST_WORK)


def equations_of(rows: Rows) -> Equations:
    """Return the equations of a linear mixed model."""
    fit = rows.fit
    prepared = fit.prepared
    columns = tuple(
        group.columns / scale @ factor
        for group, scale, factor in zip(prepared.groups, prepared.scales, fit.optimum.state.lambdas, strict=True)
    )
    return Equations(prepared.groups, columns, rows.X, fit.design.y / prepared.unit, fit.unscale)


def without_each(equations: Equations) -> list[Floats]:
    """Return the fixed effects without each level of every group (levels × k); NaN where they cannot be estimated."""
    n, p = equations.X.shape
    first, *others = equations.groups
    A = equations.columns[0]
    q, P = len(first.levels), A.shape[1]
    right = np.zeros((n, sum(group.size for group in others) + p))
    start = 0
    for group, columns in zip(others, equations.columns[1:], strict=True):
        width = columns.shape[1]
        right[np.arange(n)[:, None], start + group.index[:, None] * width + np.arange(width)] = columns
        start += group.size
    right[:, start:] = equations.X
    spread = by_rows(first, A)
    inner = np.eye(P) + np.asarray(spread.T @ A).reshape(q, P, P)
    roots = np.linalg.inv(np.linalg.cholesky(inner))
    white = (roots[first.index] @ A[:, :, None])[:, :, 0]
    spread = by_rows(first, white)
    seen = np.asarray(spread.T @ right)
    thin = scipy.sparse.csr_matrix(right)
    S = (thin.T @ thin).toarray() - product(seen.T, seen)
    S[np.arange(start), np.arange(start)] += 1.0
    L = scipy.linalg.cholesky(S, lower=True)
    U = np.asarray(scipy.linalg.blas.dtrsm(1.0, L, (right - spread @ seen).T, lower=1)).T
    y = equations.y
    V_y = y - spread @ (spread.T @ y)
    left = V_y - U @ (U.T @ y)
    estimates = scipy.linalg.solve_triangular(L[start:, start:], U[:, start:].T, trans="T", lower=True)
    beta = estimates @ y
    made = []
    for group in equations.groups:
        order = np.argsort(group.index, kind="stable")
        found = np.full((len(group.levels), len(equations.back)), np.nan)
        for level, rows in enumerate(np.split(order, np.cumsum(np.bincount(group.index))[:-1])):
            same = first.index[rows][:, None] == first.index[rows]
            P_rows = np.eye(len(rows)) - same * (white[rows] @ white[rows].T) - U[rows] @ U[rows].T
            try:
                root = scipy.linalg.cholesky(P_rows, lower=True, check_finite=False)
            except scipy.linalg.LinAlgError:
                continue
            if np.diag(root).min() > LOST:
                shift = scipy.linalg.cho_solve((root, True), left[rows], check_finite=False)
                found[level] = equations.back @ (beta - estimates[:, rows] @ shift)
        made.append(found)
    return made


def influence_table(fit: Estimates, equations: Equations) -> tuple[Table | None, list[str]]:
    """Return every fixed effect without each level of every group, or None where there is none, and notes."""
    wanted = [place for place, name in enumerate(fit.names) if name != INTERCEPT]
    if not wanted:
        return None, []
    if not equations.is_small:
        return None, [
            "What the effects are without each person and item was left out: in a model of this size it takes long."
        ]
    parts = []
    by_name = {group.name: made for group, made in zip(equations.groups, without_each(equations), strict=True)}
    for group in fit.design.groups:
        for place in wanted:
            name, tested = fit.names[place], fit.contrast(np.eye(len(fit.names))[place])
            part = pd.DataFrame({"group": group.name, "unit": group.levels, "term": name, "estimate": tested.estimate})
            part["without"] = by_name[group.name][:, place]
            change = part["without"] - tested.estimate
            parts.append(
                part.assign(change=change, change_se=change / tested.se, panel=f"{name} without each {group.name}")
            )
    notes = ["Influence: the fixed effects without each level of a group, at the variances that all rows gave."]
    return INFLUENCE.of(pd.concat(parts)), notes


def influence_figure(table: Table) -> Figure:
    """Return the picture of the effects without each level."""
    return Figure(
        name="influence",
        title="Effects without each level of a group",
        kind="caterpillar",
        table=table.name,
        encoding={"x": "without", "y": "unit", "panel": "panel", "centre": "estimate"},
        caption="A point is the estimate without that level, at the variances estimated from all rows; the line is the "
        "estimate from all rows.",
        x_label="Estimate",
    )

"""How the estimates of two logistic mixed models go together that were fitted to answers they partly share.

Baseline contrasts of a multinomial model share the answers of the baseline. At the mode of the random effects the fixed
effects of a model are linear in the working residuals, β̂ − β ≈ Σ_i g_i ℓ′_i + Σ_levels A_l b_l, with

    g_i = Cov(β̂) (x_i − z_i'MZ'WX),  A_l = Σ_{i in l} g_i w_i z_i

(M as in `fitting.laplace`). So for models j and k

    Cov(β̂_j, β̂_k) ≈ Σ_{i in both} g_ij ℓ′_ij ℓ′_ik g_ik' + Σ_levels A_lj Λ_j R Λ_k' A_lk'

with R the correlations of the predicted spherical random effects of the same levels. Without random effects, and with a
coefficient for every condition, this is the inverse information of the multinomial model: 1/n_baseline for two log
odds of one condition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.methods.arrays import Floats, Integers
from analysis.methods.generalised.fitting.blocks import solve
from analysis.methods.generalised.models.fitted import Fitted


@dataclass(frozen=True)
class OfGroup:
    """One grouping factor: its levels, A (levels × P × k), Λ (P × P) and the predicted u (levels × P)."""

    levels: tuple[str, ...]
    names: tuple[str, ...]
    pull: Floats
    factor: Floats
    spherical: Floats


@dataclass(frozen=True)
class Influences:
    """What single answers and random effects do to the fixed effects of a model with finite estimates.

    `rows` are the places of its answers among those of all models, `answers` (n × k) holds g_i ℓ′_i.
    """

    rows: Integers
    answers: Floats
    groups: dict[str, OfGroup]


def influences(fit: Fitted, rows: Integers) -> Influences:
    """Return the influences on the fixed effects; `rows` are the places of the rows of its design."""
    problem, at = fit.problem, fit.optimum.mode
    made, X = at.derivatives, problem.X
    turned = X.copy()
    if at.factored is not None:
        for column in range(X.shape[1]):
            weighted = [group.sums(made.weight * X[:, column]) for group in problem.groupings]
            for group, effects in zip(
                problem.groupings, solve(problem, at.factored, weighted, spherical=False), strict=True
            ):
                turned[:, column] -= group.spread(effects)
    k, p = len(fit.beta), X.shape[1]
    by_answer = turned @ fit.optimum.covariance[:p, :p] @ fit.units[:k, :p].T
    groups = {}
    for of, grouping, factor, spherical in zip(
        fit.prepared.groups, problem.groupings, at.lambdas, at.spherical, strict=True
    ):
        pull = np.stack([grouping.sums(made.weight * column) for column in by_answer.T], axis=2)
        groups[of.name] = OfGroup(of.levels, of.names, pull, factor, spherical)
    return Influences(rows, by_answer * made.slope[:, None], groups)


def shared_covariance(one: Influences, other: Influences) -> Floats:
    """Return the covariance matrix of the fixed effects of two models (k × k′)."""
    _, here, there = np.intersect1d(one.rows, other.rows, assume_unique=True, return_indices=True)
    found = one.answers[here].T @ other.answers[there]
    for name in one.groups.keys() & other.groups.keys():
        first, second = one.groups[name], other.groups[name]
        if first.names != second.names:
            continue
        _, at, beside = np.intersect1d(first.levels, second.levels, assume_unique=True, return_indices=True)
        together = first.factor @ _correlations(first.spherical[at], second.spherical[beside]) @ second.factor.T
        found = found + np.einsum("lpa,pq,lqb->ab", first.pull[at], together, second.pull[beside])
    return np.asarray(found)


def _correlations(one: Floats, other: Floats) -> Floats:
    """Return how effects with means of 0 go together; 0 where one of them does not vary."""
    sizes = np.sqrt(np.outer((one**2).sum(axis=0), (other**2).sum(axis=0)))
    return np.asarray(np.divide(one.T @ other, sizes, out=np.zeros_like(sizes), where=sizes > 1e-12))

"""Compute F tests of generalised mixed models by restricted likelihood with Satterthwaite's df, as in `lmm`.

Wald tests and likelihood ratios take the variances of the random effects for known, and maximum likelihood estimates
them too small; with a few dozen people and items and slopes of both, they reject true hypotheses too often (see
docs/methods/mixed-null-simulation.md). Here the fixed effects are integrated out with the random ones, as REML does and
glmmTMB with REML = TRUE: they are one more group with one level, whose prior is so wide that it says nothing. Then

    V_β = the block of Λ(I + Λ'CΛ)⁻¹Λ' that belongs to them, a function of θ;
    df  = 2 (l'V_β l)² / (g'Ag),  g = ∂(l'V_β l)/∂θ,  A = 2 H⁻¹, H the Hessian of the restricted criterion over θ,

and several contrasts are joined as in `analysis.methods.mixed.estimates.satterthwaite`. Yes and no say little about
variances, so that H is flat and df comes out below what the same people and items would give with a measured outcome;
estimates and their standard errors grow together then, and the tests get too careful (Li & Redden 2015, BMC Medical
Research Methodology 15, 38, who advise degrees of freedom that are counted). So for two outcomes df is never below the
smallest

    J_g − rank(X_g)

over the grouping factors g, J_g their levels and X_g the columns of X that do not change within a level: what an
analysis of variance of means by participant or by item would have. Where q contrasts share their variances, it has q
times as many for all of them together. Answers on a scale say more, and their df are Satterthwaite's alone.

Of the K − 1 thresholds of a cumulative model the mean is the intercept (with its sign turned) and is integrated out
with the fixed effects. How they lie around it are K − 2 parameters τ that are optimised with θ: θ stands for (θ, τ)
above, and what is not known about τ at given variances is added,

    V_β + J' (2 H_ττ⁻¹) J,  J = ∂β̂/∂τ.

With two categories there is no τ, and the tests are those of the logistic model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.methods.arrays import Floats, Integers
from analysis.methods.generalised.fitting.blocks import Grouping, Problem
from analysis.methods.generalised.fitting.laplace import Mode
from analysis.methods.generalised.fitting.optimise import NUDGE, Optimum, Search
from analysis.methods.generalised.likelihoods.answers import Centred
from analysis.methods.generalised.models.fitted import Fitted
from analysis.methods.mixed.estimates.satterthwaite import joint_df
from analysis.methods.mixed.estimates.scales import IDENTITY
from analysis.methods.mixed.fitting.curvature import Place
from analysis.methods.report import BadInput

WIDE = 1e3
FLAT = 1e-8
# Degrees of freedom above this are what rounding leaves of none that are finite.
INFINITE = 1e8
LOST = (
    "The restricted likelihood of this model has no optimum that could be found, so it has no F tests; use "
    "tests=likelihood-ratio, or let fewer effects vary."
)


@dataclass(frozen=True)
class Restricted:
    """Fixed effects in the units of the data with their covariance matrix, its derivatives over θ, and that of θ.

    In a cumulative model θ is followed by τ. No contrast has fewer degrees of freedom than `counted`, and `pooled`
    contrasts share a variance in every group.
    """

    optimum: Optimum
    beta: Floats
    covariance: Floats
    changes: Floats
    spread: Floats
    counted: int
    pooled: int = 1

    def f_test(self, contrasts: Floats) -> tuple[int, float, float, float]:
        """Return df1, df2, F and p of several contrasts together; df2 is infinite where no variance is uncertain."""
        values, vectors = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        usable = values > 1e-10 * max(float(values.max(initial=0.0)), 0.0)
        rows = vectors.T[usable] @ contrasts
        q = len(rows)
        f = float(((rows @ self.beta) ** 2 / values[usable]).sum()) / q
        df2 = max(joint_df(np.array([self._df(row) for row in rows])), self.counted * min(q, self.pooled))
        if df2 > INFINITE:
            return q, float("inf"), f, float(scipy.stats.chi2.sf(q * f, q))
        return q, df2, f, float(scipy.stats.f.sf(f, q, df2))

    def _df(self, row: Floats) -> float:
        variance = float(row @ self.covariance @ row)
        slope = np.einsum("ijk,j,k->i", self.changes, row, row)
        uncertain = float(slope @ self.spread @ slope)
        return max(2 * variance**2 / uncertain, self.counted) if uncertain > 0 else float("inf")


def restricted_fit(
    model: Fitted, *, near: Optimum | None = None, watch: Callable[[int], None] = lambda count: None
) -> Restricted:
    """Fit the variances of a logistic or cumulative mixed model by restricted likelihood, from `model` or `near`.

    Raises BadInput where the search ends at no optimum.
    """
    places, t = model.optimum.places, len(model.optimum.places)
    likelihood, X, size = model.problem.likelihood, model.problem.X, len(model.beta)
    units = model.units[:size, :size]
    if model.has_thresholds:
        likelihood = Centred(likelihood, len(model.extra))
        X, units = _with_intercept(model)
    k = X.shape[1]
    together = Grouping(np.zeros(len(X), dtype=np.intp), np.ascontiguousarray(X), 1)
    groupings = (*model.problem.groupings, together)
    blocks = tuple((number, block) for number, group in enumerate(model.prepared.groups) for block in group.blocks)
    home = None
    if model.scale.link == IDENTITY:  # at zero no mean of a time is possible
        home = (*model.optimum.mode.spherical, model.optimum.beta[None, :] / WIDE)
    search = Search(
        Problem(likelihood, np.zeros((len(X), 0)), groupings),
        places,
        blocks,
        watch,
        held=(np.eye(k) * WIDE,),
        home=home,
    )
    theta, tau, hessian = _begun(model) if near is None else (near.theta, near.extra, near.hessian)
    moved = np.where((theta == 0) & _diagonal(places), NUDGE, theta)
    try:
        optimum = search.best(np.concatenate([moved, tau]), hessian)
    except ArithmeticError:
        raise BadInput(LOST) from None
    if not optimum.converged or len(search.beside) < t + len(tau):
        raise BadInput(LOST)
    changes = [
        units @ (_covariance(after, k) - _covariance(before, k)) @ units.T / width
        for after, before, width in search.beside
    ]
    turns = [(after.effects[-1][0] - before.effects[-1][0]) / width for after, before, width in search.beside[t:]]
    along = np.array(turns).reshape(len(tau), k) @ units.T
    return Restricted(
        optimum=optimum,
        beta=units @ optimum.mode.effects[-1][0],
        covariance=units @ _covariance(optimum.mode, k) @ units.T
        + along.T @ _twice_inverse(optimum.hessian[t:, t:]) @ along,
        changes=np.array(changes),
        spread=_twice_inverse(optimum.hessian),
        counted=counted_df(X, [grouping.index for grouping in model.problem.groupings])
        if model.has_two_outcomes
        else 0,
        pooled=_pooled(places, len(model.problem.groupings)),
    )


def _pooled(places: Sequence[Place], groups: int) -> int:
    """Return how many contrasts share a variance in every group; 1 where variances of a group are correlated."""
    if not all(place.diagonal for place in places):
        return 1
    most = [
        max((len(place.elements) for place in places if place.group == number), default=1) for number in range(groups)
    ]
    return min(most)


def counted_df(X: Floats, groups: Sequence[Integers]) -> int:
    """Return the smallest number of levels that a grouping factor has beyond the fixed effects between its levels.

    `X` is n × k, each of `groups` holds the level (0, 1, …) of every row. At least 1.

    >>> person, item = np.repeat(np.arange(6), 4), np.tile(np.arange(4), 6)
    >>> group, condition = (person % 2).astype(float), ((person + item) % 2).astype(float)
    >>> X = np.column_stack([np.ones(24), group, condition, group * condition])
    >>> counted_df(X, [person]), counted_df(X, [person, item])
    (4, 3)
    """
    least = []
    for index in groups:
        sizes = np.bincount(index)
        means = np.column_stack([np.bincount(index, column) / np.maximum(sizes, 1) for column in X.T])
        within = np.abs(X - means[index]).max(axis=0) > 1e-9 * np.maximum(np.abs(X).max(axis=0), 1e-300)
        least.append(int((sizes > 0).sum()) - int(np.linalg.matrix_rank(X[:, ~within])))
    return max(min(least), 1)


def _with_intercept(model: Fitted) -> tuple[Floats, Floats]:
    """Return the columns of a cumulative model with the intercept before them, and their units where it is one too."""
    X, k = model.problem.X, len(model.beta)
    units = np.eye(k)
    units[:, 1:] = model.units[:k, : k - 1]
    return np.column_stack([np.ones(len(X)), X]), units


def _twice_inverse(hessian: Floats) -> Floats:
    """Return 2 H⁻¹; directions without curvature (variances of zero) count nothing."""
    values, vectors = np.linalg.eigh(hessian)
    usable = values > FLAT * max(float(values.max(initial=0.0)), 1e-300)
    return np.asarray(2 * (vectors[:, usable] / values[usable]) @ vectors[:, usable].T)


def _covariance(mode: Mode, k: int) -> Floats:
    """Return the block of the fixed effects, which are the last group."""
    factored = mode.factored
    return np.zeros((k, k)) if factored is None else np.asarray(factored.last[-k:, -k:])


def _begun(model: Fitted) -> tuple[Floats, Floats, Floats]:
    """Return θ and τ of the likelihood, and its Hessian over both with fixed effects and intercept at their best."""
    optimum = model.optimum
    t, k, thresholds = len(optimum.theta), len(optimum.beta), optimum.extra
    free, fixed = np.eye(len(optimum.hessian), t), np.eye(len(optimum.hessian), k, -t)
    tau = np.zeros(0)
    if model.has_thresholds:
        tau = (thresholds - thresholds.mean())[:-1]
        above = np.zeros((t + k, len(thresholds)))
        free = np.column_stack([free, np.vstack([above[:, 1:], Centred.basis(len(thresholds))])])
        fixed = np.column_stack([fixed, np.append(above[:, 0], -np.ones(len(thresholds)))])
    elif len(thresholds):
        tau = thresholds
        free = np.column_stack([free, np.eye(len(optimum.hessian), len(tau), -t - k)])
    cross, inner = free.T @ optimum.hessian @ fixed, fixed.T @ optimum.hessian @ fixed
    profiled = free.T @ optimum.hessian @ free - cross @ np.linalg.pinv(inner) @ cross.T
    return optimum.theta, tau, np.asarray(profiled)


def _diagonal(places: tuple[Place, ...]) -> np.typing.NDArray[np.bool_]:
    return np.array([place.diagonal for place in places], dtype=np.bool_)

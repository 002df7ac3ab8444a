"""Fit a generalised linear mixed model, with estimates in the units of the data and Wald z tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy

from analysis.methods.arrays import Floats, Integers
from analysis.methods.generalised.fitting.blocks import Grouping, Problem
from analysis.methods.generalised.fitting.optimise import Optimum
from analysis.methods.generalised.fitting.optimise import fit as optimum_of
from analysis.methods.generalised.likelihoods.answers import Likelihood
from analysis.methods.mixed.design.matrices import Design, Group
from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.design.variables import Categorical, Numeric, Read
from analysis.methods.mixed.estimates.interfaces import Estimates, Tested
from analysis.methods.mixed.estimates.means import unknown
from analysis.methods.mixed.estimates.scales import BINOMIAL, LOG_ODDS, Scale
from analysis.methods.mixed.fitting import curvature
from analysis.methods.mixed.fitting.crossproducts import Scaled, check_memory, independent, scales_of

Theta = Callable[[tuple[Group, ...]], Floats | None]


@dataclass(frozen=True)
class Fitted(Estimates):
    """A fitted model.

    `extra` are thresholds, or the logarithm of what the family has beside the mean (θ of counts, the shape of times),
    `joint` is the covariance matrix of fixed effects and these. `design` is over the rows that decide (see `finite`);
    `rank` is the number of independent columns of X over all rows. `problem` is what was optimised, and `units` turns
    its parameters (fixed effects, thresholds) into those of X; `has_thresholds` says whether thresholds stand for the
    intercept.
    """

    reml = False
    design: Design
    whole: Design
    prepared: Scaled
    optimum: Optimum
    names: tuple[str, ...]
    beta: Floats
    covariance: Floats
    extra: Floats
    joint: Floats
    rank: int
    problem: Problem
    units: Floats
    scale: Scale = LOG_ODDS
    has_thresholds: bool = False

    @property
    def has_two_outcomes(self) -> bool:
        """Return whether single answers are one of two: a logistic model, or a cumulative one with one threshold."""
        return self.scale.family == BINOMIAL and len(self.extra) == self.has_thresholds

    @property
    def lambdas(self) -> tuple[Floats, ...]:
        """Return the factors Λ of the groups, in scaled units."""
        return self.optimum.mode.lambdas

    @property
    def sigma(self) -> float:
        """Return the unit of the random effects: that of the linear predictor."""
        return 1.0

    @property
    def criterion(self) -> float:
        """Return −2 log likelihood by Laplace."""
        return self.optimum.mode.criterion

    @property
    def parameters(self) -> int:
        """Return the number of parameters: fixed effects, thresholds, what a family has beside the mean, and θ."""
        return self.rank + max(len(self.extra), self.scale.dispersions) + len(self.optimum.theta)

    def contrast(self, weights: Floats) -> Tested:
        """Test one contrast of the fixed effects against zero (Wald, z)."""
        return tested(float(weights @ self.beta), float(weights @ self.covariance @ weights))

    def chi_square_test(self, contrasts: Floats) -> tuple[int, float, float]:
        """Return df, χ² and p of several contrasts together (Wald)."""
        values, vectors = np.linalg.eigh(contrasts @ self.covariance @ contrasts.T)
        usable = values > 1e-10 * max(float(values.max(initial=0.0)), 0.0)
        along = vectors.T[usable] @ (contrasts @ self.beta)
        chi2 = float((along**2 / values[usable]).sum())
        df = int(usable.sum())
        return df, chi2, float(scipy.stats.chi2.sf(chi2, df))

    def coefficient(self, column: int) -> Floats | None:
        """Return the weights of a coefficient of X, or None where it was dropped or has no finite estimate."""
        if self.is_limit:
            known = independent(self.whole.fixed.values)[0]
            if column not in known or unknown(self, among=known).touches(np.eye(len(known))[known.index(column)]):
                return None
        return super().coefficient(column)


def tested(estimate: float, variance: float) -> Tested:
    """Return a Wald test with z (infinite degrees of freedom)."""
    se = float(np.sqrt(max(variance, 0.0)))
    z = estimate / se if se > 0 else float("nan")
    return Tested(estimate, se, float("inf"), z, float(2 * scipy.stats.norm.sf(abs(z))))


def fitted(
    design: Design,
    likelihood: Likelihood,
    *,
    whole: Design | None = None,
    extra: Floats | None = None,
    scale: Scale = LOG_ODDS,
    begin: Floats | None = None,
    dispersion: Floats | None = None,
    unit: float = 1.0,
    theta: Theta | None = None,
    near: Optimum | None = None,
    watch: Callable[[int], None] = lambda count: None,
) -> Fitted:
    """Fit a design with a likelihood of its rows, starting `near` the optimum of another outcome where one is given.

    `extra` starts the thresholds of a model for ordered categories. Its thresholds take the place of the intercept:
    the intercept that is reported is minus their mean. `dispersion` starts what a family has beside the mean, `begin`
    is a linear predictor (n) to start from, and `theta` gives θ to start from. In the likelihood the linear predictor
    is divided by `unit`. `whole` is the design over all rows where `design` is a part of it.

    Raises BadInput where the random effects need too much memory.
    """
    groups = tuple(sorted(design.groups, key=lambda group: -group.size))
    others = sum(group.size for group in groups[1:])
    check_memory(groups, 8.0 * (4 * (groups[0].size if groups else 0) * others + 6 * others**2))
    X = design.fixed.values
    n = len(X)
    sizes = np.maximum(np.abs(X).max(axis=0, initial=0.0), 1e-300)
    kept, root = independent(X / sizes)
    scaled = X[:, list(kept)] / sizes[list(kept)]
    Q = (
        scipy.linalg.solve_triangular(root, scaled.T, trans="T", lower=False).T * np.sqrt(n)
        if kept
        else np.zeros((n, 0))
    )
    skipped = 0 if extra is None else 1
    scales = tuple(scales_of(group) for group in groups)
    problem = Problem(
        likelihood,
        np.ascontiguousarray(Q[:, skipped:]),
        tuple(
            Grouping(group.index, np.ascontiguousarray(group.columns / scale), len(group.levels))
            for group, scale in zip(groups, scales, strict=True)
        ),
    )
    blocks = tuple((number, block) for number, group in enumerate(groups) for block in group.blocks)
    beside = next((one for one in (extra, dispersion) if one is not None), np.zeros(0))
    optimum = optimum_of(
        problem,
        curvature.places(groups),
        blocks,
        beside,
        beta=None if begin is None else problem.X.T @ begin / n,
        theta=None if theta is None else theta(groups),
        near=near,
        watch=watch,
    )
    if extra is None:
        back = _in_units(root, sizes[list(kept)], n=n, thresholds=0) * unit
        turned = np.asarray(scipy.linalg.block_diag(back, np.eye(len(beside))))
    else:
        turned = _in_units(root, sizes[list(kept)], n=n, thresholds=len(extra))
    scales = tuple(one / unit for one in scales)
    values = turned @ np.concatenate([optimum.beta, optimum.extra])
    covariance = turned @ optimum.covariance @ turned.T
    k = len(kept)
    return Fitted(
        design=design,
        whole=whole or design,
        prepared=Scaled(groups, scales, kept, root, len((whole or design).y)),
        optimum=optimum,
        names=tuple(design.fixed.names[column] for column in kept),
        beta=values[:k],
        covariance=covariance[:k, :k],
        extra=values[k:],
        joint=covariance,
        rank=(k if whole is None else len(independent(whole.fixed.values)[0])) - skipped,
        problem=problem,
        units=turned,
        scale=scale,
        has_thresholds=extra is not None,
    )


def _in_units(root: Floats, sizes: Floats, *, n: int, thresholds: int) -> Floats:
    """Return what turns (coefficients of √n Q, thresholds) into (coefficients of X, thresholds).

    With thresholds, the first column of Q is the constant and was left out: what the other columns of X hold of it
    moves into the thresholds, and the intercept is minus their mean.
    """
    k = len(sizes)
    back = np.asarray(scipy.linalg.solve_triangular(root, np.eye(k), lower=False)) * np.sqrt(n) / sizes[:, None]
    if not thresholds:
        return np.asarray(back, dtype=np.float64)
    made = np.zeros((k + thresholds, k - 1 + thresholds))
    made[1:k, : k - 1] = back[1:, 1:]
    made[k:, : k - 1] = -back[0, 1:]
    made[k:, k - 1 :] = np.eye(thresholds)
    made[0] = -made[k:].mean(axis=0)
    return made


def restricted(design: Design, rows: Integers) -> Design:
    """Return a design over some of its rows; levels of groups that no row has are gone."""
    predictors: dict[Variable, Read] = {}
    for variable, read in design.variables.predictors.items():
        if isinstance(read, Categorical):
            predictors[variable] = replace(read, index=read.index[rows])
        else:
            predictors[variable] = Numeric(variable, read.values[rows], read.at_mean)
    groups = []
    for group in design.groups:
        used, index = np.unique(group.index[rows], return_inverse=True)
        levels = tuple(group.levels[level] for level in used)
        groups.append(replace(group, levels=levels, index=np.asarray(index), columns=group.columns[rows]))
    return replace(
        design,
        variables=replace(design.variables, response=design.variables.response[rows], predictors=predictors),
        y=design.y[rows],
        fixed=replace(design.fixed, values=design.fixed.values[rows]),
        groups=tuple(groups),
    )

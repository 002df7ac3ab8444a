"""Pairs without ties as a mixed logistic model: people (or items) differ in what each option is worth to them.

logit P(i chosen) = (λ_i + u_pi) − (λ_j + u_pj) ± δ, with u_pi ~ N(0, σ_i²): one standard deviation per option, so
that the model does not depend on which option is named first. Fitted by Laplace, like all mixed logistic models here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.generalised.fitting.blocks import Grouping, Problem
from analysis.methods.generalised.fitting.optimise import fit as optimum_of
from analysis.methods.generalised.likelihoods.answers import Binomial
from analysis.methods.mixed.design.matrices import Block
from analysis.methods.mixed.fitting.curvature import Place
from analysis.methods.preference.judgements import Ints, Judgements
from analysis.methods.preference.likelihood import basis_of

MOST_OPTIONS = 12
"""Options up to which the model is fitted: it has a standard deviation for each, and each kind of cluster."""


@dataclass(frozen=True)
class Mixed:
    """Estimates in the coordinates of `basis_of`, then the side; `sds` per kind of cluster, one per option."""

    theta: Floats
    covariance: Floats
    criterion: float
    sds: tuple[Floats, ...]
    converged: bool
    singular: bool


def fitted(judgements: Judgements, clusters: Sequence[Ints], *, sided: bool) -> Mixed:
    """Fit the model to pairs without ties; `clusters` are positions of participants or items, or both."""
    number = len(judgements.options)
    pair = np.array([judgement.pair for judgement in judgements.made], dtype=np.intp)
    won = np.array([judgement.tiers[0] == (judgement.pair[0],) for judgement in judgements.made], dtype=np.float64)
    rows = np.arange(len(pair))
    against = np.zeros((len(pair), number))
    against[rows, pair[:, 0]], against[rows, pair[:, 1]] = 1.0, -1.0
    X = against @ basis_of(number)
    if sided:
        X = np.column_stack([X, [float(judgement.first) for judgement in judgements.made]])
    # Of two options only the difference is seen, so that there is one standard deviation.
    columns = against if number > 2 else against[:, :1]
    groupings = [Grouping(index, columns, int(index.max()) + 1) for index in clusters]
    order = sorted(range(len(groupings)), key=lambda at: -groupings[at].levels)
    problem = Problem(Binomial(won, np.ones(len(won))), np.ascontiguousarray(X), tuple(groupings[at] for at in order))
    width = columns.shape[1]
    blocks = tuple((group, Block((column,))) for group in range(len(order)) for column in range(width))
    places = tuple(Place(group, column, column) for group, block in blocks for column in block.columns)
    found = optimum_of(problem, places, blocks, np.zeros(0))
    sds = [np.abs(np.diag(factor)) for factor in found.mode.lambdas]
    return Mixed(
        theta=found.beta,
        covariance=found.covariance,
        criterion=found.mode.criterion,
        sds=tuple(sds[order.index(at)] for at in range(len(order))),
        converged=found.converged,
        singular=found.singular,
    )

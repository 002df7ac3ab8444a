"""Participants and items as random by drawing them anew: the cluster bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from analysis.methods.preference.choices import Choices
from analysis.methods.preference.connected import tiers, wins
from analysis.methods.preference.judgements import Floats, Ints, Pairwise
from analysis.methods.preference.likelihood import FAR, fit, gradients, with_pseudo


def covariance(
    choices: Choices,
    pairs: Pairwise,
    theta: Floats,
    clusters: Sequence[Ints],
    *,
    options: int,
    pseudo: bool,
    draws: int,
    random: np.random.Generator,
    advance: Callable[[float], None],
) -> tuple[Floats, int]:
    """Return the covariance matrix of estimates over draws of clusters with replacement, and the draws that count.

    `clusters` are positions per judgement, one array for each of participants and items that is random; with both, a
    judgement counts by the product of the numbers in which its participant and its item were drawn (Owen 2007). In a
    draw where an option always won or always lost all estimates are kept finite as `with_pseudo` does. The variance is
    enlarged by G/(G − 1) for G clusters, as that of a mean would need.
    """
    helped, ghosts = with_pseudo(choices, options)
    found: list[Floats] = []
    for draw in range(draws):
        weight = np.ones(len(clusters[0]))
        for index in clusters:
            size = int(index.max()) + 1
            weight *= random.multinomial(size, np.full(size, 1 / size))[index]
        table = wins(pairs, options, weight)
        of_choices = weight[choices.judgement]
        if pseudo or len(tiers(table)) > 1:
            made = fit(helped, np.concatenate([of_choices, ghosts]), start=theta)
        else:
            made = fit(choices, of_choices, start=theta)
        if made.converged and float(np.abs(made.theta).max()) < FAR:
            found.append(made.theta)
        advance((draw + 1) / draws)
    sizes = [int(index.max()) + 1 for index in clusters]
    if len(found) < max(20, draws // 2):
        return np.full((len(theta), len(theta)), np.nan), len(found)
    return np.cov(np.array(found).T).reshape(len(theta), -1) * min(sizes) / (min(sizes) - 1), len(found)


def inflation(choices: Choices, theta: Floats, information: Floats, cluster: Ints) -> float:
    """Return by how much standard errors grow, on average, when the choices of a cluster hang together (sandwich)."""
    scores = gradients(choices, theta)
    size = int(cluster.max()) + 1
    if size < 2:
        return 1.0
    owner = cluster[choices.judgement]
    sums = np.column_stack([np.bincount(owner, weights=column, minlength=size) for column in scores.T])
    robust = information @ (sums.T @ sums) @ information * size / (size - 1)
    usual = np.diag(information)
    return float(np.sqrt(np.mean(np.diag(robust) / np.where(usual > 0, usual, 1))))

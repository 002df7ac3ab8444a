"""Standard errors that take participants and items as random, by the cluster bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.preference.choices import Choices
from analysis.methods.preference.connected import tiers, wins
from analysis.methods.preference.judgements import Ints, Pairwise
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

    `clusters` are positions per judgement, one array for each of participants and items that is random. With both, the
    matrices of drawing participants and of drawing items are added, and that of drawing what both share is taken off
    (Cameron, Gelbach & Miller 2011); what is then below zero is zero. Drawing both at once would count noise three
    times. In a draw where an option always won or always lost all estimates are kept finite as `with_pseudo` does. A
    variance is enlarged by G/(G − 1) for G clusters, as that of a mean would need.
    """
    shared = np.unique(np.column_stack(list(clusters)), axis=0, return_inverse=True)[1].ravel()
    parts = [(1.0, index) for index in clusters]
    if len(clusters) > 1:
        parts.append((-1.0, shared.astype(np.intp)))
    total = np.zeros((len(theta), len(theta)))
    fewest = draws
    for number, (sign, index) in enumerate(parts):

        def ahead(share: float, number: int = number) -> None:
            advance((number + share) / len(parts))

        made = _drawn(choices, pairs, theta, index, options, pseudo=pseudo, draws=draws, random=random, advance=ahead)
        fewest = min(fewest, len(made))
        if len(made) < max(20, draws // 2):
            return np.full_like(total, np.nan), len(made)
        size = int(index.max()) + 1
        total += sign * np.cov(np.array(made).T).reshape(total.shape) * size / (size - 1)
    values, vectors = np.linalg.eigh(total)
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T), fewest


def _drawn(
    choices: Choices,
    pairs: Pairwise,
    theta: Floats,
    index: Ints,
    options: int,
    *,
    pseudo: bool,
    draws: int,
    random: np.random.Generator,
    advance: Callable[[float], None],
) -> list[Floats]:
    helped, ghosts = with_pseudo(choices, options)
    size = int(index.max()) + 1
    found: list[Floats] = []
    for draw in range(draws):
        weight = random.multinomial(size, np.full(size, 1 / size))[index].astype(np.float64)
        of_choices = weight[choices.judgement]
        if pseudo or len(tiers(wins(pairs, options, weight))) > 1:
            made = fit(helped, np.concatenate([of_choices, ghosts]), start=theta)
        else:
            made = fit(choices, of_choices, start=theta)
        if made.converged and float(np.abs(made.theta).max()) < FAR:
            found.append(made.theta)
        advance((draw + 1) / draws)
    return found


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

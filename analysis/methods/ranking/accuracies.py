"""Pairwise accuracy at input and at system level, with bootstrap intervals over inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from analysis.methods.arrays import Floats, without_noise
from analysis.methods.ranking.folding import Ints, Pairs

LEVELS = ("input", "system")
FEWEST_DRAWS = 20


@dataclass(frozen=True)
class Accuracy:
    """Accuracy as the mean over folds, NaN where no pair is left; the pairs of all folds, and their ties."""

    value: float
    pairs: int
    tied: int
    draws: Floats


@dataclass(frozen=True)
class Ratings:
    """What people said, and how texts are grouped. `folds` are the inputs of each fold, `pairs` those of all folds."""

    items: Ints
    systems: Ints
    ratings: Floats
    pairs: Pairs
    folds: Sequence[Ints]

    @property
    def number_of_systems(self) -> int:
        """How many systems there are."""
        return int(self.systems.max()) + 1


def resampled(folds: Sequence[Ints], draws: int, random: np.random.Generator) -> list[Floats]:
    """Return for each fold how often each of its inputs is drawn (rows are draws), with replacement from all inputs.

    They are not drawn within folds: of a fold of one or two inputs that would leave hardly any chance.
    """
    sizes = [len(fold) for fold in folds]
    drawn = random.multinomial(sum(sizes), np.full(sum(sizes), 1 / sum(sizes)), size=draws).astype(np.float64)
    return np.split(drawn, np.cumsum(sizes)[:-1], axis=1)


def input_level(data: Ratings, scores: Floats, weights: Sequence[Floats]) -> Accuracy:
    """Return how often the better of two texts of an input has the higher score; equal scores count a half."""
    right = _agreement(scores[data.pairs.better] - scores[data.pairs.worse])
    size = int(data.items.max()) + 1
    correct = np.bincount(data.pairs.item, weights=right, minlength=size)
    number = np.bincount(data.pairs.item, minlength=size).astype(np.float64)
    # The first row is what was found, the others are draws.
    rows = [np.vstack([np.ones(len(fold)), w]) for fold, w in zip(data.folds, weights, strict=True)]
    found = _mean_of(
        [(row @ correct[fold], row @ number[fold]) for fold, row in zip(data.folds, rows, strict=True)],
        [row.mean(axis=1) for row in rows],
    )
    return Accuracy(value=float(found[0]), pairs=len(right), tied=data.pairs.tied, draws=found[1:])


def system_level(data: Ratings, scores: Floats, weights: Sequence[Floats]) -> Accuracy:
    """Return how often the better of two systems, by its mean rating in the fold, has the higher mean score there.

    With all inputs as one fold (see `as_one_fold`) these are means over all inputs that were tested. In every draw of
    the bootstrap the systems are rated and scored again on the inputs drawn; a fold of which none was drawn has no part
    in it.
    """
    first, second = np.triu_indices(data.number_of_systems, k=1)
    parts: list[tuple[Floats, Floats]] = []
    counts: list[Floats] = []
    pairs = tied = 0
    for fold, drawn in zip(data.folds, weights, strict=True):
        rows = np.vstack([np.ones(len(fold)), drawn])
        rated, scored = _system_means(data, scores, fold, rows)
        gold, found = rated[:, first] - rated[:, second], scored[:, first] - scored[:, second]
        both = ~np.isnan(gold)
        differ = both & (gold != 0)
        right = np.where(differ, _agreement(np.sign(gold) * found), 0).sum(axis=1)
        pairs += int(differ[0].sum())
        tied += int((both & (gold == 0))[0].sum())
        parts.append((right, differ.sum(axis=1).astype(np.float64)))
        counts.append(rows.mean(axis=1))
    means = _mean_of(parts, counts)
    return Accuracy(value=float(means[0]), pairs=pairs, tied=tied, draws=means[1:])


def as_one_fold(data: Ratings, weights: Sequence[Floats]) -> tuple[Ratings, list[Floats]]:
    """Return ratings and draws with the inputs of all folds as one, for averages of systems over all of them.

    >>> from analysis.methods.ranking.folding import pairs_of
    >>> items = np.array([0, 1])
    >>> data = Ratings(items, items, np.ones(2), pairs_of(items, np.ones(2)), [np.array([1]), np.array([0])])
    >>> one, drawn = as_one_fold(data, [np.array([[3.0]]), np.array([[5.0]])])
    >>> one.folds[0].tolist(), drawn[0].tolist()
    ([0, 1], [[5.0, 3.0]])
    """
    inputs = np.concatenate(list(data.folds))
    order = np.argsort(inputs)
    return replace(data, folds=[inputs[order]]), [np.concatenate(list(weights), axis=1)[:, order]]


def interval(value: float, draws: Floats, confidence: float) -> tuple[float | None, float | None]:
    """Return value ± z · standard deviation of the draws; none below 20 draws that are defined.

    Percentiles will not do at system level: inputs that are drawn twice add noise to the means of systems, so that
    nearly all draws lie below the value itself.
    """
    known = draws[~np.isnan(draws)]
    if len(known) < FEWEST_DRAWS or np.isnan(value):
        return None, None
    half = float(scipy.stats.norm.isf((1 - confidence) / 2) * known.std(ddof=1))
    return value - half, value + half


def _system_means(data: Ratings, scores: Floats, fold: Ints, weights: Floats) -> tuple[Floats, Floats]:
    """Return mean ratings and mean scores of the systems (columns) under weights of the inputs of a fold (rows)."""
    inside = np.isin(data.items, fold)
    place = np.searchsorted(fold, data.items[inside])
    cell = place * data.number_of_systems + data.systems[inside]
    shape = (len(fold), data.number_of_systems)

    def table(values: Floats) -> Floats:
        counted = np.bincount(cell, weights=values, minlength=shape[0] * shape[1])
        return np.asarray(counted.reshape(shape), dtype=np.float64)

    number = weights @ table(np.ones(len(cell)))
    empty = number == 0

    def means_of(values: Floats) -> Floats:
        means = (weights @ table(values[inside])) / np.where(empty, 1, number)
        # Means that are equal on paper may differ in their last binary digit; ranks must not.
        rounded = without_noise(means.ravel()).reshape(means.shape)
        return np.asarray(np.where(empty, np.nan, rounded), dtype=np.float64)

    return means_of(data.ratings), means_of(scores)


def _agreement(differences: Floats) -> Floats:
    """Return 1 where a difference has the right sign, a half where there is none."""
    return np.where(differences > 0, 1.0, np.where(differences == 0, 0.5, 0.0))


def _mean_of(parts: Sequence[tuple[Floats, Floats]], counts: Sequence[Floats]) -> Floats:
    """Return the mean over folds of right / pairs, over the folds that have pairs.

    In a draw a fold counts by how many inputs of it were drawn, relative to its size (`counts`): where every input is
    a fold, one that was drawn twice counts twice.
    """
    right, total = (np.array([part[which] for part in parts]) for which in (0, 1))
    weights = np.where(total > 0, np.array(counts), 0.0)
    shares = (weights * right / np.where(total > 0, total, 1)).sum(axis=0)
    whole = weights.sum(axis=0)
    return np.asarray(np.where(whole > 0, shares / np.where(whole > 0, whole, 1), np.nan), dtype=np.float64)

"""Folds over inputs, rankers trained outside the fold, and the meta ranker on their predictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.methods.arrays import Floats
from analysis.methods.ranking.svm import fit

Ints = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Pairs:
    """Pairs of texts of the same input whose ratings differ: positions of the better and of the worse text."""

    better: Ints
    worse: Ints
    item: Ints
    tied_item: Ints
    """The input of each pair that is left out because its ratings are equal."""

    @property
    def tied(self) -> int:
        """How many pairs have equal ratings."""
        return len(self.tied_item)

    def among(self, items: Ints) -> Pairs:
        """Return the pairs of these inputs."""
        chosen = np.isin(self.item, items)
        tied = self.tied_item[np.isin(self.tied_item, items)]
        return Pairs(self.better[chosen], self.worse[chosen], self.item[chosen], tied)


def pairs_of(items: Ints, ratings: Floats) -> Pairs:
    """Return all pairs within inputs; those with equal ratings are only counted.

    >>> found = pairs_of(np.array([0, 0, 0]), np.array([1.0, 3.0, 1.0]))
    >>> found.better.tolist(), found.worse.tolist(), found.tied
    ([1, 1], [0, 2], 1)
    """
    better: list[int] = []
    worse: list[int] = []
    tied: list[int] = []
    for item in np.unique(items):
        places = np.flatnonzero(items == item)
        first, second = np.triu_indices(len(places), k=1)
        for a, b in zip(places[first].tolist(), places[second].tolist(), strict=True):
            if ratings[a] == ratings[b]:
                tied.append(int(item))
            else:
                better.append(a if ratings[a] > ratings[b] else b)
                worse.append(b if ratings[a] > ratings[b] else a)
    up, down = np.array(better, dtype=np.intp), np.array(worse, dtype=np.intp)
    return Pairs(up, down, items[up] if len(up) else up, np.array(tied, dtype=np.intp))


def folds_of(number: int, *, folds: int, random: np.random.Generator) -> list[Ints]:
    """Deal the inputs 0 … number − 1 into folds at random, as equal in size as can be.

    >>> sorted(len(fold) for fold in folds_of(7, folds=3, random=np.random.default_rng(0)))
    [2, 2, 3]
    """
    order = random.permutation(number)
    return [np.sort(order[start::folds]) for start in range(folds)]


@dataclass(frozen=True)
class Ranker:
    """Weights of features in units of their standard deviation among the texts that it was trained on.

    A value that a text does not have counts as the mean of the others; means cancel within pairs otherwise.
    """

    weights: Floats
    centre: Floats
    spread: Floats

    def scores(self, features: Floats) -> Floats:
        """Return one number per text, larger for better ones."""
        scaled = scale(features, self.centre, self.spread)
        # Sums in one order: texts with the same features must get the same score, to the last digit.
        return np.asarray((scaled * self.weights).sum(axis=1))


def scale(features: Floats, centre: Floats, spread: Floats) -> Floats:
    """Return features from their centre in units of their spread; what is missing, or never varied, is 0."""
    return np.nan_to_num((features - centre) / spread, nan=0.0, posinf=0.0, neginf=0.0)


def measures_of(features: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of every feature where it is defined; a constant one has no spread (inf)."""
    known = ~np.isnan(features)
    number = np.maximum(known.sum(axis=0), 1)
    centre = np.where(known, features, 0).sum(axis=0) / number
    deviations = np.where(known, features - centre, 0)
    spread = np.sqrt((deviations**2).sum(axis=0) / number)
    return centre, np.where(spread > 1e-9 * np.maximum(1, np.abs(centre)), spread, np.inf)


def trained(features: Floats, pairs: Pairs, texts: Ints, *, c: float) -> Ranker:
    """Train a ranker on pairs; `texts` are those that give means and standard deviations."""
    centre, spread = measures_of(features[texts])
    scaled = scale(features, centre, spread)
    return Ranker(fit(scaled[pairs.better] - scaled[pairs.worse], c=c), centre, spread)


def held_out(features: Floats, pairs: Pairs, texts: Ints, items: Ints, ranker: Ranker, *, c: float) -> Floats:
    """Return the score of each of `texts` by a ranker trained without its input (jackknife), NaN elsewhere.

    Means and standard deviations stay those of all training texts: they hold no ratings.
    """
    scaled = scale(features, ranker.centre, ranker.spread)
    differences = scaled[pairs.better] - scaled[pairs.worse]
    found = np.full(len(features), np.nan)
    for item in np.unique(items[texts]):
        weights = fit(differences[pairs.item != item], c=c, start=ranker.weights)
        own = texts[items[texts] == item]
        found[own] = (scaled[own] * weights).sum(axis=1)
    return found


@dataclass(frozen=True)
class Fold:
    """One fold: the texts of its inputs, those of all others, and the features of all texts as learnt for it."""

    test: Ints
    train: Ints
    features: Floats


def predictions(
    folds: Sequence[Fold],
    items: Ints,
    pairs: Pairs,
    sets: Mapping[str, Ints],
    classes: Sequence[str],
    *,
    c: float,
    advance: Callable[[float], None],
) -> tuple[dict[str, Floats], list[Floats]]:
    """Return for every set of features the score of each text by the ranker of its fold, and the weights of the meta
    rankers (one array per fold, in the order of `classes`).

    The meta ranker (`META`) ranks by the predictions of the rankers of single classes: in training these come from
    rankers that did not see the input, in the fold from rankers trained on all inputs outside it.
    """
    found = {name: np.full(len(items), np.nan) for name in sets}
    meta: list[Floats] = []
    if len(classes) > 1:
        found[META] = np.full(len(items), np.nan)
    for number, fold in enumerate(folds):
        own = pairs.among(np.unique(items[fold.train]))
        jackknifed = np.full((len(items), len(classes)), np.nan)
        for done, (name, columns) in enumerate(sets.items()):
            ranker = trained(fold.features[:, columns], own, fold.train, c=c)
            found[name][fold.test] = ranker.scores(fold.features[np.ix_(fold.test, columns)])
            if name in classes and META in found:
                jackknifed[:, list(classes).index(name)] = held_out(
                    fold.features[:, columns], own, fold.train, items, ranker, c=c
                )
            advance((number + (done + 1) / len(sets)) / len(folds))
        if META in found:
            jackknifed[fold.test] = np.column_stack([found[name][fold.test] for name in classes])
            ranker = trained(jackknifed, own, fold.train, c=c)
            found[META][fold.test] = ranker.scores(jackknifed[fold.test])
            meta.append(ranker.weights)
    return found, meta


META = "meta"

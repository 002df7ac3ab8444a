"""Repeated cross-validation: accuracies of the same rankers over further random divisions into folds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.ranking import folding
from analysis.methods.ranking.accuracies import LEVELS
from analysis.methods.ranking.folding import Fold, Ints
from analysis.methods.ranking.rankers import Ranked, accuracies_of, is_ablated, pairs_in
from analysis.methods.ranking.texts import Texts

Shares = dict[tuple[str, str], list[float]]
"""Accuracies by set of features and level, one per division."""


def over_splits(
    texts: Texts,
    results: Sequence[Ranked],
    divisions: Sequence[tuple[Sequence[Ints], Sequence[Fold]]],
    sets: Mapping[str, Ints],
    classes: Sequence[str],
    *,
    c: float,
    system_level: str,
    advance: Callable[[float], None],
) -> list[Shares]:
    """Return the accuracies of every rating in its own folds and in further ones; sets that something was taken from
    are left out.
    """
    whole = {name: columns for name, columns in sets.items() if not is_ablated(name)}
    found: list[Shares] = []
    for number, result in enumerate(results):
        pairs = pairs_in(texts, result.score)
        shares: Shares = {
            (name, level): [levels[level].value]
            for level in LEVELS
            for name, levels in result.found.items()
            if level in levels and not is_ablated(name)
        }
        for at, (folds, matrices) in enumerate(divisions):
            predicted, _ = folding.predictions(
                matrices, texts.items, pairs, whole, classes, c=c, advance=lambda share: None
            )
            none: list[Floats] = [np.empty((0, len(fold))) for fold in folds]
            measured = accuracies_of(texts, result.score, folds, pairs, predicted, none, system_level=system_level)
            for name, level in shares:
                shares[name, level].append(measured[name][level].value)
            advance((number + (at + 1) / len(divisions)) / len(results))
        found.append(shares)
    return found

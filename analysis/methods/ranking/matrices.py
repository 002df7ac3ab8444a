"""Feature matrices, one per fold, in which nothing is learnt from the test fold or from a text's own input.

For the texts of a fold, language models, word coherence and word weights are learnt from all inputs outside it. For
the texts outside it, the others are dealt into groups, and each group gets its values from what is learnt from the
other groups: otherwise a ranker would be trained on texts that the language model knows, and tested on others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.ranking.folding import Fold, Ints, folds_of
from analysis.text.quality import measuring
from analysis.text.quality.language_model import OfOrder
from analysis.text.quality.segments import Sentence

GROUPS = 5


def features_per_fold(
    documents: Sequence[measuring.Document],
    items: Ints,
    folds: Sequence[Ints],
    *,
    models: Sequence[OfOrder] | None,
    corpus: Sequence[Sequence[Sentence]] | None = None,
    random: np.random.Generator,
    advance: Callable[[float], None],
) -> tuple[tuple[str, ...], list[Fold]]:
    """Return the names of the features and, for every fold, the values of all texts."""
    own = []
    for number, document in enumerate(documents, start=1):
        own.append(measuring.own_features(document))
        advance(0.5 * number / len(documents))
    learning = measuring.Learning(documents, items.tolist(), models, corpus)
    found: list[Fold] = []
    names: tuple[str, ...] = ()
    for number, fold in enumerate(folds):
        test, train = np.flatnonzero(np.isin(items, fold)), np.flatnonzero(~np.isin(items, fold))
        others = np.unique(items[train])
        groups = [others[group] for group in folds_of(len(others), folds=min(GROUPS, len(others)), random=random)]
        every = dict.fromkeys(name for row in own for name in row)
        columns: dict[str, Floats] = {name: np.array([row.get(name, np.nan) for row in own]) for name in every}
        columns = {
            name: values
            for name, values in columns.items()
            if name not in measuring.NEED_HEADS or not np.isnan(values).all()
        }
        for taught in (fold, *groups):
            teachers = np.zeros(int(items.max()) + 1, dtype=bool)
            teachers[others] = True
            teachers[taught] = False
            places = np.flatnonzero(np.isin(items, taught))
            for name, values in learning.features(teachers, places.tolist()).items():
                columns.setdefault(name, np.full(len(items), np.nan))[places] = values
        names = tuple(sorted(columns, key=lambda name: measuring.CLASSES.index(measuring.class_of(name))))
        found.append(Fold(test, train, np.column_stack([columns[name] for name in names])))
        advance(0.5 + 0.5 * (number + 1) / len(folds))
    return names, found


def out_of_fold(folds: Sequence[Fold]) -> Floats:
    """Return the features of every text as they were when its own fold was left out; those of texts that are in no
    fold, being trained on only, as they were for training.
    """
    found = folds[0].features.copy()
    for fold in folds:
        found[fold.test] = fold.features[fold.test]
    return found

"""Everything that is computed for one rating: predictions, accuracies, weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.methods.ranking import accuracies, folding
from analysis.methods.ranking.accuracies import Accuracy, Ratings
from analysis.methods.ranking.folding import META, Fold, Ints
from analysis.methods.ranking.matrices import out_of_fold
from analysis.methods.ranking.svm import Floats
from analysis.methods.ranking.texts import FEWEST_INPUTS, Texts
from analysis.methods.report import BadInput
from analysis.text.quality.measuring import class_of

ALL, LENGTH, WITHOUT = "all", "length", "without "
MOST_PAIRS = 200_000


@dataclass(frozen=True)
class Ranked:
    """The results for one rating. `found` are accuracies by set of features and level."""

    score: str
    found: dict[str, dict[str, Accuracy]]
    predicted: Floats
    weights: Floats
    alone: Floats
    meta: Floats | None
    inputs: int


def sets_of(names: Sequence[str], classes: Sequence[str]) -> dict[str, Ints]:
    """Return the columns of every set: each class, all of them, all without one, and the length alone.

    >>> found = sets_of(["lm_bigram_mean", "fluency_log_words"], ["language_model", "sentence_fluency"])
    >>> {name: columns.tolist() for name, columns in found.items()}
    {'language_model': [0], 'sentence_fluency': [1], 'length': [1], 'all': [0, 1],
     'without language_model': [1], 'without sentence_fluency': [0]}
    """
    of = {name: [at for at, feature in enumerate(names) if class_of(feature) == name] for name in classes}
    found = dict(of)
    found[LENGTH] = [at for at, feature in enumerate(names) if feature == "fluency_log_words"]
    if len(classes) > 1:
        found[ALL] = sorted(at for places in of.values() for at in places)
        for name in classes:
            found[WITHOUT + name] = [at for at in found[ALL] if at not in of[name]]
    return {name: np.array(places, dtype=np.intp) for name, places in found.items()}


def ranked(
    texts: Texts,
    score: str,
    folds: Sequence[Ints],
    matrices: Sequence[Fold],
    sets: Mapping[str, Ints],
    classes: Sequence[str],
    *,
    c: float,
    draws: Sequence[Floats],
    by_system: bool,
    advance: Callable[[float], None],
) -> Ranked:
    """Train and test the rankers of one rating. Raises BadInput where too few texts differ in it."""
    ratings = texts.ratings[score]
    pairs = folding.pairs_of(texts.items, ratings)
    inputs = len(np.unique(pairs.item))
    if inputs < FEWEST_INPUTS:
        raise BadInput(
            f"Texts of the same input have different ratings of '{score}' for {inputs} inputs; rankers learn from such "
            f"differences and need {FEWEST_INPUTS} inputs at least. Check that score=… holds ratings and that item=… "
            f"and system=… name the right columns."
        )
    if len(pairs.better) > MOST_PAIRS:
        raise BadInput(
            f"There are {len(pairs.better):,} pairs of texts of the same input, more than the {MOST_PAIRS:,} that can "
            f"be ranked; analyse some of the texts with where=…, or check item=…"
        )
    predicted, meta = folding.predictions(matrices, texts.items, pairs, sets, classes, c=c, advance=advance)
    data = Ratings(texts.items, texts.systems, ratings, pairs, folds)
    found = {
        name: {"input": accuracies.input_level(data, values, draws)}
        | ({"system": accuracies.system_level(data, values, draws)} if by_system else {})
        for name, values in predicted.items()
    }
    features = out_of_fold(matrices)
    everything = np.arange(len(ratings))
    whole = sets.get(ALL, sets[classes[0]])
    weights, alone = np.zeros(features.shape[1]), np.zeros(features.shape[1])
    weights[whole] = folding.trained(features[:, whole], pairs, everything, c=c).weights
    for name in classes:
        alone[sets[name]] = folding.trained(features[:, sets[name]], pairs, everything, c=c).weights
    return Ranked(
        score=score,
        found=found,
        predicted=predicted.get(ALL, predicted[classes[0]]),
        weights=weights,
        alone=alone,
        meta=np.array(meta) if META in predicted else None,
        inputs=inputs,
    )

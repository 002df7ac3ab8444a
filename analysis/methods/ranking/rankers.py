"""Train and test the rankers of one rating: predictions, accuracies and weights by set of features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.ranking import accuracies, folding
from analysis.methods.ranking.accuracies import Accuracy, Ratings
from analysis.methods.ranking.folding import META, Fold, Ints
from analysis.methods.ranking.matrices import out_of_fold
from analysis.methods.ranking.texts import FEWEST_INPUTS, MOST_SYSTEMS, Texts
from analysis.methods.report import BadInput
from analysis.methods.wording import counted
from analysis.text.quality.measuring import class_of

ALL, LENGTH, WITHOUT = "all", "length", "without "
CONTINUITY, WITHIN = "continuity", "continuity without "
COMPONENTS = {
    "cosine": ("continuity_cosine_", "continuity_weighted_", "continuity_shared_", "continuity_pairs"),
    "coreference": ("continuity_antecedent_",),
    "source context": ("continuity_context_", "continuity_taken_"),
}
"""The components of the class continuity (Pitler, Louis & Nenkova 2010, section 6.3), by how features begin."""
ALL_INPUTS, WITHIN_FOLDS = "all-inputs", "within-folds"
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


def sets_of(names: Sequence[str], classes: Sequence[str]) -> dict[str, Ints]:
    """Return the columns of every set: each class, all of them, all without one, continuity without one of its
    components, and the length alone.

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
    if CONTINUITY in of:
        parts = {
            name: {at for at in of[CONTINUITY] if names[at].startswith(beginnings)}
            for name, beginnings in COMPONENTS.items()
        }
        for name, places in parts.items():
            if places and len(places) < len(of[CONTINUITY]):
                found[WITHIN + name] = [at for at in of[CONTINUITY] if at not in places]
    return {name: np.array(places, dtype=np.intp) for name, places in found.items()}


def is_ablated(name: str) -> bool:
    """Say whether a set of features is one from which something was taken."""
    return name.startswith((WITHOUT, WITHIN))


def pairs_in(texts: Texts, score: str) -> folding.Pairs:
    """Return the pairs of one rating. Raises BadInput where there are too few or too many to train and to test on."""
    pairs = folding.pairs_of(texts.items, texts.ratings[score])
    for where, inputs, fewest in (
        (" that is trained on" if texts.training is not None else "", texts.trained_inputs, FEWEST_INPUTS),
        (" that is tested", texts.tested_inputs, 1),
    ):
        number = len(np.unique(pairs.among(inputs).item))
        if number < fewest:
            raise BadInput(
                f"Texts of the same input{where} have different ratings of '{score}' for {number} inputs; rankers "
                f"learn from such differences and need {counted(fewest, 'input')} at least. Check that score=… holds "
                f"ratings and that item=… and system=… name the right columns."
            )
    if len(pairs.better) > MOST_PAIRS:
        raise BadInput(
            f"There are {len(pairs.better):,} pairs of texts of the same input, more than the {MOST_PAIRS:,} that can "
            f"be ranked; analyse some of the texts with where=…, or check item=…"
        )
    return pairs


def accuracies_of(
    texts: Texts,
    score: str,
    folds: Sequence[Ints],
    pairs: folding.Pairs,
    predicted: Mapping[str, Floats],
    draws: Sequence[Floats],
    *,
    system_level: str,
) -> dict[str, dict[str, Accuracy]]:
    """Return the accuracies of every set of features at both levels."""
    data = Ratings(texts.items, texts.systems, texts.ratings[score], pairs.among(texts.tested_inputs), folds)
    whole, together = accuracies.as_one_fold(data, draws) if system_level == ALL_INPUTS else (data, draws)
    by_system = len(texts.system_names) <= MOST_SYSTEMS
    return {
        name: {"input": accuracies.input_level(data, values, draws)}
        | ({"system": accuracies.system_level(whole, values, together)} if by_system else {})
        for name, values in predicted.items()
    }


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
    system_level: str,
    advance: Callable[[float], None],
) -> Ranked:
    """Train and test the rankers of one rating. Raises BadInput where too few texts differ in it."""
    pairs = pairs_in(texts, score)
    predicted, meta = folding.predictions(matrices, texts.items, pairs, sets, classes, c=c, advance=advance)
    found = accuracies_of(texts, score, folds, pairs, predicted, draws, system_level=system_level)
    features = out_of_fold(matrices)
    taught = np.flatnonzero(np.isin(texts.items, texts.trained_inputs))
    own = pairs.among(texts.trained_inputs)
    whole = sets.get(ALL, sets[classes[0]])
    weights, alone = np.zeros(features.shape[1]), np.zeros(features.shape[1])
    weights[whole] = folding.trained(features[:, whole], own, taught, c=c).weights
    for name in classes:
        alone[sets[name]] = folding.trained(features[:, sets[name]], own, taught, c=c).weights
    return Ranked(
        score=score,
        found=found,
        predicted=predicted.get(ALL, predicted[classes[0]]),
        weights=weights,
        alone=alone,
        meta=np.array(meta) if META in predicted else None,
    )

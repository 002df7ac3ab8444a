"""Nothing of a fold, neither ratings nor texts, reaches what is tested on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods.ranking import folding, matrices
from analysis.methods.ranking.method import ranking
from analysis.methods.ranking.rankers import sets_of
from analysis.text.quality.measuring import CLASSES, Document
from analysis.text.quality.segments import sentences

pytestmark = pytest.mark.slow

WORDS = [
    "red",
    "green",
    "blue",
    "small",
    "old",
    "new",
    "cat",
    "dog",
    "bird",
    "house",
    "tree",
    "road",
    "ran",
    "sat",
    "by",
]


def documents(inputs: int, systems: int, seed: int) -> tuple[list[Document], np.ndarray]:
    random = np.random.default_rng(seed)
    found = []
    for _ in range(inputs * systems):
        text = ". ".join(" ".join(random.choice(WORDS, size=5)).capitalize() for _ in range(3)) + "."
        found.append(Document(sentences(text), sentences("The cat sat on the road. It met a dog.")))
    return found, np.repeat(np.arange(inputs), systems)


def measured(texts: list[Document], items: np.ndarray, folds: list[np.ndarray]) -> tuple[tuple[str, ...], list[Any]]:
    return matrices.features_per_fold(
        texts, items, folds, models=None, random=np.random.default_rng(5), advance=lambda share: None
    )


FOLDS = [np.array([0, 3]), np.array([1, 4]), np.array([2, 5])]


def test_texts_of_a_fold_change_nothing_in_the_features_that_its_rankers_are_trained_on() -> None:
    texts, items = documents(6, 3, seed=1)
    other, _ = documents(6, 3, seed=2)
    changed = [new if item in FOLDS[0] else old for old, new, item in zip(texts, other, items, strict=True)]
    _, before = measured(texts, items, FOLDS)
    _, after = measured(changed, items, FOLDS)
    train = before[0].train
    # Sums are taken in another order where there are other words: that is all that may differ.
    np.testing.assert_allclose(before[0].features[train], after[0].features[train], rtol=0, atol=1e-12)
    # In the other folds these texts are trained on, so there something has to change.
    assert not np.array_equal(before[1].features[before[1].test], after[1].features[before[1].test])


def test_a_text_is_never_among_those_that_its_features_are_learnt_from() -> None:
    """Texts of one input in words that no other has: were they learnt from, their words would not be unknown."""
    texts, items = documents(6, 3, seed=1)
    strange = [
        Document(sentences("Zorgs quaff. Blips zorg."), text.source) if item == 4 else text
        for text, item in zip(texts, items, strict=True)
    ]
    names, found = measured(strange, items, FOLDS)
    unigram = names.index("lm_unigram_per_word")
    for fold in found:
        own = fold.features[items == 4, unigram]
        others = fold.features[items != 4, unigram]
        assert own.max() < others.min()


def test_a_text_changes_nothing_in_what_is_learnt_for_its_own_input() -> None:
    """Neither where its input is tested on nor where it is trained on; for other inputs it is learnt from."""
    texts, items = documents(6, 3, seed=1)
    changed = [*texts]
    changed[12] = Document(sentences("The zorg quaffed. A red cat sat by the zorg."), texts[12].source)
    siblings = (items == 4) & (np.arange(len(items)) != 12)
    _, before = measured(texts, items, FOLDS)
    _, after = measured(changed, items, FOLDS)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_allclose(one.features[siblings], other.features[siblings], rtol=0, atol=1e-12)
    learnt = [np.abs(one.features - other.features)[items != 4] for one, other in zip(before, after, strict=True)]
    assert all(np.nanmax(differences) > 1e-3 for differences in learnt[:1] + learnt[2:])


def test_ratings_of_a_fold_change_nothing_in_its_predictions() -> None:
    texts, items = documents(6, 3, seed=1)
    ratings = np.random.default_rng(3).normal(size=len(items))
    turned = np.where(np.isin(items, FOLDS[0]), -ratings, ratings)
    names, found = measured(texts, items, FOLDS)
    sets = sets_of(names, CLASSES)
    scores = []
    for values in (ratings, turned):
        pairs = folding.pairs_of(items, values)
        predicted, _ = folding.predictions(found, items, pairs, sets, CLASSES, c=1.0, advance=lambda share: None)
        scores.append(predicted)
    inside = found[0].test
    for name in scores[0]:
        np.testing.assert_array_equal(scores[0][name][inside], scores[1][name][inside])
    assert any(not np.array_equal(scores[0][name], scores[1][name]) for name in scores[0])


def test_predictions_for_the_meta_ranker_come_from_rankers_without_the_input() -> None:
    random = np.random.default_rng(4)
    items = np.repeat(np.arange(5), 4)
    features, ratings = random.normal(size=(20, 3)), random.normal(size=20)
    pairs, everything = folding.pairs_of(items, ratings), np.arange(20)
    ranker = folding.trained(features, pairs, everything, c=1.0)
    found = folding.held_out(features, pairs, everything, items, ranker, c=1.0)
    turned = np.where(items == 2, -ratings, ratings)
    again = folding.held_out(features, folding.pairs_of(items, turned), everything, items, ranker, c=1.0)
    np.testing.assert_allclose(found[items == 2], again[items == 2], atol=1e-6)
    assert not np.allclose(found[items != 2], again[items != 2], atol=1e-3)


@pytest.mark.full("folds that leak a little, which many simulated studies show")
def test_ratings_by_chance_are_ranked_by_chance() -> None:
    """With twelve null data sets the mean accuracy is .50; leaking folds would show up far above it."""
    values = []
    for seed in range(12):
        texts, items = documents(20, 5, seed=seed)
        frame = pd.DataFrame(
            {
                "item": [f"I{item}" for item in items],
                "system": np.tile(list("ABCDE"), 20),
                "text": [" ".join(sentence.text for sentence in text.text) for text in texts],
                "score": np.random.default_rng(100 + seed).integers(1, 6, size=len(items)),
            }
        )
        table = (
            ranking(frame, score=("score",), source=None, parser="none", bootstrap=20, seed=seed)
            .table("accuracy")
            .frame()
        )
        values.append(table[(table["level"] == "input") & table["features"].isin(["all", "meta"])]["accuracy"].mean())
    assert np.mean(values) == pytest.approx(0.5, abs=0.03)

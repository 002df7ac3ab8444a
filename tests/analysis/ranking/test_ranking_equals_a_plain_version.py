"""Oracle: the whole of `ranking` a second time with `LinearSVC` of scikit-learn, from the table of features on."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.svm import LinearSVC

from analysis.methods.ranking.folding import folds_of
from analysis.methods.ranking.method import METHOD
from analysis.methods.registry import run
from analysis.methods.report import Report

INPUTS, SYSTEMS, SEED = 7, 4, 3
CLASSES = {"sentence_fluency": "fluency_", "entity_grid": "grid_"}
WORDS = (
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "because",
    "it",
    "rained",
    "but",
    "dogs",
    "left",
    "home",
    "again",
    "cats",
)


@cache
def report(**further: Any) -> Report:
    """Texts of one to three sentences: those of one have no transitions, and so features that are missing."""
    random = np.random.default_rng(11)
    lines = []
    for item in range(INPUTS):
        for system in range(SYSTEMS):
            number = int(random.integers(1, 4))
            made = [" ".join(random.choice(WORDS, random.integers(3, 10))).capitalize() for _ in range(number)]
            score = round(float(random.normal() + 0.3 * system + 0.4 * number), 1)
            lines.append({"item": f"I{item}", "system": f"S{system}", "text": ". ".join(made) + ".", "score": score})
    given = {"classes": ",".join(CLASSES), "parser": "none", "folds": 3, "bootstrap": 20, "seed": SEED}
    given |= further
    return run(METHOD, pd.DataFrame(lines), given)


@cache
def texts() -> pd.DataFrame:
    return report().table("features").frame()


def pairs(items: np.ndarray, score: np.ndarray, among: np.ndarray) -> list[tuple[int, int]]:
    """Return the better and the worse text of every pair of an input."""
    found = []
    for a, b in combinations(np.flatnonzero(among), 2):
        if items[a] == items[b] and score[a] != score[b]:
            found.append((int(a), int(b)) if score[a] > score[b] else (int(b), int(a)))
    return found


def scaled(values: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Return features in standard deviations of some texts; what is missing is 0, and so is what never varies."""
    result = np.zeros_like(values)
    for at in range(values.shape[1]):
        column = values[:, at]
        known = column[among & ~np.isnan(column)]
        if len(known) and known.std() > 1e-9:
            result[:, at] = np.nan_to_num((column - known.mean()) / known.std())
    return result


def weights(features: np.ndarray, ordered: list[tuple[int, int]]) -> np.ndarray:
    better = np.array([features[up] - features[down] for up, down in ordered])
    machine = LinearSVC(C=0.5, fit_intercept=False, dual=False, tol=1e-10, max_iter=1_000_000)
    return np.asarray(machine.fit(np.vstack([better, -better]), np.repeat([1, -1], len(better))).coef_[0])


@cache
def predictions() -> dict[str, np.ndarray]:
    frame = texts()
    items, score = frame["item"].str[1:].astype(int).to_numpy(), frame["score"].to_numpy(dtype=float)
    matrices = {
        name: frame[[column for column in frame.columns if column.startswith(prefix)]].to_numpy(dtype=float)
        for name, prefix in CLASSES.items()
    }
    matrices["all"] = np.hstack(list(matrices.values()))
    matrices["length"] = frame[["fluency_log_words"]].to_numpy(dtype=float)
    found = {name: np.full(len(frame), np.nan) for name in (*matrices, "meta")}
    for fold in folds_of(INPUTS, folds=3, random=np.random.default_rng(SEED)):
        test = np.isin(items, fold)
        of_classes = np.full((len(frame), len(CLASSES)), np.nan)
        for name, values in matrices.items():
            features = scaled(values, ~test)
            found[name][test] = features[test] @ weights(features, pairs(items, score, ~test))
            if name in CLASSES:
                place = list(CLASSES).index(name)
                of_classes[test, place] = found[name][test]
                for item in np.unique(items[~test]):
                    without = ~test & (items != item)
                    own = items == item
                    of_classes[own, place] = features[own] @ weights(features, pairs(items, score, without))
        features = scaled(of_classes, ~test)
        found["meta"][test] = features[test] @ weights(features, pairs(items, score, ~test))
    return found


def accuracy(of_pairs: list[tuple[float, float]]) -> float:
    return float(np.mean([0.5 if up == down else float(up > down) for up, down in of_pairs]))


def systems(frame: pd.DataFrame) -> list[tuple[float, float]]:
    """Return the mean prediction of the better and of the worse system of every pair, by mean rating."""
    means = frame.groupby("system")[["score", "own"]].mean().round(9)
    ordered = [
        (a, b) if a["score"] > b["score"] else (b, a)
        for (_, a), (_, b) in combinations(means.iterrows(), 2)
        if a["score"] != b["score"]
    ]
    return [(a["own"], b["own"]) for a, b in ordered]


def test_predictions_are_those_of_scikit_learn() -> None:
    assert texts()["score_predicted"].to_numpy(dtype=float) == pytest.approx(predictions()["all"], abs=1e-4)


@pytest.mark.parametrize("name", ["sentence_fluency", "entity_grid", "all", "length", "meta"])
def test_accuracies_are_means_over_folds_at_both_levels(name: str) -> None:
    frame, predicted = texts(), predictions()[name]
    # Predictions that are equal but for the tolerance of the solver are ties.
    predicted = np.round(predicted, 6)
    items, score = frame["item"].str[1:].astype(int).to_numpy(), frame["score"].to_numpy(dtype=float)
    of_inputs, of_systems = [], []
    of_all = systems(frame.assign(own=predicted))
    for fold in folds_of(INPUTS, folds=3, random=np.random.default_rng(SEED)):
        test = np.isin(items, fold)
        of_inputs.append(accuracy([(predicted[up], predicted[down]) for up, down in pairs(items, score, test)]))
        of_systems.append(accuracy(systems(frame.assign(own=predicted)[test])))
    found = report().table("accuracy").frame().query("features == @name").set_index("level")["accuracy"]
    assert found["input"] == pytest.approx(np.mean(of_inputs))
    assert found["system"] == pytest.approx(accuracy(of_all))
    folds = report(system_level="within-folds").table("accuracy").frame().query("features == @name")
    within = folds.set_index("level")["accuracy"]
    assert within["system"] == pytest.approx(np.mean(of_systems))
    assert within["input"] == found["input"]

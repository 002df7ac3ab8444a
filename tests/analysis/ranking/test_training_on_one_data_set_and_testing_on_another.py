"""Oracle: `LinearSVC` of scikit-learn trained on one data set and asked about the other, and plain counting."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.svm import LinearSVC

from analysis.methods import registry
from analysis.methods.declarations import TextFile
from analysis.methods.ranking.example import example
from analysis.methods.ranking.method import METHOD
from analysis.methods.report import BadInput, Report


@cache
def two_years() -> pd.DataFrame:
    """Ratings of two years with other systems; inputs are numbered from 1 in both."""
    frame, _ = example()
    first = frame.assign(year="2006")
    second = frame[frame["item"].isin([f"I{number}" for number in range(1, 6)])]
    second = second.assign(year="2007", system="new" + second["system"], text=second["text"] + " It rained.")
    return pd.concat([first, second], ignore_index=True)


def run(**given: Any) -> Report:
    usual = {"score": "score", "bootstrap": 100, "dataset": "year", "train": "2006"}
    return registry.run(METHOD, two_years(), usual | given)


def test_predictions_and_accuracies_are_those_of_a_machine_that_saw_one_year() -> None:
    report = run(classes="sentence_fluency")
    texts = report.table("features").frame()
    names = [name for name in texts.columns if name.startswith("fluency_")]
    values, score = texts[names].to_numpy(dtype=float), texts["score"].to_numpy(dtype=float)
    taught = texts["item"].str.startswith("2006").to_numpy()
    mean, sd = values[taught].mean(axis=0), values[taught].std(axis=0)
    scaled = np.where(sd > 1e-9, (values - mean) / np.where(sd > 1e-9, sd, 1), 0)
    pairs = [
        (a, b) if score[a] > score[b] else (b, a)
        for a, b in combinations(range(len(texts)), 2)
        if texts["item"][a] == texts["item"][b] and score[a] != score[b]
    ]
    better = np.array([scaled[a] - scaled[b] for a, b in pairs if taught[a]])
    machine = LinearSVC(C=0.5, fit_intercept=False, dual=False, tol=1e-10, max_iter=1_000_000)
    machine.fit(np.vstack([better, -better]), np.repeat([1, -1], len(better)))
    predicted = scaled @ machine.coef_[0]
    assert texts["score_predicted"][~taught].to_numpy(dtype=float) == pytest.approx(predicted[~taught], abs=1e-4)
    assert texts["score_predicted"][taught].isna().all()
    tested = [(a, b) for a, b in pairs if not taught[a]]
    right = np.mean([float(predicted[a] > predicted[b]) for a, b in tested])
    found = report.table("accuracy").frame().query("features == 'sentence_fluency'").set_index("level")
    assert found["accuracy"]["input"] == pytest.approx(right)
    assert found["pairs"]["input"] == len(tested)
    assert found["pairs"]["input"] + found["tied"]["input"] == 5 * 6
    assert found["pairs"]["system"] == 6


def test_what_is_learnt_from_texts_is_learnt_from_the_year_that_is_trained_on() -> None:
    one = run().table("features").frame()
    frame = two_years()
    other = frame.assign(text=frame["text"].where(frame["year"] == "2006", frame["text"] + " Quite so."))
    two = registry.run(METHOD, other, {"score": "score", "bootstrap": 20, "dataset": "year", "train": "2006"})
    changed = two.table("features").frame()
    taught = one["item"].str.startswith("2006")
    columns = [name for name in one.columns if name.startswith(("lm_", "coherence_", "continuity_", "cohmetrix_"))]
    pd.testing.assert_frame_equal(one.loc[taught, columns], changed.loc[taught, columns])


def test_the_report_says_what_was_trained_on_and_has_no_folds() -> None:
    report = run()
    assert any("trained on the inputs of some data sets" in note for note in report.notes)
    assert not any("dealt into" in note for note in report.notes)


def test_texts_that_are_in_both_are_warned_of() -> None:
    frame = two_years()
    same = frame.assign(text=frame["text"].str.removesuffix(" It rained."))
    report = registry.run(METHOD, same, {"score": "score", "bootstrap": 20, "dataset": "year", "train": "2006"})
    assert any("accuracies are too high" in warning for warning in report.warnings)
    assert not any("accuracies are too high" in warning for warning in run().warnings)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"train": None}, "name the data sets to train on"),
        ({"train": "2006,2007"}, "leave one at least to test on"),
        ({"train": "2005"}, "There is no level of year '2005'"),
        ({"dataset": None}, "name the column that tells them apart"),
        ({"splits": 3}, "there are no folds"),
        ({"where": "year=2006"}, "leave one at least to test on"),
        ({"corpus": TextFile("c.txt", "One line.")}, "a corpus is plain text"),
    ],
)
def test_half_a_description_is_refused_in_a_sentence(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        run(**given)

"""Reliability by closed forms, on tables as studies export them, and where it cannot be said."""

import numpy as np
import pandas as pd
import pytest

from analysis.methods.reliability import coefficients
from analysis.methods.reliability.answers import AnswersToItems
from analysis.methods.reliability.example import example
from analysis.methods.reliability.method import _warnings, reliability
from analysis.methods.reliability.one_factor import OneFactor, omega, one_factor, rmsea
from analysis.methods.report import BadInput


def frame_of(*columns, people=None):
    answers = np.array(columns, dtype=float).T
    frame = pd.DataFrame(answers, columns=[f"i{number}" for number in range(1, len(columns) + 1)])
    frame["participant"] = people or [f"P{number}" for number in range(len(frame))]
    return frame


def line_of(report):
    [line] = report.table("reliability").lines()
    return line


def test_alpha_of_two_parallel_items_is_the_formula_of_spearman_and_brown():
    r = 0.5
    assert coefficients.alpha(np.array([[1, r], [r, 1]])) == pytest.approx(2 * r / (1 + r))


def test_items_that_are_copies_are_perfectly_reliable():
    column = [1, 2, 3, 5, 4]
    line = line_of(reliability(frame_of(column, column, column), items=("i1", "i2", "i3")))
    assert line["alpha"] == pytest.approx(1)
    assert line["omega"] is None


def test_omega_finds_the_factor_that_made_the_correlations():
    loadings = np.array([0.8, 0.7, 0.6, 0.5])
    model = one_factor(np.outer(loadings, loadings) + np.diag(1 - loadings**2), people=100)
    assert model.loadings == pytest.approx(loadings, abs=1e-4)
    assert model.chi2 == pytest.approx(0, abs=1e-6)
    assert omega(model.loadings, model.uniquenesses) == pytest.approx(
        loadings.sum() ** 2 / (loadings.sum() ** 2 + (1 - loadings**2).sum()), abs=1e-5
    )


def test_the_interval_holds_the_true_alpha_as_often_as_it_says():
    random = np.random.default_rng(7)
    k, n, r = 5, 40, 0.4
    true = k * r / (1 + (k - 1) * r)
    spread = np.linalg.cholesky(np.full((k, k), r) + (1 - r) * np.eye(k))
    hit = 0
    for _ in range(2000):
        value = coefficients.alpha(np.cov(random.normal(size=(n, k)) @ spread.T, rowvar=False))
        low, high = coefficients.feldt_interval(value, people=n, items=k, confidence=0.95)
        hit += low <= true <= high
    assert 0.94 < hit / 2000 < 0.96


def test_a_reversed_item_counts_the_other_way_round():
    frame, parameters = example()
    turned = frame.assign(tense=8 - frame["tense"])
    straight = line_of(reliability(turned, items=parameters["items"]))
    assert line_of(reliability(frame, **parameters)) == straight
    against = reliability(frame, items=parameters["items"])
    assert line_of(against)["alpha"] < straight["alpha"] - 0.2
    assert any("tense goes against the rest" in warning and "reverse" in warning for warning in against.warnings)


def test_the_rows_of_all_trials_of_a_person_count_once():
    frame, parameters = example()
    again = pd.concat([frame.assign(rt_ms=1.0), frame.assign(rt_ms=2.0)])
    assert line_of(reliability(again, **parameters)) == line_of(reliability(frame, **parameters))


def test_who_left_out_an_item_is_left_out_and_counted():
    frame = frame_of([1, 2, 3, 4, 5], [2, 1, 4, 3, np.nan])
    report = reliability(frame, items=("i1", "i2"))
    assert line_of(report)["n"] == 4
    assert "1 participant without an answer to every item left out." in report.notes


@pytest.mark.parametrize(
    ("columns", "parameters", "sentence"),
    [
        (([1, 2], [2, 1]), {"items": ("i1", "i2")}, "at least 3 participants who answered every item; there are 2"),
        (([1, 2, 3],), {"items": ("i1",)}, "at least two items, not 1 item"),
        (([1, 2, 3], [2, 2, 2]), {"items": ("i1", "i2")}, "Everybody gave the same answer to i2"),
        (([1, 2, 3], [2, 1, 3]), {"items": ("i1", "i1")}, "i1 twice"),
        (([1, 2, 3], [2, 1, 3]), {"items": ("i1", "i2"), "reverse": ("i3",)}, "i3 is none of them"),
        (
            ([1, 2, 9], [2, 1, 3]),
            {"items": ("i1", "i2"), "reverse": ("i1",), "low": 1.0, "high": 5.0},
            "lie outside 1 to 5",
        ),
    ],
)
def test_what_has_no_reliability_is_refused_with_a_sentence(columns, parameters, sentence):
    with pytest.raises(BadInput, match=sentence):
        reliability(frame_of(*columns), **parameters)


def test_rows_of_one_person_that_contradict_each_other_are_refused():
    frame = frame_of([1, 2, 3, 4], [2, 1, 3, 5], people=["P1", "P1", "P2", "P3"])
    with pytest.raises(BadInput, match="'P1' has different values of 'i1'"):
        reliability(frame, items=("i1", "i2"))


@pytest.mark.parametrize("step", [1.0, 0.1])
def test_items_that_cancel_in_everybody_have_no_alpha_and_it_is_said(step):
    """α divides by the variance of the sum, which is 0 where an item is a constant minus another."""
    column = step * (np.arange(12) % 5)
    report = reliability(frame_of(column, 7 * step - column), items=("i1", "i2"))
    assert report.sentences == (
        "Cronbach’s α is not defined: the sum of the items is the same for everybody (2 items, 12 participants).",
    )
    assert line_of(report)["alpha"] is None
    assert not any("interval of α" in said or "α is negative" in said for said in report.warnings)
    assert report.figures[0].reference is None


@pytest.mark.parametrize(("chi2", "misfit", "is_said"), [(40.0, 0.12, True), (15.0, 0.06, False)])
def test_one_factor_is_doubted_only_where_its_misfit_is_large_too(chi2, misfit, is_said):
    """Both χ² are significant (p < .02 on 5 df); only an RMSEA above .08 makes a warning."""
    p = {40.0: 1.5e-7, 15.0: 0.0104}[chi2]
    model = OneFactor(np.full(5, 0.6), np.full(5, 0.64), chi2, 5, p, converged=True, at_bound=(False,) * 5)
    answers = np.random.default_rng(2).normal(size=(501, 1)) + np.random.default_rng(3).normal(size=(501, 5))
    assert rmsea(model, people=501) == pytest.approx(misfit, abs=0.006)
    said = " ".join(_warnings(AnswersToItems(answers, ()), tuple("abcde"), {"alpha": 0.8}, model))
    assert ("One factor does not reproduce" in said) == is_said
    assert ("need normal answers" in said) == is_said


def test_reversed_items_with_other_ends_ask_for_the_ends_of_the_scale():
    frame = frame_of([1, 2, 3, 5, 4], [2, 3, 3, 6, 7], [4, 3, 4, 2, 1])
    said = " ".join(reliability(frame, items=("i1", "i2", "i3"), reverse=("i3",)).warnings)
    assert "i1 1 to 5, i2 2 to 7 and i3 1 to 4" in said
    assert "state the ends with low=… and high=…" in said
    stated = reliability(frame, items=("i1", "i2", "i3"), reverse=("i3",), low=1, high=7)
    assert not any("turned round by the ends" in text for text in stated.warnings)

"""Oracles: lme4::glmer on the answers that are a category or the baseline, nnet::multinom without random effects.

Both on R 4.2.2, by tests/oracles/categories.R.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.multinomial import multinomial, multinomial_example
from analysis.methods.report import BadInput, Report

R: dict[str, Any] = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "categories.json").read_text())
DATA = pd.DataFrame(R["data"])
FORMULA = "choice ~ marker + (1 | participant) + (1 | item)"


@pytest.fixture(scope="module")
def report() -> Report:
    return multinomial(DATA, formula=FORMULA, baseline="none", tests="wald")


@pytest.mark.parametrize("category", ["left", "right"])
def test_every_category_against_the_baseline_is_the_model_of_glmer(report: Report, category: str) -> None:
    known, name = R["glmer"][category], f"{category} vs none"

    def of(table: str, column: str) -> list[float]:
        return [line[column] for line in report.table(table).lines() if line["outcome"] == name]

    assert of("fixed", "estimate") == pytest.approx(known["beta"], abs=2e-4)
    # glmer stops a little before the optimum of the second model, and its derivatives are finite differences.
    assert of("fixed", "se") == pytest.approx(known["se"], rel=5e-3)
    assert of("random", "sd") == pytest.approx(known["sd"], abs=1e-3)
    assert of("fit", "log_lik") == pytest.approx([known["log_lik"]], abs=2e-5)
    assert of("fit", "n") == [known["n"]]


def test_saturated_models_without_random_effects_are_those_of_multinom() -> None:
    # Groups between which neither model finds any variance take no part.
    by_chance = DATA.assign(day=[f"d{3 * number % 101 % 10}" for number in range(len(DATA))])
    report = multinomial(by_chance, formula="choice ~ marker + (1 | day)", baseline="none", tests="wald")
    assert report.table("random").frame()["sd"].tolist() == [0, 0]
    found = report.table("fixed").frame()
    assert found["estimate"].tolist() == pytest.approx(np.ravel(R["multinom"]["coefficients"]).tolist(), abs=1e-5)
    assert found["se"].tolist() == pytest.approx(np.ravel(R["multinom"]["se"]).tolist(), abs=1e-5)
    likely = report.table("probabilities").frame()
    known = np.ravel(R["multinom"]["probabilities"])
    assert likely["probability"].tolist() == pytest.approx(known.tolist(), abs=1e-5)
    # A saturated model gives back what was observed.
    assert likely["probability"].tolist() == pytest.approx(likely["observed"].tolist(), abs=1e-6)


def test_probabilities_add_up_and_are_told_in_words(report: Report) -> None:
    likely = report.table("probabilities").frame()
    assert likely.groupby("marker")["probability"].sum().tolist() == pytest.approx([1.0, 1.0])
    assert likely["n"].sum() == len(DATA)
    first = likely.iloc[0]
    said = f"Estimated probabilities for marker because: none {100 * first['probability']:.1f} %"
    assert any(one.startswith(said) for one in report.sentences)


def test_an_effect_is_tested_by_the_smallest_p_adjusted_over_the_categories() -> None:
    report = multinomial(DATA, formula=FORMULA, baseline="none")
    lines = report.table("anova").lines()
    smaller, larger = sorted(line["p"] for line in lines)
    assert sorted(line["p_outcomes"] for line in lines) == pytest.approx(
        [min(2 * smaller, 1), max(2 * smaller, larger)]
    )
    assert report.sentences[0].startswith("marker, over all categories: p ")


def test_the_most_frequent_category_is_the_baseline_and_none_is_a_category() -> None:
    frame, parameters = multinomial_example()
    report = multinomial(frame, formula=parameters["formula"])
    lines = report.table("categories").lines()
    assert lines[0]["n"] == max(line["n"] for line in lines)
    assert [line["is_baseline"] for line in lines] == [True, False, False]
    assert {line["category"] for line in lines} == {"none", "left", "right"}
    assert sum(line["n"] for line in lines) == len(frame)


def test_a_category_that_a_condition_never_has_is_said_and_has_no_probability_there() -> None:
    frame = DATA[(DATA["choice"] != "right") | (DATA["marker"] == "cause")]
    report = multinomial(frame, formula="choice ~ marker + (1 | participant)", baseline="none")
    never = [
        line
        for line in report.table("probabilities").lines()
        if (line["marker"], line["category"]) == ("because", "right")
    ]
    assert [line["n"] for line in never] == [0]
    assert never[0]["probability"] == pytest.approx(0)
    assert any(one.startswith("right vs none") for one in report.warnings)


@pytest.mark.parametrize(
    ("change", "given", "words"),
    [
        (lambda frame: frame.assign(choice="none"), {}, "one value only"),
        (lambda frame: frame[frame["choice"] != "right"], {}, "use glmm with positive="),
        (lambda frame: frame, {"baseline": "nothing"}, "baseline: "),
        (lambda frame: frame.assign(choice=[f"c{n % 13}" for n in range(len(frame))]), {}, "at most 12 categories"),
    ],
)
def test_what_is_no_multinomial_model_is_refused_in_a_sentence(change: Any, given: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        multinomial(change(DATA), formula=FORMULA, **given)

"""Oracle: emmeans of nnet::multinom, mode = "prob" (R 4.2.2, tests/oracles/categories_probabilities.R).

Where the model is saturated and nothing varies between people, baseline contrasts are the multinomial model.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.multinomial import multinomial, multinomial_example
from analysis.methods.report import Report

ORACLES = Path(__file__).resolve().parents[3] / "oracles"
R: dict[str, Any] = json.loads((ORACLES / "categories_probabilities.json").read_text())
DATA = pd.DataFrame(json.loads((ORACLES / "categories.json").read_text())["data"])
# Groups between which neither model finds any variance take no part.
BY_CHANCE = DATA.assign(
    day=[f"d{3 * number % 101 % 10}" for number in range(len(DATA))],
    half=np.where(DATA["item"].str[1:].astype(int) > 8, "second", "first"),
)


@pytest.mark.parametrize(("case", "formula"), [("one", "marker"), ("two", "marker * half")])
def test_they_are_those_of_emmeans_where_the_model_is_multinom(case: str, formula: str) -> None:
    report = multinomial(BY_CHANCE, formula=f"choice ~ {formula} + (1 | day)", baseline="none", tests="wald")
    assert set(report.table("random").frame()["sd"]) == {0}
    known = pd.DataFrame({**R[case]["cells"], **{name: R[case][name] for name in ("prob", "se", "low", "high")}})
    factors = [name for name in known.columns if name in ("marker", "half")]
    both = (
        report.table("probabilities")
        .frame()
        .merge(known.rename(columns={"choice": "category", "se": "se_r"}), on=[*factors, "category"], validate="1:1")
    )
    assert len(both) == len(known)
    for ours, theirs in (("probability", "prob"), ("se", "se_r"), ("ci_low", "low"), ("ci_high", "high")):
        assert both[ours].tolist() == pytest.approx(both[theirs].tolist(), abs=2e-5), ours


def drawn(rng: np.random.Generator, people: int, items: int, together: float) -> pd.DataFrame:
    """Return answers of three categories, people and items with effects that go `together` between categories."""
    cov = np.array([[1.0, together], [together, 1.0]])
    of_person = rng.multivariate_normal([0, 0], 0.6 * cov, people)
    of_item = rng.multivariate_normal([0, 0], 0.2 * cov, items)
    person, item = (one.ravel() for one in np.meshgrid(np.arange(people), np.arange(items), indexing="ij"))
    order = (person + item) % 2
    eta = np.array([0.4, -0.2]) + np.outer(order, [0.7, 0.1]) + of_person[person] + of_item[item]
    weights = np.exp(np.column_stack([np.zeros(len(eta)), eta]))
    chosen = (rng.random(len(eta))[:, None] > (weights / weights.sum(axis=1, keepdims=True)).cumsum(axis=1)).sum(axis=1)
    return pd.DataFrame({"participant": person, "item": item, "order": np.array(["ab", "ba"])[order],
                         "answer": np.array(["none", "left", "right"])[chosen]}).astype(str)  # fmt: skip


TRUE = {
    order: np.exp([0.0, 0.4 + 0.7 * (order == "ba"), -0.2 + 0.1 * (order == "ba")])
    / np.exp([0.0, 0.4 + 0.7 * (order == "ba"), -0.2 + 0.1 * (order == "ba")]).sum()
    for order in ("ab", "ba")
}


def covered(seed: int, together: float, people: int = 24, items: int = 16) -> list[bool]:
    """Return of every probability whether its interval holds the true one."""
    frame = drawn(np.random.default_rng(seed), people, items, together)
    report = multinomial(
        frame, formula="answer ~ order + (1 | participant) + (1 | item)", baseline="none", tests="wald"
    )
    place = {"none": 0, "left": 1, "right": 2}
    return [
        line["ci_low"] <= TRUE[line["order"]][place[line["category"]]] <= line["ci_high"]
        for line in report.table("probabilities").lines()
    ]


@pytest.mark.full(
    "whether intervals of probabilities hold the true ones as often as they say, in 2 × 200 simulated studies"
)
@pytest.mark.parametrize("together", [0.0, 0.5])
def test_they_hold_the_true_probability_about_as_often_as_they_say(together: float) -> None:
    share = np.mean([covered(seed, together) for seed in range(200)])
    assert 0.92 <= share <= 0.97, share


def test_they_hold_the_true_probability_in_most_of_a_few_studies() -> None:
    assert np.mean([covered(seed, 0.5) for seed in range(6)]) > 0.8


@pytest.fixture(scope="module")
def report() -> Report:
    frame, parameters = multinomial_example()
    return multinomial(frame, **parameters)


def test_they_lie_between_0_and_1_around_the_estimate_and_are_told_in_words(report: Report) -> None:
    for line in report.table("probabilities").lines():
        assert 0 < line["ci_low"] < line["probability"] < line["ci_high"] < 1
    line = report.table("probabilities").lines()[0]
    shown = f"[{100 * line['ci_low']:.1f}, {100 * line['ci_high']:.1f}]"
    assert any(shown in one for one in report.sentences)


def test_a_higher_level_of_confidence_widens_them(report: Report) -> None:
    frame, parameters = multinomial_example()
    wide = multinomial(frame, **parameters, confidence=0.99).table("probabilities").lines()
    for narrow, other in zip(report.table("probabilities").lines(), wide, strict=True):
        assert other["ci_low"] < narrow["ci_low"]
        assert other["ci_high"] > narrow["ci_high"]


def test_where_the_middle_person_is_like_hardly_anybody_it_is_said() -> None:
    frame = DATA.assign(choice=[("none", "left", "right")[int(person[1:]) % 3] for person in DATA["participant"]])
    report = multinomial(frame, formula="choice ~ marker + (1 | participant)", tests="wald")
    assert any("Report the observed shares beside them" in one for one in report.warnings)

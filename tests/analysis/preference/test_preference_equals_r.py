"""Oracle: BradleyTerry2, glm, coxph, clogit and glmer of R (`tests/oracles/preference.R`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.methods import registry
from analysis.methods.preference.method import METHOD
from analysis.methods.report import Report

ORACLE = json.loads((Path(__file__).parents[2] / "oracles" / "preference.json").read_text(encoding="utf-8"))


@cache
def report(data: str, **given: Any) -> Report:
    name = "judgements" if data == "decided" else data
    frame = pd.DataFrame(ORACLE["data"][name])
    if data == "decided":
        frame = frame[frame["choice"] != "tie"]
    side = given.pop("sided", False)
    if side:
        frame = frame.assign(side="left")
    return registry.run(METHOD, frame, given)


def column(of: Report, name: str) -> dict[str, float]:
    return {line["option"]: line[name] for line in of.table("worth").lines()}


def parameters(of: Report) -> dict[str, dict[str, Any]]:
    return {line["name"]: line for line in of.table("parameters").lines()}


def assert_as(of: Report, worth: dict[str, float], se: dict[str, float], tolerance: float = 1e-6) -> None:
    assert column(of, "worth") == {name: pytest.approx(value, abs=tolerance) for name, value in worth.items()}
    assert column(of, "se") == {name: pytest.approx(value, rel=1e-4) for name, value in se.items()}


def test_bradley_terry_is_that_of_bradleyterry2() -> None:
    of, oracle = report("decided"), ORACLE["pairs"]
    assert_as(of, oracle["worth"], oracle["se"])
    assert of.table("fit").lines()[0]["log_lik"] == pytest.approx(oracle["log_lik"][0], abs=1e-6)


def test_the_side_is_the_intercept_of_a_logistic_regression() -> None:
    of, oracle = report("decided", sided=True), ORACLE["pairs"]
    assert_as(of, oracle["sided_worth"], oracle["sided_se"])
    side = parameters(of)["side"]
    assert (side["estimate"], side["se"]) == pytest.approx((oracle["side"][0], oracle["side_se"][0]), rel=1e-5)


def test_ties_are_davidsons() -> None:
    of, oracle = report("judgements"), ORACLE["ties"]
    assert_as(of, oracle["worth"], oracle["se"])
    assert parameters(of)["tie"]["estimate"] == pytest.approx(oracle["nu"][0], rel=1e-6)
    assert of.table("fit").lines()[0]["log_lik"] == pytest.approx(oracle["log_lik"][0], abs=1e-6)


def test_ties_and_side_are_those_of_a_log_linear_model_of_counts() -> None:
    of, oracle = report("judgements", sided=True), ORACLE["ties"]
    assert_as(of, oracle["sided_worth"], oracle["sided_se"])
    found = parameters(of)
    assert found["tie"]["estimate"] == pytest.approx(oracle["sided_nu"][0], rel=1e-6)
    assert found["side"]["estimate"] == pytest.approx(oracle["side"][0], rel=1e-6)
    assert found["side"]["se"] == pytest.approx(oracle["side_se"][0], rel=1e-5)


def test_rankings_are_the_partial_likelihood_of_coxph() -> None:
    of, oracle = report("rankings"), ORACLE["rankings"]
    assert_as(of, oracle["worth"], oracle["se"])
    assert of.table("fit").lines()[0]["log_lik"] == pytest.approx(oracle["log_lik"][0], abs=1e-6)


@pytest.mark.parametrize(("model", "begin"), [("sequential", ""), ("maxdiff", "maxdiff_")])
def test_best_and_worst_are_the_conditional_logits_of_clogit(model: str, begin: str) -> None:
    oracle = ORACLE["best_worst"]
    assert_as(report("best_worst", model=model), oracle[f"{begin}worth"], oracle[f"{begin}se"])


def test_people_at_random_are_those_of_glmer() -> None:
    of, oracle = report("decided", random="participant"), ORACLE["mixed"]
    # glmer stops early; standard errors of its optimum differ in the third digit.
    assert column(of, "worth") == {name: pytest.approx(value, abs=2e-3) for name, value in oracle["worth"].items()}
    assert column(of, "se") == {name: pytest.approx(value, rel=2e-2) for name, value in oracle["se"].items()}
    sds = [line["sd"] for line in of.table("random").lines()]
    assert sds == pytest.approx(oracle["sd"], abs=2e-2)
    assert of.table("fit").lines()[0]["log_lik"] == pytest.approx(oracle["log_lik"][0], abs=1e-3)

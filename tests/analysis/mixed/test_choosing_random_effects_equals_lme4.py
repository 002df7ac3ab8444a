"""Every step of choosing random effects has the criterion, χ² and p of the same models in lme4, in the same order."""

import json
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from analysis.methods.mixed.method import METHOD
from analysis.methods.registry import run

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "reduction.json").read_text(encoding="utf-8"))
FORMULA = "z ~ marker*order + (1 + marker*order | participant) + (1 + marker*order | item)"
each = pytest.mark.parametrize(
    ("data", "how"), [(data, how) for data in ("correlated", "sparse") for how in ("parsimonious", "keep-maximal")]
)


@cache
def compared(data, how):
    expected = ORACLE["sets"][data]
    return run(METHOD, pd.DataFrame(expected["data"]), {"formula": FORMULA, "reduce": how}), expected[how]


@each
def test_the_same_models_are_tried_in_the_same_order(data, how):
    report, expected = compared(data, how)
    *steps, last = report.table("steps").lines()
    assert [line["random"] for line in steps] == [line["random"] for line in expected["steps"]]
    assert [line["parameters"] for line in steps] == [line["parameters"] for line in expected["steps"]]
    assert (last["random"], last["decision"]) == (expected["random"], "reported")


@each
def test_their_criteria_and_tests_are_those_of_lme4(data, how):
    report, expected = compared(data, how)
    for line, other in zip(report.table("steps").lines(), expected["steps"], strict=False):
        # lme4 stops a little early where a covariance matrix is singular.
        assert -1e-5 < other["criterion"] - line["criterion"] < 2e-5
        assert line["log_lik"] == -line["criterion"] / 2
        assert line["converged"]
        assert line["singular"] == other["singular"]
        assert (line["df"] is None) == ("df" not in other)
        if "df" in other:
            assert line["df"] == other["df"]
            assert line["chi2"] == pytest.approx(max(other["chi2"], 0), abs=3e-5)
            assert line["p"] == pytest.approx(other["p"], abs=1e-4)


@each
def test_what_is_reported_are_the_tests_of_the_chosen_model(data, how):
    report, expected = compared(data, how)
    for line, other in zip(report.table("anova").lines(), expected["anova"], strict=True):
        assert line["effect"] == other["effect"]
        assert line["f"] == pytest.approx(other["f"], rel=1e-4)
        assert line["p"] == pytest.approx(other["p"], abs=1e-4)

"""α, its interval, ω and what items contribute equal psych and factanal of R (`tests/oracles/reliability.R`)."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.reliability.method import reliability

ORACLE = json.loads((Path(__file__).parents[2] / "oracles" / "reliability.json").read_text(encoding="utf-8"))
CASES = {case["name"]: case for case in ORACLE["cases"]}


def report_of(case):
    answers = np.array(case["answers"])
    items = tuple(f"i{number}" for number in range(1, answers.shape[1] + 1))
    frame = pd.DataFrame(answers, columns=list(items))
    frame.insert(0, "participant", [f"P{number:03d}" for number in range(len(frame))])
    return reliability(frame, items=items)


@pytest.mark.parametrize("name", CASES)
def test_alpha_and_its_interval_are_those_of_psych(name):
    case = CASES[name]
    [line] = report_of(case).table("reliability").lines()
    for column in ("alpha", "alpha_standardised", "mean_r", "ci_low", "ci_high"):
        assert line[column] == pytest.approx(case[column], abs=1e-10), column


@pytest.mark.parametrize("name", CASES)
def test_items_contribute_what_psych_says(name):
    case = CASES[name]
    lines = report_of(case).table("items").lines()
    assert [line["r_rest"] for line in lines] == pytest.approx(case["r_rest"], abs=1e-10)
    if len(lines) > 2:
        assert [line["alpha_dropped"] for line in lines] == pytest.approx(case["alpha_dropped"], abs=1e-10)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "omega" in case])
def test_the_factor_and_omega_are_those_of_factanal(name):
    case = CASES[name]
    report = report_of(case)
    [line] = report.table("reliability").lines()
    [fit] = report.table("fit").lines()
    items = report.table("items").lines()
    assert [item["loading"] for item in items] == pytest.approx(case["loadings"], abs=2e-5)
    assert [item["uniqueness"] for item in items] == pytest.approx(case["uniquenesses"], abs=2e-5)
    assert fit["df"] == case["df"]
    assert fit["chi2"] == pytest.approx(case["chi2"], abs=1e-6)
    assert line["omega"] == pytest.approx(case["omega"], abs=1e-5)
    assert line["omega_standardised"] == pytest.approx(case["omega_standardised"], abs=1e-5)
    # psych divides by the observed variance of the sum instead of the one that the model implies.
    observed = np.corrcoef(np.array(case["answers"]), rowvar=False).sum()
    ours = 1 - sum(item["uniqueness"] for item in items) / observed
    assert ours == pytest.approx(case["psych_omega"], abs=1e-4)

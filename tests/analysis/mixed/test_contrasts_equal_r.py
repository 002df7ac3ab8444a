"""Helmert, repeated, polynomial and own contrasts of mixed models equal contr.*, contr.sdif and ginv in R."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.binary import METHOD as GLMM
from analysis.methods.generalised.ordinal import METHOD as ORDINAL
from analysis.methods.mixed.design.codings import coding_of, own_coding
from analysis.methods.mixed.method import METHOD as LMM
from analysis.methods.registry import run

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "mixed_contrasts.json").read_text())
FRAME = pd.DataFrame(ORACLE["data"])
OWN = {"condition": "a-b, (a+b)/2-c", "dose": "low-none, high - 1/2(low+mid)"}
LEVELS = "dose=none,low,mid,high"
METHODS = {"lmm": (LMM, "y"), "glmm": (GLMM, "correct"), "ordinal": (ORDINAL, "rating")}
# Of two contrasts of four levels R completes the third its own way; the two are what is compared.
COMPLETED = "dose3"
CASES = {f"{case['method']} {case['contrasts']}": case for case in ORACLE["cases"]}
CROSSED = {name: case for name, case in CASES.items() if case["anova"] and "*" in case["formula"]}


def report_of(case, **more):
    method, measure = METHODS[case["method"]]
    said = [
        f"own: {name} = {OWN[name]}" if kind == "own" else f"{name}={kind}" for name, kind in case["contrasts"].items()
    ]
    given = {"formula": f"{measure} ~ {case['formula']}", "contrasts": "; ".join(said), "levels": LEVELS, **more}
    return run(method, FRAME, given | ({"nominal": "false"} if method is ORDINAL else {}))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_coefficients_and_their_tests_are_those_of_r(case):
    found = report_of(case).table("fixed").frame()
    expected = pd.DataFrame(case["fixed"])
    same = [COMPLETED not in term for term in found["term"]]
    tolerance = {"lmm": 1e-6, "glmm": 1e-5, "ordinal": 1e-6}[case["method"]]
    for column in expected.columns:
        assert found[column][same].to_numpy(float) == pytest.approx(
            expected[column][same].to_numpy(float), rel=max(tolerance, 1e-4 if column in ("df", "p") else 0), abs=1e-6
        )


@pytest.mark.parametrize("case", CROSSED.values(), ids=CROSSED)
def test_tests_of_type_three_are_those_of_lmertest_whatever_the_contrasts(case):
    found, expected = report_of(case).table("anova").frame(), pd.DataFrame(case["anova"])
    assert found["effect"].tolist() == expected["effect"].tolist()
    for column in ("df1", "df2", "f"):
        assert found[column].to_numpy(float) == pytest.approx(expected[column].to_numpy(float), rel=1e-4)


@pytest.mark.parametrize("case", ORACLE["sets"], ids=lambda case: f"{case['kind']} of {len(case['levels'])}")
def test_codes_and_hypotheses_of_the_sets_are_those_of_r(case):
    coding = coding_of(case["kind"], len(case["levels"]))
    assert coding.codes == pytest.approx(np.array(case["codes"], dtype=float), abs=1e-12)
    assert coding.hypotheses == pytest.approx(np.array(case["hypotheses"], dtype=float), abs=1e-12)


@pytest.mark.parametrize("name", ["condition", "dose"])
def test_codes_of_own_contrasts_are_the_generalised_inverse_of_their_weights(name):
    weights = np.array(ORACLE["own"][name]["hypotheses"])
    coding, expected = own_coding(weights), np.array(ORACLE["own"][name]["codes"])
    assert coding.codes[:, : len(weights)] == pytest.approx(expected, abs=1e-12)
    assert coding.hypotheses @ coding.codes == pytest.approx(np.eye(coding.codes.shape[1]), abs=1e-12)
    assert coding.codes.sum(axis=0) == pytest.approx(0, abs=1e-12)


def test_a_coefficient_is_its_weights_times_the_estimated_means():
    case = {"method": "lmm", "formula": "condition * order + (1 | participant)"}
    report = report_of({**case, "contrasts": {"condition": "own", "order": "repeated"}}, means="condition,order")
    means = report.table("means").frame()["mean"].to_numpy(float).reshape(3, 2)
    fixed = report.table("fixed").frame().set_index("term")["estimate"]
    weights = np.array(ORACLE["own"]["condition"]["hypotheses"])
    assert fixed[["condition1", "condition2"]].to_numpy() == pytest.approx(weights @ means.mean(axis=1))
    crossed = fixed[["condition1:orderba-ab", "condition2:orderba-ab"]].to_numpy()
    assert crossed == pytest.approx(weights @ means @ [-1, 1])

"""Mixed logistic models against glmer (tolPwrss 1e-13, Hessian by Richardson extrapolation) and emmeans.

Made by tests/oracles/generalised_mixed.R.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.binary import METHOD
from analysis.methods.registry import run

pytestmark = pytest.mark.slow

ORACLES = json.loads((Path(__file__).resolve().parents[2] / "oracles/generalised_mixed.json").read_text())
CASES = [
    name for name, case in ORACLES.items() if isinstance(case, dict) and "aic" in case and "thresholds" not in case
]
WITH_PAIRS = [name for name in CASES if "pairs" in ORACLES[name]]
WITH_SUM = [name for name in CASES if "wald" in ORACLES[name]]


@cache
def report(name, **more):
    case = ORACLES[name]
    given = {"formula": case["formula"], "contrasts": "sum" if case["sum"] else "treatment", **dict(case["given"])}
    if "pairs" in case:
        given["means"] = case["pairs_of"]
        given["by"] = case.get("by") or ""
    return run(METHOD, pd.DataFrame(case["data"]), {**given, **more})


def table(name, which, **more):
    return report(name, **more).table(which).frame()


@pytest.mark.parametrize("name", CASES)
def test_estimates_and_standard_errors_are_those_of_glmer(name):
    expected = pd.DataFrame(ORACLES[name]["fixed"])
    found = table(name, "fixed")
    assert list(found["term"]) == list(expected["term"])
    assert found["estimate"].to_numpy() == pytest.approx(expected["estimate"].to_numpy(), abs=2e-5)
    assert found["se"].to_numpy() == pytest.approx(expected["se"].to_numpy(), rel=3e-4)


@pytest.mark.parametrize("name", CASES)
def test_the_likelihood_is_that_of_glmer_or_better(name):
    found, expected = table(name, "fit").iloc[0], ORACLES[name]
    assert found["log_lik"] >= expected["log_lik"] - 1e-7
    assert found["log_lik"] == pytest.approx(expected["log_lik"], abs=1e-5)
    assert found["aic"] == pytest.approx(expected["aic"], abs=2e-5)
    assert found["bic"] == pytest.approx(expected["bic"], abs=2e-5)
    assert found["n"] == expected["n"]
    assert bool(found["converged"])
    assert bool(found["singular"]) == expected["singular"]


@pytest.mark.parametrize("name", CASES)
def test_variances_and_correlations_are_those_of_glmer(name):
    expected = pd.DataFrame(ORACLES[name]["varcorr"])
    found = table(name, "random").sort_values(["group", "term"])
    variances = expected[expected["var2"].isna()] if "var2" in expected else expected
    variances = variances.sort_values(["grp", "var1"])
    assert found["var"].to_numpy() == pytest.approx(variances["vcov"].to_numpy(), rel=2e-4, abs=2e-5)
    if "var2" in expected and expected["var2"].notna().any():
        wanted = expected[expected["var2"].notna()].sort_values("grp")["sdcor"].to_numpy()
        assert table(name, "correlations").sort_values("group")["corr"].to_numpy() == pytest.approx(wanted, abs=2e-4)


@pytest.mark.parametrize("name", WITH_PAIRS)
def test_means_and_comparisons_are_those_of_emmeans(name):
    case = ORACLES[name]
    expected, found = pd.DataFrame(case["pairs"]), table(name, "comparisons")
    assert found["diff"].to_numpy() == pytest.approx(expected["estimate"].to_numpy(), abs=5e-5)
    assert found["se"].to_numpy() == pytest.approx(expected["SE"].to_numpy(), rel=1e-4)
    assert found["p"].to_numpy() == pytest.approx(expected["p.value"].to_numpy(), rel=1e-3, abs=1e-8)
    assert found["ci_low"].to_numpy() == pytest.approx(expected["asymp.LCL"].to_numpy(), abs=2e-4)
    assert found["p_holm"].to_numpy() == pytest.approx(np.array(case["holm"]), rel=1e-3, abs=1e-8)
    held = [case["by"]] if case.get("by") else []
    keys = [*held, case["pairs_of"]]
    means, wanted = table(name, "means").sort_values(keys), pd.DataFrame(case["means"]).sort_values(keys)
    assert means["mean"].to_numpy() == pytest.approx(wanted["emmean"].to_numpy(), abs=5e-5)
    assert means["ci_high"].to_numpy() == pytest.approx(wanted["asymp.UCL"].to_numpy(), abs=2e-4)
    shares = pd.DataFrame(case["probabilities"]).sort_values(keys)
    assert means["probability"].to_numpy() == pytest.approx(shares["prob"].to_numpy(), abs=2e-5)
    assert means["probability_se"].to_numpy() == pytest.approx(shares["SE"].to_numpy(), rel=2e-4)
    assert means["probability_low"].to_numpy() == pytest.approx(shares["asymp.LCL"].to_numpy(), abs=5e-5)


@pytest.mark.parametrize("name", WITH_SUM)
@pytest.mark.parametrize(("tests", "which"), [("wald", "wald"), ("likelihood-ratio", "ratio")])
def test_effects_have_the_tests_of_r(name, tests, which):
    expected, found = pd.DataFrame(ORACLES[name][which]), table(name, "anova", tests=tests)
    assert list(found["effect"]) == list(expected["effect"])
    assert list(found["df"]) == list(expected["df"])
    assert found["chi2"].to_numpy() == pytest.approx(expected["chi2"].to_numpy(), rel=2e-4, abs=2e-5)
    assert found["p"].to_numpy() == pytest.approx(expected["p"].to_numpy(), rel=1e-3)


def test_contrasts_do_not_change_the_tests_of_effects():
    name = "unbalanced, crossed intercepts, interaction"
    treatment = table(name, "anova", contrasts="treatment")
    assert treatment["chi2"].to_numpy() == pytest.approx(table(name, "anova")["chi2"].to_numpy(), rel=1e-5)


def test_where_a_cell_has_no_success_the_rest_is_the_model_of_the_other_rows():
    case = ORACLES["rows that a cell without successes leaves"]
    found = run(METHOD, pd.DataFrame(case["separated"]), {"formula": case["formula"]})
    fixed = found.table("fixed").frame().set_index("term")
    assert pd.isna(fixed["estimate"]["markerso"])
    assert pd.isna(fixed["p"]["markerso"])
    for line in case["fixed"]:
        assert fixed.loc[line["term"], "estimate"] == pytest.approx(line["estimate"], abs=2e-5)
        assert fixed.loc[line["term"], "se"] == pytest.approx(line["se"], rel=1e-4)
    assert found.table("fit").frame()["log_lik"].iloc[0] == pytest.approx(case["log_lik"], abs=1e-5)
    assert found.table("fit").frame()["n"].iloc[0] == len(case["separated"])
    assert any("separation" in warning and "marker so" in warning for warning in found.warnings)

"""Mixed models of counts and times against glmmTMB, emmeans, glmer.nb and (inverse Gaussian) TMB.

Made by tests/oracles/counts_and_times.R. glmmTMB and TMB have the same Laplace approximation, so that everything
agrees; glmer.nb takes the expected curvature for the observed one and is a little off.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.binary import METHOD
from analysis.methods.generalised.estimates.restricted import restricted_fit
from analysis.methods.generalised.models.numbers import fit_numbers
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.registry import run

pytestmark = pytest.mark.slow

ORACLES = json.loads((Path(__file__).resolve().parents[2] / "oracles/counts_and_times.json").read_text())
CASES = [name for name in ORACLES if name != "versions"]
NB = "negative binomial, crossed intercepts, interaction"
POISSON = "poisson, crossed intercepts, interaction"


@cache
def report(name, **more):
    case = ORACLES[name]
    given = {"formula": case["formula"], "contrasts": "sum" if case["sum"] else "treatment", **dict(case["given"])}
    if "pairs_of" in case:
        given["means"] = case["pairs_of"]
    return run(METHOD, pd.DataFrame(case["data"]), {**given, **more})


def table(name, which, **more):
    return report(name, **more).table(which).frame()


@pytest.mark.parametrize("name", CASES)
def test_estimates_variances_and_likelihood_are_those_of_glmmtmb(name):
    case, fixed, fit = ORACLES[name], table(name, "fixed"), table(name, "fit").iloc[0]
    expected = pd.DataFrame(case["fixed"])
    assert list(fixed["term"]) == list(expected["term"])
    assert fixed["estimate"].to_numpy() == pytest.approx(expected["estimate"].to_numpy(), abs=2e-6)
    assert fixed["se"].to_numpy() == pytest.approx(expected["se"].to_numpy(), rel=1e-4)
    assert fit["converged"]
    assert fit["log_lik"] == pytest.approx(case["log_lik"], abs=1e-6)
    if "aic" in case:
        assert fit["aic"] == pytest.approx(case["aic"], abs=1e-5)
        assert fit["bic"] == pytest.approx(case["bic"], abs=1e-5)
    sds = {(line["group"], line["term"]): line["sd"] for line in table(name, "random").to_dict("records")}
    named = {(line["group"], line["term"]): line["sd"] for line in case["sds"]}
    assert sds == pytest.approx(named, abs=3e-4 if "without correlations" in name else 1e-5)
    correlations = {} if "without correlations" in name else dict(case["correlations"] or {})
    for group, wanted in correlations.items():
        found = table(name, "correlations").set_index("group").loc[group, "corr"]
        # Where it is near −1 the likelihood is flat: it differs by 2e-8 there, and is higher here.
        assert found == pytest.approx(wanted, abs=5e-4)
    scatter = table(name, "dispersion").iloc[0]["estimate"]
    if "negative" in name:
        assert scatter == pytest.approx(case["dispersion"], rel=1e-5)
    elif "gamma" in name:
        assert scatter == pytest.approx(case["dispersion"] ** 2, rel=1e-5)
    elif "gaussian" in name:
        assert scatter == pytest.approx(1 / case["shape"], rel=1e-5)


@pytest.mark.parametrize("name", [name for name in CASES if "pairs_of" in ORACLES[name]])
def test_means_and_comparisons_are_those_of_emmeans(name):
    case, means = ORACLES[name], table(name, "means")
    expected = pd.DataFrame(case["means"])
    assert list(means[case["pairs_of"]]) == list(expected[case["pairs_of"]])
    assert means["mean"].to_numpy() == pytest.approx(expected["emmean"].to_numpy(), abs=1e-5)
    assert means["se"].to_numpy() == pytest.approx(expected["SE"].to_numpy(), rel=1e-4)
    pairs, wanted = table(name, "comparisons"), pd.DataFrame(case["pairs"])
    assert pairs["diff"].abs().to_numpy() == pytest.approx(wanted["estimate"].abs().to_numpy(), abs=1e-5)
    if case["given"].get("link") == "identity":
        assert "expected" not in means
        return
    response = pd.DataFrame(case["response"])
    value = response["rate"] if "rate" in response else response["response"]
    assert means["expected"].to_numpy() == pytest.approx(value.to_numpy(), rel=1e-5)
    assert means["expected_se"].to_numpy() == pytest.approx(response["SE"].to_numpy(), rel=1e-4)
    ratios = pd.DataFrame(case["ratios"])["ratio"].to_numpy()
    found = pairs["mean_ratio" if "gamma" in name else "rate_ratio"].to_numpy()
    assert np.abs(np.log(found)) == pytest.approx(np.abs(np.log(ratios)), abs=1e-5)


@pytest.mark.parametrize("name", [name for name in CASES if "wald" in ORACLES[name]])
@pytest.mark.parametrize(("tests", "which"), [("wald", "wald"), ("likelihood-ratio", "ratio")])
def test_effects_have_the_tests_of_glmmtmb(name, tests, which):
    expected, found = pd.DataFrame(ORACLES[name][which]), table(name, "anova", tests=tests)
    assert list(found["effect"]) == list(expected["effect"])
    assert list(found["df"]) == list(expected["df"])
    assert found["chi2"].to_numpy() == pytest.approx(expected["chi2"].to_numpy(), rel=2e-4, abs=2e-5)


@pytest.mark.parametrize("name", [name for name in CASES if "restricted" in ORACLES[name]])
def test_f_tests_rest_on_the_restricted_likelihood_of_glmmtmb(name):
    case = ORACLES[name]
    frame = pd.DataFrame(case["data"])
    parsed = formulas.parse(case["formula"])
    design = matrices.build(parsed, variables.read(frame, parsed), contrasts="sum", residual=False)
    exposure = frame[case["given"]["exposure"]].to_numpy(float) if "exposure" in case["given"] else np.ones(len(frame))
    given = case["given"]
    fit = fit_numbers(design, exposure, family=given["family"], link=given.get("link", "log"), watch=lambda count: None)
    found, expected = restricted_fit(fit), case["restricted"]
    assert found.beta == pytest.approx(np.array(expected["estimate"]), abs=1e-6)
    se = np.sqrt(np.diag(found.covariance))
    assert se == pytest.approx(np.array(expected["se"]), rel=0.04)
    # glmmTMB adds what is not known about the variances, which degrees of freedom do here.
    assert (se <= np.array(expected["se"]) * (1 + 1e-5)).all()


def test_glmer_has_the_same_poisson_model_and_nearly_the_same_negative_binomial_one():
    poisson = ORACLES[POISSON]["glmer"]
    assert table(POISSON, "fit").iloc[0]["log_lik"] == pytest.approx(poisson["log_lik"], abs=2e-5)
    assert table(POISSON, "fixed")["estimate"].to_numpy() == pytest.approx(np.array(poisson["estimate"]), abs=1e-4)
    negative = ORACLES[NB]["glmer"]
    assert table(NB, "dispersion").iloc[0]["estimate"] == pytest.approx(negative["theta"], rel=0.01)
    assert table(NB, "fit").iloc[0]["log_lik"] == pytest.approx(negative["log_lik"], abs=0.2)


@pytest.mark.parametrize("name", [name for name in CASES if "compare" in ORACLES[name]])
def test_two_models_are_compared_as_glmmtmb_compares_them(name):
    expected = ORACLES[name]["compare"]
    found = table(name, "comparison", compare=expected["formula"]).iloc[-1]
    assert found["chi2"] == pytest.approx(expected["chi2"], rel=1e-4, abs=1e-5)

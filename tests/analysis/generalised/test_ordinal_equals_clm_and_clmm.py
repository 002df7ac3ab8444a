"""Cumulative logit models against ordinal::clm, ordinal::clmm, MASS::polr and emmeans.

Made by tests/oracles/generalised_mixed.R. clmm finds the mode of the random effects to a tolerance of its own, so its
criterion is compared to 1e-5.
"""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.ordinal import METHOD
from analysis.methods.registry import run

pytestmark = pytest.mark.slow

ORACLES = json.loads((Path(__file__).resolve().parents[2] / "oracles/generalised_mixed.json").read_text())
CASES = [name for name, case in ORACLES.items() if isinstance(case, dict) and "thresholds" in case]
MIXED = [name for name in CASES if "varcorr" in ORACLES[name]]


@cache
def report(name):
    case = ORACLES[name]
    given = {"formula": case["formula"], "contrasts": "sum" if case["sum"] else "treatment"}
    if "pairs" in case:
        given["means"] = case["pairs_of"]
    return run(METHOD, pd.DataFrame(case["data"]), given)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("which", ["thresholds", "fixed"])
def test_estimates_and_standard_errors_are_those_of_r(name, which):
    expected, found = pd.DataFrame(ORACLES[name][which]), report(name).table(which).frame()
    assert list(found.iloc[:, 0]) == list(expected.iloc[:, 0])
    mixed = name in MIXED
    assert found["estimate"].to_numpy() == pytest.approx(expected["estimate"].to_numpy(), abs=5e-5 if mixed else 1e-7)
    assert found["se"].to_numpy() == pytest.approx(expected["se"].to_numpy(), rel=2e-4 if mixed else 1e-6)


@pytest.mark.parametrize("name", CASES)
def test_the_likelihood_is_that_of_r(name):
    found, expected = report(name).table("fit").frame().iloc[0], ORACLES[name]
    assert found["log_lik"] == pytest.approx(expected["log_lik"], abs=1e-5 if name in MIXED else 1e-8)
    assert found["aic"] == pytest.approx(expected["aic"], abs=3e-5)
    assert found["n"] == expected["n"]
    assert bool(found["converged"])


@pytest.mark.parametrize("name", MIXED)
def test_variances_are_those_of_clmm(name):
    found = report(name).table("random").frame()
    for group, covariance in ORACLES[name]["varcorr"].items():
        mine = found[found["group"] == group]
        assert mine["var"].to_numpy() == pytest.approx(np.diag(np.atleast_2d(covariance)), rel=5e-4, abs=1e-5)


def test_comparisons_are_those_of_emmeans():
    name = "ordinal, one random intercept"
    expected, found = pd.DataFrame(ORACLES[name]["pairs"]), report(name).table("comparisons").frame()
    assert found["diff"].to_numpy() == pytest.approx(expected["estimate"].to_numpy(), abs=5e-5)
    assert found["se"].to_numpy() == pytest.approx(expected["SE"].to_numpy(), rel=2e-4)
    assert found["p"].to_numpy() == pytest.approx(expected["p.value"].to_numpy(), rel=1e-3)
    means, wanted = report(name).table("means").frame(), pd.DataFrame(ORACLES[name]["means"])
    assert means["mean"].to_numpy() == pytest.approx(wanted["emmean"].to_numpy(), abs=1e-4)
    assert means["se"].to_numpy() == pytest.approx(wanted["SE"].to_numpy(), rel=3e-4)


def test_the_check_of_proportional_odds_is_the_nominal_test_of_clm():
    name = "ordinal, nominal test"
    expected, found = pd.DataFrame(ORACLES[name]["nominal"]), report(name).table("nominal").frame()
    assert list(found["effect"]) == list(expected["effect"])
    assert list(found["df"]) == list(expected["df"])
    assert found["chi2"].to_numpy() == pytest.approx(expected["chi2"].to_numpy(), abs=1e-6)
    assert found["p"].to_numpy() == pytest.approx(expected["p"].to_numpy(), rel=1e-6)


def test_without_random_effects_the_coefficients_are_those_of_polr():
    case = ORACLES["polr"]
    found = run(METHOD, pd.DataFrame(case["data"]), {"formula": case["formula"]})
    both = pd.concat([found.table("fixed").frame(), found.table("thresholds").frame()])
    expected = pd.DataFrame(case["coefficients"])
    assert both["estimate"].to_numpy() == pytest.approx(expected["estimate"].to_numpy(), abs=1e-4)
    assert both["se"].to_numpy() == pytest.approx(expected["se"].to_numpy(), rel=1e-3)
    assert found.table("fit").frame()["log_lik"].iloc[0] >= case["log_lik"] - 1e-9


def test_probabilities_of_categories_add_up_to_one_at_every_mean():
    shares = report("ordinal, one random intercept").table("probabilities").frame()
    assert shares.groupby("marker")["probability"].sum().to_numpy() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("contrasts", ["treatment", "sum"])
@pytest.mark.parametrize("formula", ["rating ~ marker * order + x", "rating ~ order * x"])
def test_an_interaction_is_checked_as_by_clm_whatever_the_contrasts(formula, contrasts):
    """`clm(…, nominal = ~ marker:order)` frees the cells, so the interaction together with what it contains."""
    oracle = json.loads((Path(__file__).resolve().parents[2] / "oracles/mixed_further.json").read_text())
    expected = pd.DataFrame(oracle[formula]).set_index("effect")
    made = run(METHOD, pd.DataFrame(oracle["data"]), {"formula": formula, "contrasts": contrasts})
    found = made.table("nominal").frame().set_index("effect").loc[list(expected.index)]
    assert found["df"].tolist() == expected["df"].tolist()
    for column in ("chi2", "p"):
        assert found[column].to_numpy(dtype=float) == pytest.approx(expected[column].to_numpy(), rel=1e-6)


def test_without_effects_thresholds_are_those_of_the_shares_also_of_a_rare_category():
    """logit of the cumulative share p, with standard error 1/√(n p (1 − p))."""
    counts = np.array([2, 300, 250, 447, 1])
    frame = pd.DataFrame({"rating": np.repeat(np.arange(1, 6), counts)})
    found = run(METHOD, frame, {"formula": "rating ~ 1"}).table("thresholds").frame()
    share = np.cumsum(counts)[:-1] / counts.sum()
    assert found["estimate"].to_numpy() == pytest.approx(np.log(share / (1 - share)), abs=1e-6)
    assert found["se"].to_numpy() == pytest.approx((counts.sum() * share * (1 - share)) ** -0.5, rel=1e-5)

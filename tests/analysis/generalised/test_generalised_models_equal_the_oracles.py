"""Published data fitted by glmer and clmm, where those data are at hand (d_textbook: VerbAgg, wine)."""

import json
from functools import cache

import pandas as pd
import pytest

from analysis.methods.registry import method_named, run
from tests import needs

SHARED = needs.SHARED / "oracles" / "d_textbook"
pytestmark = needs.shared("oracles/d_textbook")


def frame(name):
    return pd.read_csv(SHARED / f"{name}.csv", dtype="str", keep_default_na=False)


@cache
def expected(name):
    return json.loads((SHARED / "expected.json").read_text())[name]


@cache
def verbal_aggression():
    given = {"formula": "r2 ~ Anger + Gender + btype + situ + (1 | id) + (1 | item)", "positive": "Y"}
    return run(method_named("glmm"), frame("VerbAgg"), given)


@cache
def wine():
    return run(method_named("ordinal"), frame("wine"), {"formula": "rating ~ temp + contact + (1 | judge)"})


def test_verbal_aggression_is_that_of_a_tightly_converged_glmer():
    oracle = expected("verbagg_glmer")
    found = verbal_aggression().table("fixed").frame()
    wanted = pd.DataFrame(oracle["fixed"])
    assert list(found["term"]) == list(wanted["term"])
    assert found["estimate"].to_numpy() == pytest.approx(wanted["b"].to_numpy(), abs=5e-5)
    # Differences with one step width carry the noise of glmer's inner iterations into its standard errors.
    assert found["se"].to_numpy() == pytest.approx(wanted["se"].to_numpy(), rel=6e-4)
    assert found["z"].to_numpy() == pytest.approx(wanted["z"].to_numpy(), rel=6e-4)
    variances = verbal_aggression().table("random").frame().set_index("group")["var"]
    for line in oracle["varcorr"]:
        assert variances[line["grp"]] == pytest.approx(line["vcov"], rel=1e-5)
    assert verbal_aggression().table("fit").frame()["log_lik"].iloc[0] == pytest.approx(oracle["logLik"], abs=1e-6)


def test_wine_is_that_of_clmm():
    oracle = expected("wine_clmm")
    found = pd.concat(
        [
            wine().table("thresholds").frame().rename(columns={"threshold": "term"}),
            wine().table("fixed").frame(),
        ]
    )
    wanted = pd.DataFrame(oracle["coefs"])
    assert list(found["term"]) == list(wanted["term"])
    assert found["estimate"].to_numpy() == pytest.approx(wanted["b"].to_numpy(), abs=5e-5)
    assert found["se"].to_numpy() == pytest.approx(wanted["se"].to_numpy(), rel=1e-4)
    assert wine().table("random").frame()["var"].iloc[0] == pytest.approx(oracle["var"], rel=1e-4)
    assert wine().table("fit").frame()["log_lik"].iloc[0] == pytest.approx(oracle["logLik"], abs=1e-5)


def test_proportional_odds_of_wine_are_those_of_the_nominal_test():
    """`nominal_test(clm(rating ~ temp + contact, data = wine))`; in warm wine two categories do not occur."""
    found = run(method_named("ordinal"), frame("wine"), {"formula": "rating ~ temp + contact"})
    assert found.table("nominal").frame()["chi2"].to_numpy() == pytest.approx([3.1749771, 0.5667403], abs=1e-6)

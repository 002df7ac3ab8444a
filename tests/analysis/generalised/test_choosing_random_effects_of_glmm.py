"""reduce=… in glmm: the steps of lmm, each a likelihood ratio of two models that glmm fits itself."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from analysis.methods.generalised.binary import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput

pytestmark = pytest.mark.slow

ORACLES = json.loads((Path(__file__).resolve().parents[2] / "oracles/counts_and_times.json").read_text())
SLOPES = "n ~ order + (1 + order | participant) + (1 + order | item)"


@cache
def data():
    """Return counts and answers in which people differ in the effect of order, and items do not."""
    random = np.random.default_rng(3)
    people, slopes, items = random.normal(0, 0.5, 20), random.normal(0, 0.8, 20), random.normal(0, 0.3, 14)
    rows = [(p, i, (p + i) % 2) for p in range(20) for i in range(14)]
    eta = np.array([people[p] + slopes[p] * (o - 0.5) + items[i] for p, i, o in rows])
    frame = pd.DataFrame(
        [(f"P{p}", f"I{i}", ("ab", "ba")[o]) for p, i, o in rows], columns=["participant", "item", "order"]
    )
    return frame.assign(n=random.poisson(np.exp(1 + eta)), correct=(random.random(len(rows)) < special.expit(eta)) * 1)


@cache
def report(formula=SLOPES, **given):
    return run(METHOD, data(), {"formula": formula, **given})


@pytest.mark.parametrize(("family", "formula"), [("poisson", SLOPES), ("binomial", SLOPES.replace("n ~", "correct ~"))])
def test_the_reported_model_is_the_last_step_and_is_what_its_formula_gives(family, formula):
    chosen = report(formula, family=family, reduce="parsimonious")
    steps = chosen.table("steps").frame()
    assert list(steps["decision"])[-1] == "reported"
    left = formula.partition("(")[0]
    alone = report(left + steps["random"].iloc[-1], family=family)
    for name in ("fixed", "random", "anova"):
        found, expected = (one.table(name).frame() for one in (chosen, alone))
        numbers = [column for column in ("estimate", "se", "sd", "chi2") if column in found]
        assert found[numbers].to_numpy(float) == pytest.approx(expected[numbers].to_numpy(float), abs=2e-4)
    assert any(sentence.startswith("Random effects of the reported model") for sentence in chosen.sentences)
    assert any("parsimonious selection" in note for note in chosen.notes)


@pytest.mark.full("a step of the choice that is no ratio of two fits; the reported model is tested beside it")
def test_every_tested_step_is_a_likelihood_ratio_of_two_fits():
    steps = report(family="poisson", reduce="parsimonious").table("steps").frame()
    for line in steps.to_dict("records"):
        alone = report("n ~ order + " + line["random"], family="poisson").table("fit").frame()
        assert line["log_lik"] == pytest.approx(alone["log_lik"].iloc[0], abs=1e-5)
        assert line["parameters"] == alone["parameters"].iloc[0]
        if pd.notna(line["p"]):
            assert line["p"] == pytest.approx(stats.chi2.sf(line["chi2"], line["df"]))
    assert "order | participant" in steps["random"].iloc[-1] or "order || participant" in steps["random"].iloc[-1]
    assert "order" not in steps["random"].iloc[-1].partition("participant")[2]


def test_keep_maximal_leaves_a_model_that_converges_and_is_not_singular():
    found = report(family="poisson", reduce="keep-maximal")
    fit = found.table("fit").frame().iloc[0]
    assert fit["converged"]
    assert not fit["singular"]
    assert any("Barr et al., 2013" in note for note in found.notes)


def test_what_the_comparison_has_beside_the_chosen_random_effects_is_refused():
    with pytest.raises(BadInput, match="the random effects that are chosen"):
        report(family="poisson", reduce="parsimonious", compare="n ~ 1 + (1 | participant)")

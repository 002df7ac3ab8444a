"""R², partial η² and Bayes factors of mixed models against R, and the odds ratio of two groups.

tests/oracles/effects/mixed.R made the values: performance 0.10.2 (`r2_nakagawa`), the same formulas on fits of lme4
1.1-31, effectsize 0.8.3 (`F_to_eta2`, `oddsratio`) and BIC of lme4.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.methods.codes.proportions import proportions
from analysis.methods.generalised.binary import glmm
from analysis.methods.mixed.method import lmm

FILE = Path(__file__).resolve().parents[2] / "oracles" / "effects" / "mixed.json"
EXPECTED: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
DATA = pd.DataFrame(EXPECTED["data"])


def explained(line: dict[str, Any]) -> list[float]:
    return [line["r2_marginal"], line["r2_conditional"]]


@pytest.mark.parametrize("formula", EXPECTED["lmm"])
def test_r2_of_a_linear_model_is_nakagawas(formula: str) -> None:
    expected = EXPECTED["lmm"][formula]
    found = explained(lmm(DATA, formula=formula).table("fit").lines()[0])
    assert found == pytest.approx([expected["marginal"], expected["conditional"]], abs=1e-5)
    assert found == pytest.approx(expected["performance"], abs=1e-5)


@pytest.mark.parametrize("formula", EXPECTED["glmm"])
def test_r2_of_a_logistic_model_has_the_variance_of_the_logistic_distribution(formula: str) -> None:
    expected = EXPECTED["glmm"][formula]
    found = explained(glmm(DATA, formula=formula).table("fit").lines()[0])
    assert found == pytest.approx([expected["marginal"], expected["conditional"]], abs=2e-4)
    assert found == pytest.approx(expected["performance"], abs=2e-4)


def test_r2_does_not_hang_on_the_coding_of_factors() -> None:
    formula = next(iter(EXPECTED["lmm"]))
    fits = [lmm(DATA, formula=formula, contrasts=coding).table("fit").lines()[0] for coding in ("sum", "treatment")]
    assert explained(fits[0]) == pytest.approx(explained(fits[1]), abs=1e-7)


def test_partial_eta_of_an_effect_is_that_of_its_f() -> None:
    report = lmm(DATA, formula=next(iter(EXPECTED["lmm"])))
    for line in report.table("anova").lines():
        found = [line["pes"], line["pes_low"], line["pes_high"]]
        assert found == pytest.approx(EXPECTED["pes"][line["effect"]], abs=1e-3)
    assert not any("ηp²" in sentence for sentence in report.sentences)


def test_bayes_factors_come_from_bic() -> None:
    linear = lmm(DATA, formula=next(iter(EXPECTED["lmm"])), compare="y ~ x + (1 | participant) + (1 | item)")
    assert [line["bf_bic"] for line in linear.table("comparison").lines()] == [
        None,
        pytest.approx(EXPECTED["bic"]["lmm"], rel=1e-5),
    ]
    logistic = glmm(DATA, formula=next(iter(EXPECTED["glmm"])), compare="correct ~ x + (1 | participant) + (1 | item)")
    assert logistic.table("comparison").lines()[1]["bf_bic"] == pytest.approx(EXPECTED["bic"]["glmm"], rel=1e-3)


def test_the_odds_ratio_of_two_groups_is_woolfs() -> None:
    line = proportions(pd.DataFrame(), counts="56/70,48/80").table("ztest").lines()[0]
    assert [line["odds_ratio"], line["or_low"], line["or_high"]] == pytest.approx(EXPECTED["odds"], rel=1e-9)
    none = proportions(pd.DataFrame(), counts="0/70,48/80").table("ztest").lines()[0]
    assert none["odds_ratio"] is None

"""Bayes factors against BayesFactor 0.9.12 of R: `ttest.tstat`, and `anovaBF` to 3 %.

tests/oracles/effects/bayes.R made the values. For very large t `ttest.tstat` itself approximates. `anovaBF` draws at
random, and its error is larger than it says: for the model of two factors and their interaction it gives .1528 ± .4 %,
three million plain draws from the prior give .1560 ± .2 %, and quadrature .1561.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.data.analyse_file import read_table
from analysis.methods.conditions.bayes_factors import MEDIUM, ULTRAWIDE, WIDE, bayes_factor, jzs
from analysis.methods.effects.marginal_likelihood import Term, log_marginal
from analysis.methods.report import BadInput, Report

ORACLES = Path(__file__).resolve().parents[2] / "oracles"
EXPECTED: dict[str, Any] = json.loads((ORACLES / "effects" / "bayes.json").read_text(encoding="utf-8"))
SCALES = (MEDIUM, WIDE, ULTRAWIDE)
LARGE = 10


def report(**parameters: Any) -> Report:
    return bayes_factor(read_table(ORACLES / "anova" / "two_within.csv"), dv="z", **parameters)


@pytest.mark.parametrize("case", [case for case in EXPECTED["t"] if case["t"] < LARGE])
def test_bayes_factors_of_t_are_those_of_quadrature_in_r(case: dict[str, Any]) -> None:
    found = [jzs(case["t"], case["n"] - 1, size=case["n"], r=scale) for scale in SCALES]
    assert found == pytest.approx(case["ln_bf"], abs=1e-5)


def test_two_groups_count_with_their_effective_size() -> None:
    case = EXPECTED["two_groups"]
    size = case["n1"] * case["n2"] / (case["n1"] + case["n2"])
    found = [jzs(case["t"], case["n1"] + case["n2"] - 2, size=size, r=scale) for scale in SCALES]
    assert found == pytest.approx(case["ln_bf"], abs=1e-5)


@pytest.mark.parametrize("unit", ["participant", "item"])
def test_two_conditions_over_participants_and_items(unit: str) -> None:
    expected = EXPECTED[unit]
    lines = report(within=["marker", "order"], unit=unit, contrasts="marker: pairs").table("t").lines()
    line = next(line for line in lines if line["contrast"] == "because − cause")
    found = [line["ln_bf10"], math.log(line["bf10_wide"]), math.log(line["bf10_ultrawide"])]
    assert found == pytest.approx(expected["ln_bf"], abs=1e-5)
    assert line["bf10"] == pytest.approx(expected["bf"], rel=1e-4)
    assert line["bf01"] == pytest.approx(1 / line["bf10"])


@pytest.mark.parametrize(("within", "name"), [(["marker"], "one_factor"), (["marker", "order"], "two_factors")])
def test_models_have_the_bayes_factors_of_anova_bf_within_its_error(within: list[str], name: str) -> None:
    found = report(within=within)
    models = {line["model"]: line["bf10"] for line in found.table("models").lines()}
    assert list(models) == list(EXPECTED[name])
    for model, expected in EXPECTED[name].items():
        assert models[model] == pytest.approx(expected["bf"], rel=max(3 * expected["error"], 0.03)), model
    effects = {line["effect"]: line["bf10"] for line in found.table("effects").lines()}
    if name == "two_factors":
        interaction = models["marker + order + marker:order"] / models["marker + order"]
        assert effects["marker:order"] == pytest.approx(interaction)
        assert effects["marker"] == pytest.approx((models["marker"] + models["marker + order"]) / (1 + models["order"]))
    else:
        assert effects["marker"] == pytest.approx(models["marker"])


def test_the_step_of_the_grid_has_no_part_in_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = [Term(30, 11, 6, 1.0), Term(6, 2, 24, 0.5)]
    coarse = log_marginal(terms, ss_rest=50, half=35.5)
    monkeypatch.setattr("analysis.methods.effects.marginal_likelihood.STEP", 0.1)
    monkeypatch.setattr("analysis.methods.effects.marginal_likelihood.NEGLIGIBLE", 30.0)
    assert log_marginal(terms, ss_rest=50, half=35.5) == pytest.approx(coarse, abs=1e-6)


def test_the_true_state_is_favoured_with_more_data() -> None:
    assert jzs(0.0, 9, size=10, r=MEDIUM) > jzs(0.0, 999, size=1000, r=MEDIUM)
    assert jzs(0.5 * 10**0.5, 9, size=10, r=MEDIUM) < jzs(0.5 * 1000**0.5, 999, size=1000, r=MEDIUM)


def test_what_is_not_computed_is_said() -> None:
    frame = read_table(ORACLES / "anova" / "mixed_unbalanced.csv")
    found = bayes_factor(frame, dv="y", within=["marker"], between=["group"])
    assert [table.name for table in found.tables] == ["t"]
    assert any("those of whole effects are computed for one or two factors within units" in w for w in found.warnings)


def test_a_factor_beyond_all_numbers_keeps_its_logarithm() -> None:
    rows = [
        {"participant": f"P{p}", "order": order, "z": p % 7 + (order == "ab") * (1e9 + p % 5)}
        for p in range(200)
        for order in ("ab", "ba")
    ]
    line = bayes_factor(pd.DataFrame(rows), dv="z", within=["order"]).table("t").lines()[0]
    assert line["bf10"] is None
    assert line["ln_bf10"] > 700


def test_a_scale_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match=r"must lie between 0\.01 and 10"):
        report(within=["marker"], r=0.0)

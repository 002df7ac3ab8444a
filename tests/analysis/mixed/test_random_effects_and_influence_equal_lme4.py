"""Random effects with conditional intervals and effects without one person or item, against lme4's ranef(condVar) and
refits (tests/oracles/mixed_diagnostics.R)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.registry import method_named, run

ORACLE = Path(__file__).resolve().parents[2] / "oracles" / "mixed_diagnostics.json"
FORMULAS = {
    "lmm": "y ~ order + (1 + order | participant) + (1 + order | item)",
    "glmm": "correct ~ order + (1 | participant) + (1 | item)",
}
NAMES = {"lmm": "lmer", "glmm": "glmer"}


@cache
def oracle():
    return json.loads(ORACLE.read_text())


@cache
def report(method, **more):
    return run(method_named(method), pd.DataFrame(oracle()["data"]), {"formula": FORMULAS[method]} | more)


@pytest.mark.parametrize(("method", "tolerance"), [("lmm", 2e-5), ("glmm", 2e-5)])
def test_random_effects_and_their_standard_errors_are_those_of_ranef(method, tolerance):
    expected = pd.DataFrame(oracle()[NAMES[method]]["modes"]).set_index(["group", "unit", "term"]).sort_index()
    found = report(method).table("units").frame().set_index(["group", "unit", "term"]).sort_index()
    assert len(found) == len(expected)
    np.testing.assert_allclose(found["estimate"], expected["estimate"], atol=tolerance)
    np.testing.assert_allclose(found["se"], expected["se"], atol=tolerance)


def test_residuals_and_fitted_values_are_those_of_lmer():
    found = report("lmm").table("residuals").frame().sort_values("fitted")
    expected = pd.DataFrame({name: oracle()["lmer"][name] for name in ("fitted", "residuals")}).sort_values("fitted")
    np.testing.assert_allclose(found["fitted"], expected["fitted"], atol=2e-5)
    np.testing.assert_allclose(np.sort(found["residual"]), np.sort(expected["residuals"]), atol=2e-5)


@pytest.mark.parametrize(("method", "largest"), [("lmm", 0.12), ("glmm", 0.2)])
def test_effects_without_one_level_are_near_those_of_refits(method, largest):
    """Variances are not estimated again: what differs from a refit is a small part of a standard error."""
    expected = pd.DataFrame(oracle()[NAMES[method]]["without"]).set_index(["group", "unit"])["without"]
    found = report(method).table("influence").frame().set_index(["group", "unit"])
    se = report(method).table("fixed").frame().set_index("term").loc["orderba", "se"]
    away = (found["without"] - expected.reindex(found.index)) / se
    changes = (expected.reindex(found.index) - found["estimate"]) / se
    assert float(away.abs().max()) < largest
    assert float(np.corrcoef(found["change_se"], changes)[0, 1]) > 0.98
    assert found["change_se"].abs().idxmax() == changes.abs().idxmax()


def test_an_effect_in_a_level_is_the_fixed_effect_and_its_deviation_whatever_the_coding():
    """coef() of lme4 is fixef + ranef; sum contrasts say the same of the difference with half of it and its sign."""
    treatment, sums = (
        report("lmm", contrasts=coding).table("units").frame().dropna(subset="effect")
        for coding in ("treatment", "sum")
    )
    modes = pd.DataFrame(oracle()["lmer"]["modes"])
    slopes = modes[modes["term"] == "orderba"].set_index(["group", "unit"])["estimate"]
    found = treatment.set_index(["group", "unit"])
    np.testing.assert_allclose(found["effect"] - found["fixed"], slopes.reindex(found.index), atol=2e-5)
    np.testing.assert_allclose(treatment["effect"], -2 * sums["effect"], atol=1e-5)
    np.testing.assert_allclose(treatment["effect_low"], -2 * sums["effect_high"], atol=1e-5)


def test_a_factor_without_correlations_has_the_same_effects_as_a_column_of_its_contrast():
    by_term = report("lmm", formula="y ~ order + (1 + order || participant) + (1 | item)", contrasts="sum")
    numeric = pd.DataFrame(oracle()["data"]).assign(x=lambda d: np.where(d["order"] == "ab", 1.0, -1.0))
    by_column = run(method_named("lmm"), numeric, {"formula": "y ~ x + (1 + x || participant) + (1 | item)"})
    one, other = (made.table("units").frame().dropna(subset="effect") for made in (by_term, by_column))
    np.testing.assert_allclose(one["effect"], other["effect"], atol=1e-6)

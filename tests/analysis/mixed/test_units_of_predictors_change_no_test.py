"""Tests of type III do not depend on the units or the origin of a predictor, and what was dropped is not tested.

Reference: lmerTest with the predictor in handy units (tests/oracles/mixed_further.R). With the same predictor × 10⁹
lmerTest itself tests nothing but that predictor.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.binary import METHOD as GLMM
from analysis.methods.generalised.ordinal import METHOD as ORDINAL
from analysis.methods.mixed.method import METHOD as LMM
from analysis.methods.registry import run

pytestmark = pytest.mark.slow

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles/mixed_further.json").read_text())
TERMS = "marker * order + x + (1 | participant) + (1 | item)"
METHODS = [pytest.param(LMM, "y", id="lmm"), pytest.param(GLMM, "correct", id="glmm")]
METHODS += [pytest.param(ORDINAL, "rating", id="ordinal")]


def data(*, times=1.0, plus=0.0):
    return pd.DataFrame(ORACLE["data"]).assign(x=lambda frame: frame["x"] * times + plus)


def effects(method, frame, formula, **parameters):
    return run(method, frame, {"formula": formula, **parameters}).table("anova").frame().set_index("effect")


@pytest.mark.parametrize("contrasts", ["treatment", "sum"])
@pytest.mark.parametrize(("times", "plus"), [(1, 0), (1e9, 0), (1e-9, 0), (1, 1e5), (1e3, 1.7e9)])
def test_the_tests_are_those_of_lmertest_whatever_the_units(contrasts, times, plus):
    found = effects(LMM, data(times=times, plus=plus), f"y ~ {TERMS}", contrasts=contrasts)
    expected = pd.DataFrame(ORACLE["effects"]).set_index("effect")
    assert list(found.index) == list(expected.index)
    for column in ("df1", "df2", "f", "p"):
        assert found[column].to_numpy(dtype=float) == pytest.approx(expected[column].to_numpy(), rel=1e-4)


@pytest.mark.parametrize(("method", "measure"), METHODS[1:])
@pytest.mark.parametrize(("times", "plus"), [(1e9, 0), (1e-9, 0), (1, 1e5)])
def test_tests_and_coefficients_of_other_models_do_not_depend_on_units_either(method, measure, times, plus):
    plain, other = (
        run(method, frame, {"formula": f"{measure} ~ {TERMS}", "contrasts": "treatment"})
        for frame in (data(), data(times=times, plus=plus))
    )
    first, second = (report.table("anova").frame() for report in (plain, other))
    assert second["chi2"].to_numpy(dtype=float) == pytest.approx(first["chi2"].to_numpy(), rel=1e-6)
    first, second = (report.table("fixed").frame().set_index("term") for report in (plain, other))
    assert second.loc["orderba", "estimate"] == pytest.approx(first.loc["orderba", "estimate"], rel=1e-6)
    assert second.loc["x", "estimate"] * times == pytest.approx(first.loc["x", "estimate"], rel=1e-6)


@pytest.mark.parametrize(("method", "measure"), METHODS)
@pytest.mark.parametrize("noise", [0.0, 1e-8, 3e-8])
def test_a_predictor_that_nearly_follows_from_another_is_dropped_and_neither_is_tested(method, measure, noise):
    """No test rests on what the model does not hold: neither exactly nor nearly collinear predictors have one."""
    frame = data()
    wobble = noise * np.random.default_rng(1).normal(size=len(frame))
    frame["copy"] = np.where(frame["order"] == "ba", 3.0, 1.0) + wobble
    report = run(method, frame, {"formula": f"{measure} ~ order + copy + (1 | participant)", "means": "order"})
    assert any(warning.startswith("copy cannot be told apart") for warning in report.warnings)
    assert report.table("anova").frame()["p"].isna().all()
    assert report.table("means").frame()["mean"].isna().all()
    assert not any("combinations of levels that occur" in warning for warning in report.warnings)


def test_a_predictor_almost_constant_beside_its_size_is_dropped_and_has_no_test():
    report = run(LMM, data(plus=1e9), {"formula": f"y ~ {TERMS}"})
    found = report.table("anova").frame().set_index("effect")
    assert pd.isna(found["p"]["x"])
    without = effects(LMM, data(), "y ~ marker * order + (1 | participant) + (1 | item)")
    kept = found.loc[list(without.index)]
    assert kept["f"].to_numpy(dtype=float) == pytest.approx(without["f"].to_numpy(), rel=1e-6)


def test_where_a_combination_is_missing_units_do_not_matter_either():
    """A cell is empty and a numeric slope differs between levels: type III as SAS defines it, in two units."""
    formula = "y ~ marker * order + marker * x + (1 | participant)"
    plain, other = data(), data(times=1e9)
    kept = ~((plain["marker"] == "so") & (plain["order"] == "ba"))
    first, second = (effects(LMM, frame[kept], formula) for frame in (plain, other))
    for column in ("df1", "df2", "f"):
        assert second[column].to_numpy(dtype=float) == pytest.approx(first[column].to_numpy(dtype=float), rel=1e-6)
    assert first["df1"].tolist() == [2, 1, 1, 1, 2]

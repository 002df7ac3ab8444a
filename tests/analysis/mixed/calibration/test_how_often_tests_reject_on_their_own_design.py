"""`lmm … calibrate=` simulates the fitted model on its own design: rates, power, and p calibrated where a rate is off.

Reference of rates and power: in a balanced design with random intercepts of people alone the F test of a within factor
is exact, so its rate is α and its power that of the noncentral F distribution (SciPy).
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.methods import registry, splitting
from analysis.methods.mixed.calibration.replicates import Replicates
from analysis.methods.mixed.calibration.reported import calibrated
from analysis.methods.mixed.estimates.hypotheses import type_three
from analysis.methods.mixed.example import example
from analysis.methods.mixed.method import _made
from analysis.methods.report import BadInput, Report

LMM = registry.method_named("lmm")
PEOPLE, REPEATED, EFFECT = 10, 4, 0.6


def exact() -> pd.DataFrame:
    random = np.random.default_rng(7)
    people = random.normal(0, 1, PEOPLE)
    lines = [
        {"participant": f"P{p:02d}", "order": order, "y": people[p] + EFFECT * (order == "ba") + random.normal()}
        for p in range(PEOPLE)
        for _ in range(REPEATED)
        for order in ("ab", "ba")
    ]
    return pd.DataFrame(lines)


def fitted(frame: pd.DataFrame, formula: str) -> Any:
    params = registry.read_parameters(LMM, {"formula": formula}, frame)
    return _made(frame, params, lambda share, note: None)[1]


def test_rates_and_power_of_an_exact_test_are_those_of_the_f_distributions():
    frame = exact()
    report = registry.run(LMM, frame, {"formula": "y ~ order + (1 | participant)", "calibrate": 400})
    (line,), (test,) = report.table("error_rates").lines(), report.table("anova").lines()
    assert line["n"] == 400
    assert line["rate_low"] < 0.05 < line["rate_high"]
    assert line["p_calibrated"] is None
    # F is n · δ²/(4 σ²) on average without its 1, with the estimates in the place of what is true.
    limit = scipy.stats.f.isf(0.05, 1, test["df2"])
    power = scipy.stats.ncf.sf(limit, 1, test["df2"], test["f"])
    assert line["power_low"] - 0.01 < power < line["power_high"] + 0.01


def test_one_fit_serves_every_true_effect():
    """With y* + Xβ in the place of y*, variances are the same and β is added to the effects."""
    frame, params = example()
    model = fitted(frame, params["formula"])
    replicates = Replicates(model, type_three(model))
    y = replicates.simulated(3)
    without = replicates.refitted(y)
    with_effects = replicates.refitted(y + model.design.fixed.values @ model.beta)
    assert with_effects.optimum.theta == pytest.approx(without.optimum.theta, abs=1e-5)
    assert with_effects.beta == pytest.approx(without.beta + model.beta, rel=1e-6)
    (hypothesis,) = replicates.hypotheses
    of_both = with_effects.f_test(hypothesis.contrasts)
    assert of_both == pytest.approx(without.f_test(hypothesis.contrasts, beside=model.beta), rel=1e-5)


def test_parts_make_the_report_that_one_computer_makes():
    frame, params = example()
    given = {**params, "calibrate": 110}
    begun, parts = splitting.begin(LMM, frame, given)
    assert parts == [[0, 50], [50, 100], [100, 110]]
    results = [splitting.compute(LMM, begun, part) for part in reversed(parts)][::-1]
    in_parts = splitting.finish(LMM, begun, results)
    at_once = registry.run(LMM, frame, given)
    assert json.dumps(in_parts.as_dict()) == json.dumps(at_once.as_dict())
    assert not splitting.is_in_parts(LMM, params, frame)
    assert splitting.is_in_parts(LMM, given, frame)


def test_everything_else_is_as_without_simulations():
    frame, params = example()
    with_them = registry.run(LMM, frame, {**params, "calibrate": 100})
    without = registry.run(LMM, frame, params)
    rest = [table for table in with_them.tables if table.name != "error_rates"]
    assert rest == list(without.tables)
    assert set(without.sentences) <= set(with_them.sentences)
    assert set(without.notes) <= set(with_them.notes)


def reported(p: float) -> Report:
    columns = {"effect": "order", "df1": 1, "df2": 5.0, "f": 6.0, "p": p}
    anova = next(table for table in LMM.tables if table.name == "anova").of([columns])
    return Report(tables=(anova,), sentences=("order: F(1, 5.00) = 6.00, p = .040.",))


def test_p_is_calibrated_where_the_rate_is_above_its_level_and_nowhere_else():
    off = [[[(n + 0.5) / 1000 / 2, 0.001]] for n in range(1000)]
    report = calibrated(reported(0.04), off, effects=["order"])
    (line,) = report.table("error_rates").lines()
    assert line["rate"] == 0.1
    assert line["p_calibrated"] == pytest.approx((1 + 80) / 1001)
    assert report.sentences[0] == "order: F(1, 5.00) = 6.00, p = .040 (calibrated p = .081)."
    assert report.warnings[0].startswith("On this design the test does not hold its level of 5 %: order (10 %).")
    even = [[[(n + 0.5) / 1000, 0.001]] for n in range(1000)]
    careful = [[[min((n + 0.5) / 1000 * 2, 1.0), 0.001]] for n in range(1000)]
    for found in (even, careful):
        report = calibrated(reported(0.04), found, effects=["order"])
        assert report.table("error_rates").lines()[0]["p_calibrated"] is None
        assert report.warnings == ()
        assert "calibrated" not in " ".join(report.sentences)


def test_data_sets_that_cannot_be_fitted_are_counted():
    found = [None, *([[[0.5, 0.5]]] * 19)]
    report = calibrated(reported(0.04), found, effects=["order"])
    assert report.table("error_rates").lines()[0]["n"] == 19
    assert report.warnings[0].startswith("1 of 20 simulated data sets could not be fitted")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"calibrate": 5}, "calibrate: give 0 for none, or 100 to 20,000 simulated data sets, not 5."),
        ({"calibrate": -1}, "not -1"),
        ({"calibrate": 100, "formula": "z ~ 1 + (1 | participant)"}, "no effect whose test could be calibrated"),
    ],
)
def test_what_cannot_be_simulated_is_refused_in_a_sentence(given: dict[str, Any], said: str):
    frame, params = example()
    with pytest.raises(BadInput, match=said.replace("(", r"\(")):
        registry.run(LMM, frame, {**params, **given})

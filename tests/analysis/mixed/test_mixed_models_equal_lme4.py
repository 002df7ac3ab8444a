"""Mixed models against lme4 and lmerTest on data made for the purpose (tests/oracles/mixed_models.R)."""

import json
from pathlib import Path

import pandas as pd
import pytest
from scipy import stats

from analysis.methods.mixed.method import METHOD
from analysis.methods.registry import run

pytestmark = pytest.mark.slow

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "mixed_models.json").read_text())
CASES = [name for name, case in ORACLE.items() if isinstance(case, dict) and "formula" in case]


def report_of(name, **parameters):
    case = ORACLE[name]
    given = {"formula": case["formula"], "reml": case["reml"], "contrasts": case["contrasts"], **parameters}
    return run(METHOD, pd.DataFrame(case["data"]), given)


def lines(report, table):
    found = report.table(table)
    return [dict(zip((column.name for column in found.columns), row, strict=True)) for row in found.rows]


@pytest.mark.parametrize("name", CASES)
def test_coefficients_and_their_tests_are_those_of_lmertest(name):
    found, expected = lines(report_of(name), "fixed"), ORACLE[name]["fixed"]
    assert [line["term"] for line in found] == [line["term"] for line in expected]
    for line, reference in zip(found, expected, strict=True):
        assert line["estimate"] == pytest.approx(reference["estimate"], abs=1e-5 * reference["se"], rel=1e-6)
        assert line["se"] == pytest.approx(reference["se"], rel=1e-4)
        assert line["t"] == pytest.approx(reference["t"], rel=1e-4)
        assert line["df"] == pytest.approx(reference["df"], rel=1e-3)
        assert line["p"] == pytest.approx(reference["p"], rel=1e-3, abs=1e-12)
        half = stats.t.ppf(0.975, reference["df"]) * reference["se"]
        assert line["ci_low"] == pytest.approx(reference["estimate"] - half, abs=2e-3 * half)
        assert line["ci_high"] == pytest.approx(reference["estimate"] + half, abs=2e-3 * half)


@pytest.mark.parametrize("name", CASES)
def test_the_fit_is_at_least_as_good_as_that_of_lme4_and_counts_as_it_does(name):
    (fit,), expected = lines(report_of(name), "fit"), ORACLE[name]
    assert fit["log_lik"] >= expected["log_lik"] - 1e-7
    assert fit["log_lik"] == pytest.approx(expected["log_lik"], rel=1e-6, abs=1e-6)
    assert fit["aic"] == pytest.approx(expected["aic"], abs=1e-4)
    assert fit["bic"] == pytest.approx(expected["bic"], abs=1e-4)
    assert fit["n"] == expected["n"]
    assert fit["singular"] == expected["singular"]
    assert fit["converged"]


@pytest.mark.parametrize("name", CASES)
def test_variances_and_correlations_are_those_of_lme4(name):
    report, expected = report_of(name), ORACLE[name]["varcorr"]
    sd = {(line["group"], line["term"]): line for line in lines(report, "random")}
    pairs = (
        {(line["group"], line["term_a"], line["term_b"]): line["corr"] for line in lines(report, "correlations")}
        if "correlations" in {table.name for table in report.tables}
        else {}
    )
    residual = sd[("Residual", None)]["sd"]
    for reference in expected:
        group, first, second = reference["grp"], reference.get("var1"), reference.get("var2")
        if second is None:
            assert sd[(group, first)]["sd"] == pytest.approx(reference["sdcor"], rel=1e-4, abs=1e-4 * residual)
            assert sd[(group, first)]["var"] == pytest.approx(sd[(group, first)]["sd"] ** 2)
        else:
            assert pairs[(group, first, second)] == pytest.approx(reference["sdcor"], abs=1e-3)
    assert len(sd) == sum(reference.get("var2") is None for reference in expected)


TESTED = [name for name in CASES if ORACLE[name]["anova"]]


@pytest.mark.parametrize("name", TESTED)
def test_type_three_tests_are_those_of_lmertest(name):
    found, expected = lines(report_of(name), "anova"), ORACLE[name]["anova"]
    assert [line["effect"] for line in found] == [line["effect"] for line in expected]
    for line, reference in zip(found, expected, strict=True):
        assert line["df1"] == reference["df1"]
        assert line["f"] == pytest.approx(reference["f"], rel=1e-4)
        assert line["df2"] == pytest.approx(reference["df2"], rel=1e-3)
        assert line["p"] == pytest.approx(reference["p"], rel=1e-3, abs=1e-12)


@pytest.mark.parametrize("contrasts", ["sum", "treatment"])
def test_type_three_tests_do_not_depend_on_the_coding(contrasts):
    name = "correlated slopes, sum contrasts"
    found, expected = lines(report_of(name, contrasts=contrasts), "anova"), ORACLE[name]["anova"]
    for line, reference in zip(found, expected, strict=True):
        assert line["f"] == pytest.approx(reference["f"], rel=1e-4)
        assert line["df2"] == pytest.approx(reference["df2"], rel=1e-3)


def test_marginal_means_and_tukey_comparisons_are_those_of_emmeans():
    name = "correlated slopes, sum contrasts"
    report = report_of(name, means="marker", by="order")
    means = {(line["marker"], line["order"]): line for line in lines(report, "means")}
    for reference in ORACLE[name]["means"]:
        line = means[(reference["marker"], reference["order"])]
        assert line["mean"] == pytest.approx(reference["emmean"], abs=1e-6)
        assert line["se"] == pytest.approx(reference["SE"], rel=1e-4)
        assert line["df"] == pytest.approx(reference["df"], rel=1e-3)
        assert line["ci_low"] == pytest.approx(reference["lower.CL"], abs=1e-4)
    pairs = {(line["by"], f"{line['a']} - {line['b']}"): line for line in lines(report, "comparisons")}
    assert len(pairs) == len(ORACLE[name]["pairs"]) == 6
    for reference in ORACLE[name]["pairs"]:
        line = pairs[(reference["order"], reference["contrast"])]
        assert line["diff"] == pytest.approx(reference["estimate"], abs=1e-6)
        assert line["se"] == pytest.approx(reference["SE"], rel=1e-4)
        assert line["df"] == pytest.approx(reference["df"], rel=1e-3)
        assert line["p"] == pytest.approx(reference["p.value"], rel=1e-3)
        assert line["ci_low"] < line["diff"] < line["ci_high"]


def test_the_likelihood_ratio_is_that_of_lme4_whichever_model_is_named_first():
    case = ORACLE["correlated slopes, sum contrasts"]
    frame = pd.DataFrame(case["data"])
    small, large = (f"z ~ marker {sign} order + (1 | participant) + (1 | item)" for sign in "+*")
    for formula, compare in ((small, large), (large, small)):
        report = run(METHOD, frame, {"formula": formula, "compare": compare})
        first, second = lines(report, "comparison")
        assert (first["model"], second["model"]) == (small, large)
        assert second["chi2"] == pytest.approx(ORACLE["likelihood_ratio"]["chi2"], rel=1e-5)
        assert second["df"] == ORACLE["likelihood_ratio"]["df"]
        assert second["p"] == pytest.approx(ORACLE["likelihood_ratio"]["p"], rel=1e-4)
        gained = 2 * (second["log_lik"] - first["log_lik"])
        assert gained == pytest.approx(ORACLE["likelihood_ratio"]["chi2"], rel=1e-5)
        for line in (first, second):
            assert line["aic"] == pytest.approx(2 * line["parameters"] - 2 * line["log_lik"])

"""Mixed models against simulated data fitted by lme4, and against published ones where those are at hand."""

import re
from functools import cache

import pandas as pd
import pytest

from analysis.methods.mixed.method import METHOD
from analysis.methods.registry import run
from tests.analysis.methods import references

MARKERS = ("because", "because-of", "cause-verb", "cause-noun")
CROSSED = "logmod ~ marker*order + (1|participant) + (1|item)"
RATINGS = {
    "crossed_intercepts_reml": {"formula": CROSSED},
    "crossed_intercepts_ml": {"formula": CROSSED, "reml": "false"},
    "order_slope_corr_reml": {"formula": "logmod ~ marker*order + (1+order|participant) + (1+order|item)"},
    "order_slope_diag_reml": {
        "formula": "logmod ~ marker*order + (1+order||participant) + (1+order||item)",
        "uncorrelated": "by-column",
    },
    "max_diag_reml": {
        "formula": "logmod ~ marker*order + (1+marker+order||participant) + (1+marker+order||item)",
        "uncorrelated": "by-column",
    },
    "z_crossed_intercepts_reml": {"formula": "z ~ marker*order + (1|participant) + (1|item)"},
}
RENAMED = {"o1": "order1", "m1": "marker1", "m2": "marker2", "m3": "marker3"}
TEXTBOOK = {
    "sleepstudy_reml": ("sleepstudy", {"formula": "Reaction ~ Days + (Days | Subject)"}),
    "sleepstudy_ml": ("sleepstudy", {"formula": "Reaction ~ Days + (Days | Subject)", "reml": "false"}),
    "sleepstudy_diag": ("sleepstudy", {"formula": "Reaction ~ Days + (Days || Subject)"}),
    "penicillin": ("Penicillin", {"formula": "diameter ~ 1 + (1 | plate) + (1 | sample)"}),
    "cake": (
        "cake",
        {
            "formula": "angle ~ recipe * temperature + (1 | recipe:replicate)",
            "categorical": "temperature",
            "contrasts": "sum",
        },
    ),
    "fhch_lmer": (
        "fhch2010_correct",
        {
            "formula": "log_rt ~ task * stimulus * length + (1 | id) + (1 | item)",
            "categorical": "length",
            "levels": "task=naming,lexdec; stimulus=word,nonword",
            "contrasts": "sum",
        },
    ),
}


@cache
def frame(path):
    return pd.read_csv(path, dtype="str", keep_default_na=False)


@cache
def rating(name):
    expected = references.simulated()["lmm_logmod"][name]
    given = {"contrasts": "sum", "levels": f"marker={','.join(MARKERS)}", **RATINGS[name]}
    return run(METHOD, frame(references.SIMULATED / "scores.csv.xz"), given), expected


@cache
def textbook(name):
    expected = references.textbook()[name]
    data, given = TEXTBOOK[name]
    return run(METHOD, frame(references.TEXTBOOK / f"{data}.csv"), given), expected


def lines(report, table):
    found = report.table(table)
    return [dict(zip((column.name for column in found.columns), row, strict=True)) for row in found.rows]


ALL = [
    *(pytest.param(rating, name, id=name) for name in RATINGS),
    *(pytest.param(textbook, name, id=name, marks=references.needs_textbook) for name in TEXTBOOK),
]
each = pytest.mark.parametrize(("source", "name"), ALL)
# lmerTest tests by F what was fitted by REML; of the published data where there is a factor.
WITHOUT_F_TESTS = {"crossed_intercepts_ml", "sleepstudy_reml", "sleepstudy_ml", "sleepstudy_diag", "penicillin"}


@each
def test_coefficients_equal_lmertest(source, name):
    report, expected = source(name)
    found = lines(report, "fixed")
    assert [line["term"] for line in found] == [line["term"] for line in expected["fixed"]]
    for line, reference in zip(found, expected["fixed"], strict=True):
        assert line["estimate"] == pytest.approx(reference["estimate"], abs=1e-6 * reference["se"], rel=1e-7)
        assert line["se"] == pytest.approx(reference["se"], rel=1e-4)
        assert line["df"] == pytest.approx(reference["df"], rel=2e-4)
        assert line["p"] == pytest.approx(reference["p"], rel=2e-3)


@each
def test_the_criterion_is_not_above_that_of_lme4(source, name):
    report, expected = source(name)
    (fit,) = lines(report, "fit")
    assert fit["criterion"] <= expected["criterion"] + 1e-8
    assert fit["criterion"] == pytest.approx(expected["criterion"], rel=1e-6)
    assert fit["log_lik"] == pytest.approx(expected["logLik"], rel=1e-6)
    assert fit["aic"] == pytest.approx(expected["AIC"], rel=1e-6)
    assert fit["bic"] == pytest.approx(expected["BIC"], rel=1e-6)
    assert fit["n"] == expected["nobs"]
    assert fit["singular"] == expected["singular"]
    assert fit["converged"]


@each
def test_variances_equal_lme4(source, name):
    report, expected = source(name)
    random = {(line["group"], line["term"]): line for line in lines(report, "random")}
    for reference in expected["varcorr"]:
        group = re.sub(r"\.\d+$", "", reference["grp"])
        first = RENAMED.get(reference["var1"], reference["var1"])
        if reference["var2"] is None:
            assert random[(group, first)]["var"] == pytest.approx(reference["vcov"], rel=1e-4, abs=1e-12)
        else:
            second = RENAMED.get(reference["var2"], reference["var2"])
            assert random[(group, second)]["corr"] == pytest.approx(reference["sdcor"], abs=1e-4)


@pytest.mark.parametrize(("source", "name"), [case for case in ALL if case.id not in WITHOUT_F_TESTS])
def test_type_three_tests_equal_lmertest(source, name):
    report, expected = source(name)
    reference_lines = expected.get("anova_type3_satterthwaite") or expected["anova"]
    found = lines(report, "anova")
    for line, reference in zip(found, reference_lines, strict=True):
        assert line["effect"] == reference["term"]
        assert line["df1"] == reference["NumDF"]
        assert line["df2"] == pytest.approx(reference["DenDF"], rel=1e-4)
        assert line["f"] == pytest.approx(reference["F value"], rel=1e-5)
        assert line["p"] == pytest.approx(reference["Pr(>F)"], rel=1e-3)


def test_marginal_means_equal_emmeans():
    report, expected = rating("crossed_intercepts_reml")
    found = {(line["marker"], line["order"]): line for line in lines(report, "means")}
    for reference in expected["emm"]:
        line = found[(reference["marker"], reference["order"])]
        assert line["mean"] == pytest.approx(reference["emmean"], abs=1e-8)
        assert line["se"] == pytest.approx(reference["SE"], rel=1e-5)
        assert line["df"] == pytest.approx(reference["df"], rel=1e-4)


def test_the_likelihood_ratio_of_the_interaction_equals_lme4():
    expected = references.simulated()["lmm_logmod"]["lrt_interaction"]
    given = {"formula": CROSSED, "reml": "false", "compare": CROSSED.replace("*", "+")}
    _, larger = lines(run(METHOD, frame(references.SIMULATED / "scores.csv.xz"), given), "comparison")
    assert larger["chi2"] == pytest.approx(expected["chisq"], rel=1e-6)
    assert larger["df"] == expected["df"]


def test_z_scores_are_met_with_words_and_not_with_a_crash():
    report, _ = rating("z_crossed_intercepts_reml")
    assert any("by construction" in warning and "log ratings" in warning for warning in report.warnings)
    other, _ = rating("crossed_intercepts_reml")
    assert not any("by construction" in warning for warning in other.warnings)

"""F tests of glmm: variances by restricted likelihood, as glmmTMB has it, and degrees of freedom for few people.

Reference: glmmTMB with REML = TRUE (tests/oracles/mixed_restricted.R). Its standard errors add what is not known about
the variances, which the degrees of freedom do here, so they are a little larger.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.methods.error_rates.recorded import percent_of
from analysis.methods.generalised.binary import METHOD
from analysis.methods.generalised.estimates.restricted import counted_df, restricted_fit
from analysis.methods.generalised.models.answers import fit_binary
from analysis.methods.generalised.models.numbers import fit_numbers
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.registry import run

pytestmark = pytest.mark.slow

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "mixed_restricted.json").read_text())
FRAME = pd.DataFrame(ORACLE["data"])
SLOPES = ORACLE["cases"]["slopes"]["terms"]


@cache
def model(name):
    parsed = formulas.parse(f"correct ~ {ORACLE['cases'][name]['terms']}")
    design = matrices.build(parsed, variables.read(FRAME, parsed), contrasts="sum", residual=False)
    fit = fit_binary(design, np.ones(len(FRAME)), watch=lambda count: None)
    return fit, restricted_fit(fit)


@cache
def report(tests="f", formula=f"correct ~ {SLOPES}"):
    return run(METHOD, FRAME, {"formula": formula, "tests": tests})


@pytest.mark.parametrize("name", list(ORACLE["cases"]))
def test_estimates_and_variances_are_those_of_glmmtmb(name):
    fit, found = model(name)
    case = ORACLE["cases"][name]
    assert found.beta == pytest.approx(np.array(case["estimate"]), abs=1e-5)
    se = np.sqrt(np.diag(found.covariance))
    assert se == pytest.approx(np.array(case["se"]), rel=0.02)
    assert (se <= np.array(case["se"]) * (1 + 1e-6)).all()
    sds = {}
    for group, factor, scale in zip(
        fit.prepared.groups, found.optimum.mode.lambdas[:-1], fit.prepared.scales, strict=True
    ):
        own = np.sqrt(np.diag(factor @ factor.T)) / scale
        sds[group.name] = dict(zip(group.names, own, strict=True))
    named = {"m1": "marker", "o1": "order"}
    for reference in case["sd"]:
        group = reference["group"].partition(".")[0]
        assert sds[group][named.get(reference["term"], reference["term"])] == pytest.approx(reference["sd"], rel=1e-4)


def test_the_derivatives_behind_the_degrees_of_freedom_are_those_of_the_covariances():
    """V_β belongs to θ: away from the optimum it changes by as much as its derivative says."""
    fit, found = model("slopes")
    unit = np.eye(len(found.beta))[1]
    f = found.f_test(unit[None])
    assert 5 < f[1] < 60
    assert f[2] == pytest.approx(found.beta[1] ** 2 / found.covariance[1, 1])
    assert f[3] == pytest.approx(2 * stats.t.sf(np.sqrt(f[2]), f[1]))
    assert found.changes.shape == (len(fit.optimum.theta), len(found.beta), len(found.beta))
    assert (np.array([np.diag(change)[1] for change in found.changes])[found.optimum.theta > 0.1] > -1e-6).all()


def test_f_tests_are_more_careful_than_wald_tests():
    careful, liberal = (report(tests).table("anova").frame().set_index("effect") for tests in ("f", "wald"))
    assert list(careful.index) == list(liberal.index)
    vary = ["marker", "order", "marker:order"]
    assert (careful.loc[vary, "p"].astype(float) > liberal.loc[vary, "p"].astype(float)).all()


def test_the_table_and_the_sentences_have_both_degrees_of_freedom():
    found = report()
    table = found.table("anova")
    assert [column.name for column in table.columns] == ["effect", "df", "chi2", "p", "test", "df2", "f"]
    line = table.frame().set_index("effect").loc["marker"]
    assert (line["df"], line["test"]) == (1, "F")
    assert any(sentence.startswith("marker: F(1, ") for sentence in found.sentences)
    assert any("restricted likelihood" in note and "glmmTMB" in note for note in found.notes)


def test_wald_tests_with_slopes_of_few_people_are_warned_of_and_f_tests_are_not():
    assert any(
        percent_of("glmm with slopes, tests=wald") in warning and "tests=f" in warning
        for warning in report("wald").warnings
    )
    assert not any("tests=f" in warning for warning in report().warnings)
    bare = report("wald", "correct ~ marker + (1 | participant) + (1 | item)")
    assert not any("tests=f" in warning for warning in bare.warnings)


def test_an_effect_without_finite_estimate_keeps_its_likelihood_ratio():
    separated = FRAME.assign(correct=FRAME["correct"].where(FRAME["marker"] == "cause", 0))
    given = {"formula": "correct ~ marker + order + (1 | participant) + (1 | item)", "tests": "f"}
    tests = run(METHOD, separated, given).table("anova").frame().set_index("effect")["test"]
    assert tests.to_dict() == {"marker": "likelihood ratio", "order": "F"}


def test_degrees_of_freedom_are_not_fewer_than_people_and_items_give():
    """Li & Redden (2015): Satterthwaite's alone are too careful with yes and no; the counted ones are their floor."""
    fit, found = model("slopes")
    levels = [group.levels for group in fit.problem.groupings]
    assert found.counted == min(levels) - 1
    alone = replace(found, counted=0)
    for row in np.eye(len(found.beta))[1:]:
        assert found.f_test(row[None])[1] == max(alone.f_test(row[None])[1], found.counted)
    assert any("Li & Redden" in note for note in report().notes)


def test_groups_of_people_count_against_the_degrees_of_freedom_of_people():
    person, item = np.repeat(np.arange(10), 6), np.tile(np.arange(6), 10)
    group, condition = (person % 2) - 0.5, ((person // 2 + item) % 2) - 0.5
    fixed = np.column_stack([np.ones(60), group, condition, group * condition])
    assert counted_df(fixed, [person]) == 8
    assert counted_df(fixed, [person, item]) == 5
    assert counted_df(fixed[:, :1], [np.zeros(60, dtype=int)]) == 1


def test_contrasts_that_share_a_variance_share_their_degrees_of_freedom():
    _, found = model("slopes")
    both = np.eye(len(found.beta))[1:3]
    assert found.pooled == 1
    assert replace(found, counted=1000, pooled=2).f_test(both)[1] == 2000
    assert replace(found, counted=1000).f_test(both)[1] == pytest.approx(1000)


@pytest.mark.parametrize("family", ["poisson", "negative-binomial"])
def test_counts_have_satterthwaites_degrees_of_freedom_alone_and_no_report_of_them_says_otherwise(family):
    random = np.random.default_rng(11)
    counts = FRAME.assign(count=random.negative_binomial(3, 0.4, len(FRAME)))
    given = {"formula": "count ~ marker + (1 + marker | participant)", "family": family, "tests": "f"}
    found = run(METHOD, counts, given)
    assert any("restricted likelihood" in note for note in found.notes)
    assert not any("Li & Redden" in note for note in found.notes)
    parsed = formulas.parse(given["formula"])
    design = matrices.build(parsed, variables.read(counts, parsed), contrasts="sum", residual=False)
    fit = fit_numbers(design, np.ones(len(counts)), family=family, link="log", watch=lambda count: None)
    assert restricted_fit(fit).counted == 0

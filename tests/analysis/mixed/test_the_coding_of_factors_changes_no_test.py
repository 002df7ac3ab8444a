"""With || neither the coding of fixed effects nor the order or names of levels have a part in the random effects."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.methods.generalised.binary import METHOD as GLMM
from analysis.methods.generalised.ordinal import METHOD as ORDINAL
from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.design.codings import contrast_matrix
from analysis.methods.mixed.method import METHOD as LMM
from analysis.methods.registry import run

pytestmark = pytest.mark.slow

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles" / "mixed_without_correlations.json").read_text())
MARKERS, ORDERS = ("because", "cause", "so", "thus"), ("ab", "ba")
SLOPES = "marker * order + (1 + marker * order || participant) + (1 + marker || item)"
CASES = [pytest.param(LMM, "z", "f", id="lmm")]
CASES += [pytest.param(GLMM, "correct", "chi2", id="glmm"), pytest.param(ORDINAL, "rating", "chi2", id="ordinal")]
NAMES = st.permutations(["w", "a1", "Z", "m 2", "é", "10", "b"])


@cache
def trials():
    """Return 16 people × 16 items in eight conditions, some rows missing, with slopes that differ between levels."""
    random = np.random.default_rng(20261122)
    people, items = np.indices((16, 16)).reshape(2, -1)
    cell = (people + items) % 8
    marker, order = cell // 2, cell % 2
    by_person, by_item = random.normal(0, 0.6, (16, 4, 2)), random.normal(0, 0.4, (16, 4))
    eta = by_person[people, marker, order] + by_item[items, marker] + 0.4 * (marker == 2) * order
    eta = eta + random.normal(0, 0.7, 16)[people] + random.normal(0, 0.4, 16)[items]
    frame = pd.DataFrame(
        {
            "participant": [f"P{p}" for p in people],
            "item": [f"I{i}" for i in items],
            "marker": np.array(MARKERS)[marker],
            "order": np.array(ORDERS)[order],
            "z": (eta + random.normal(size=256)).round(3),
            "correct": (random.random(256) < 1 / (1 + np.exp(-eta))).astype(int),
            "rating": np.digitize(eta + random.logistic(size=256), [-1.0, 1.0]),
        }
    )
    return frame[random.random(256) < 0.95].reset_index(drop=True)


def renamed(names):
    return trials().assign(marker=lambda frame: frame["marker"].map(dict(zip(MARKERS, names, strict=False))))


def found(method, measure, frame=None, terms=SLOPES, **parameters):
    frame = trials() if frame is None else frame
    more = {"nominal": "false"} if method is ORDINAL else {}
    return run(method, frame, {"formula": f"{measure} ~ {terms}", **more, **parameters})


@cache
def plain(slug):
    method, measure, _ = next(case.values for case in CASES if case.id == slug)
    return found(method, measure)


def same(first, second, column, *, criterion=True):
    one, two = (report.table("anova").frame().set_index("effect") for report in (first, second))
    assert list(one.index) == list(two.index)
    for name in (column, "p"):
        assert two[name].to_numpy(dtype=float) == pytest.approx(one[name].to_numpy(dtype=float), rel=1e-4, abs=1e-7)
    one, two = (report.table("fit").frame().iloc[0] for report in (first, second))
    assert not criterion or two["criterion"] == pytest.approx(one["criterion"], abs=1e-5)
    one, two = (report.table("random").frame() for report in (first, second))
    assert one["term"].tolist()[:-1] == two["term"].tolist()[:-1]
    assert two["sd"].to_numpy(dtype=float) == pytest.approx(one["sd"].to_numpy(dtype=float), rel=1e-3, abs=1e-3)


@settings(max_examples=12, deadline=None)
@given(NAMES, st.permutations(MARKERS))
def test_renaming_and_reordering_levels_changes_no_f_no_p_and_no_criterion(names, order):
    same(plain("lmm"), found(LMM, "z", renamed(names)), "f")
    same(plain("lmm"), found(LMM, "z", levels=f"marker={','.join(order)}; order=ba,ab"), "f")


@pytest.mark.full("a test of glmm or ordinal that depends on the coding of factors")
@settings(max_examples=3, deadline=None)
@given(NAMES, st.permutations(MARKERS))
def test_nor_of_a_logistic_or_an_ordinal_model(names, order):
    for method, measure, column in (case.values for case in CASES[1:]):
        slug = "glmm" if method is GLMM else "ordinal"
        same(plain(slug), found(method, measure, renamed(names)), column)
        same(plain(slug), found(method, measure, levels=f"marker={','.join(order)}"), column)


@pytest.mark.parametrize(("method", "measure", "column"), CASES)
def test_the_coding_of_the_fixed_effects_changes_no_test(method, measure, column):
    # The REML criterion contains the determinant of X'X, which the coding of X changes by a constant, as in R.
    treatment = found(method, measure, contrasts="treatment")
    same(found(method, measure, contrasts="sum"), treatment, column, criterion=method is not LMM)
    assert all(report.table("fit").frame()["converged"][0] for report in (treatment, plain("lmm")))


@pytest.mark.parametrize("coding", ["helmert", "repeated", "polynomial", "own: marker = because-cause; order=helmert"])
def test_no_other_contrasts_change_a_test_either(coding):
    same(found(LMM, "z", contrasts=coding), plain("lmm"), "f", criterion=False)


@pytest.mark.parametrize("coding", ["sum", "helmert", "repeated", "polynomial", "own: marker = (because+cause)/2-so"])
def test_nor_do_contrasts_change_the_test_of_a_factor_that_stands_alone(coding):
    terms = "marker + (1 | participant) + (1 + marker || item)"
    tests = [found(LMM, "z", terms=terms, contrasts=one).table("anova").frame() for one in ("treatment", coding)]
    assert tests[1]["df2"].to_numpy(float) == pytest.approx(tests[0]["df2"].to_numpy(float), rel=1e-4)
    assert tests[1]["f"].to_numpy(float) == pytest.approx(tests[0]["f"].to_numpy(float), rel=1e-4)


def test_with_columns_of_treatment_contrasts_the_order_of_levels_does_change_them():
    """What the default is there for: R's own way lets the order of levels into the tests."""
    given = {"terms": "marker + (1 + marker || participant)", "uncorrelated": "by-column", "contrasts": "treatment"}
    p = [
        found(LMM, "z", levels=f"marker={','.join(order)}", **given).table("anova").frame()["p"][0]
        for order in (MARKERS, MARKERS[::-1])
    ]
    assert abs(p[0] - p[1]) > 1e-3


def test_two_levels_are_those_of_sum_contrasts_in_r():
    """(1 + order || g) by afex: lmer with a column of sum contrasts and a variance of its own."""
    case = ORACLE["two levels"]
    report = found(LMM, "z", pd.DataFrame(ORACLE["data"]), case["terms"], contrasts="sum")
    anova = report.table("anova").frame().set_index("effect")
    for reference in case["anova"]:
        assert anova.loc[reference["effect"], "f"] == pytest.approx(reference["f"], rel=1e-4)
        assert anova.loc[reference["effect"], "df2"] == pytest.approx(reference["df2"], rel=1e-3)
        assert anova.loc[reference["effect"], "p"] == pytest.approx(reference["p"], rel=1e-3)
    assert report.table("fit").frame()["criterion"][0] == pytest.approx(case["criterion"], abs=1e-4)
    known = report.table("random").frame().set_index(["group", "term"])["sd"]
    for reference in case["sd"]:
        assert known[(reference["group"], reference["term"])] == pytest.approx(reference["sd"], rel=1e-3, abs=1e-4)


def test_a_variance_shared_by_the_contrasts_is_that_of_nlme():
    """pdIdent of orthonormal contrasts in nlme::lme, for one grouping factor: the same model by another program."""
    case = ORACLE["one variance for four levels"]
    report = found(LMM, "z", pd.DataFrame(ORACLE["data"]), case["terms"], contrasts="sum")
    fit = report.table("fit").frame().iloc[0]
    assert fit["log_lik"] == pytest.approx(case["log_lik"], abs=1e-5)
    assert fit["parameters"] == case["parameters"]
    fixed = report.table("fixed").frame()
    assert fixed["estimate"].to_numpy(dtype=float) == pytest.approx(np.array(case["estimate"]), abs=1e-5)
    assert fixed["se"].to_numpy(dtype=float) == pytest.approx(np.array(case["se"]), rel=1e-4)
    sd = report.table("random").frame()["sd"].to_numpy(dtype=float)
    # Orthonormal contrasts of four levels: a level varies by ω √(3/4) around the mean of all.
    assert sd == pytest.approx([case["intercept"], case["omega"] * np.sqrt(3 / 4), case["sigma"]], rel=1e-3)


def test_the_shown_deviation_is_that_of_a_level_around_the_mean_of_all():
    for size in (2, 3, 5):
        code = contrast_matrix(size, "even")
        assert np.diag(code @ code.T) == pytest.approx(np.ones(size))
        assert code.sum(axis=0) == pytest.approx(np.zeros(size - 1), abs=1e-12)


def test_levels_without_an_intercept_have_variances_of_their_own():
    report = found(LMM, "z", terms="marker + (0 + marker || participant)")
    assert report.table("random").frame()["term"].tolist()[:-1] == [f"marker{level}" for level in MARKERS]


def test_a_term_that_varies_twice_is_refused_however_it_is_written():
    formula = formulas.parse("z ~ marker + (1 + marker | participant) + (0 + marker || participant)")
    read = variables.read(trials(), formula)
    with pytest.raises(Exception, match="varies twice between levels of participant"):
        matrices.build(formula, read, contrasts="sum")

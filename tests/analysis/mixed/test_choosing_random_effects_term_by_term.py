"""What stands in the way of one random term costs no other one anything, and nothing that varies is taken out."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from analysis.methods.mixed.design import formula as formulas
from analysis.methods.mixed.design import matrices, variables
from analysis.methods.mixed.estimates import satterthwaite
from analysis.methods.mixed.fitting.crossproducts import prepare
from analysis.methods.mixed.fitting.optimise import fit
from analysis.methods.mixed.method import METHOD
from analysis.methods.mixed.random_effects.candidates import warm_start
from analysis.methods.mixed.random_effects.reduction import reduced
from analysis.methods.mixed.wording.selection import selection_notes, selection_sentence
from analysis.methods.registry import run

PEOPLE, ITEMS = 24, 12


@cache
def answers(*, people=((0.8, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), items=0.0, seed=1):
    """Return answers to three conditions and a number x; the rows of `people` make intercepts and two deviations."""
    random = np.random.default_rng(seed)
    rows = pd.MultiIndex.from_product([range(PEOPLE), range(ITEMS)]).to_frame(index=False, name=["p", "i"])
    level = ((rows.p + rows.i) % 3).to_numpy()
    x = np.round(random.normal(size=len(rows)), 3)
    effects = random.normal(size=(PEOPLE, 3)) @ np.array(people)
    columns = np.column_stack([np.ones(len(rows)), level == 2, x])
    noise = random.normal(scale=0.5, size=len(rows))
    # Items have exactly the same mean of what is neither people nor their own, so that none vary unless they should.
    noise -= pd.Series(noise).groupby(rows.i).transform("mean").to_numpy()
    z = (columns * effects[rows.p]).sum(axis=1) + random.normal(scale=items, size=ITEMS)[rows.i] + noise
    names = {"p": "p" + rows.p.astype(str), "i": "i" + rows.i.astype(str)}
    return pd.DataFrame({**names, "cond": np.array(["a", "b", "c"])[level], "x": x, "z": np.round(z, 4)})


def chosen(frame, formula, how, uncorrelated="by-term", converged=lambda done: True):
    parsed = formulas.parse(formula, list(frame.columns))
    read = variables.read(frame, parsed, categorical=(), order_of_levels={})

    def fitted(text, near, done):
        built = matrices.build(text, read.of(text), contrasts="automatic", uncorrelated=uncorrelated)
        prepared = prepare(built)
        found = fit(prepared, reml=True, theta=warm_start(prepared.groups, near))
        return satterthwaite.fitted(built, prepared, found if converged(done) else unconverged(found), reml=True)

    found = reduced(parsed, how, fitted)
    return found, selection_notes(found, parsed, how)[0]


def unconverged(found):
    """Return the end of a search as one that promises a better criterion."""
    return replace(found, expected_gain=1.0)


def reported(found):
    return found.lines[-1]["random"]


ONE_LEVEL = ((0.5, 0.0, 0.0), (0.0, 0.8, 0.0), (0.0, 0.0, 0.0))
INTERCEPTS_AND_X = ((0.8, 0.0, 0.4), (0.0, 0.0, 0.6), (0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("formula", "uncorrelated", "seed"),
    [("z ~ cond + (1 | p) + (0 + cond || p)", "by-term", 1), ("z ~ cond + (1 + cond || p) + (1 | i)", "by-column", 3)],
)
def test_a_slope_stays_where_one_of_its_columns_varies_and_another_does_not(formula, uncorrelated, seed):
    found, note = chosen(answers(people=ONE_LEVEL, seed=seed), formula, "keep-maximal", uncorrelated)
    assert "cond" in reported(found)
    assert found.model.optimum.singular
    assert "The reported model is still singular:" in note


@pytest.mark.parametrize("how", ["keep-maximal", "parsimonious"])
def test_the_factor_that_stands_for_the_intercept_is_never_taken_out(how):
    found, _ = chosen(answers(people=((0.0, 0.0, 0.9), (0.0,) * 3, (0.0,) * 3)), "z ~ cond + (0 + cond + x | p)", how)
    assert "cond" in reported(found)
    assert not any(line["change"] == "without cond by p" for line in found.lines)


def test_items_without_variance_cost_people_no_correlations():
    found, _ = chosen(answers(people=INTERCEPTS_AND_X), "z ~ x + cond + (1 + x | p) + (1 | i)", "parsimonious")
    assert found.lines[0]["singular"]
    assert reported(found) == "(1 + x | p)"
    assert not found.lines[-1]["singular"]
    assert found.lines[1]["decision"].startswith("not taken: they improve the model")


def test_correlations_come_back_where_one_empty_slope_was_in_their_way():
    formula = "z ~ x + cond + (1 + x + cond | p) + (1 | i)"
    frames = (answers(people=INTERCEPTS_AND_X, items=0.4, seed=seed) for seed in range(1, 20))
    made = (chosen(frame, formula, "keep-maximal") for frame in frames)
    found, note = next(one for one in made if any(line["change"] == "without cond by p" for line in one[0].lines))
    assert found.lines[0]["singular"]
    assert not found.lines[-1]["singular"]
    assert reported(found) == "(1 + x | p) + (1 | i)"
    assert found.lines[-2]["decision"] == "taken: can be estimated"
    assert all("p" not in line for line in found.lines)
    assert "correlations were put back" in note


def test_an_empty_slope_in_a_random_term_of_its_own_is_taken_out():
    alike = next(
        frame
        for frame in (answers(items=0.4, seed=seed) for seed in range(1, 20))
        if chosen(frame, "z ~ x + (1 | p) + (0 + x | p) + (1 | i)", "keep-maximal")[0].lines[0]["singular"]
    )
    found, _ = chosen(alike, "z ~ x + (1 | p) + (0 + x | p) + (1 | i)", "keep-maximal")
    assert reported(found) == "(1 | p) + (1 | i)"
    assert not found.model.optimum.singular


@pytest.mark.parametrize("how", ["keep-maximal", "parsimonious"])
def test_where_there_is_nothing_to_choose_the_report_says_so(how):
    found, note = chosen(answers(items=0.4), "z ~ x + (1 | p) + (1 | i)", how)
    assert note.startswith("There was nothing to choose")
    assert "there was nothing to choose" in selection_sentence(found, how)


def test_the_note_names_only_the_steps_that_there_were():
    _, note = chosen(answers(people=INTERCEPTS_AND_X), "z ~ x + (1 + x | p) + (1 | i)", "parsimonious")
    assert "without correlations where the data do not support them" in note
    assert "single slopes" not in note
    assert "Tests compare the restricted likelihood (REML) of models with the same fixed effects." in note
    assert "cannot be negative" not in note  # Correlations may lie on either side of 0, so their p is right as it is.
    assert "with correlations again" not in note


def test_the_note_says_that_the_p_of_slopes_that_were_tested_is_too_large():
    formula = "z ~ x + cond + (1 + x + cond || p) + (1 | i)"
    found, note = chosen(answers(people=INTERCEPTS_AND_X, items=0.4), formula, "parsimonious")
    assert any("p" in line and line["change"] == "without cond by p" for line in found.lines)
    assert "; as variances cannot be negative, true p values of slopes are smaller." in note


def test_against_a_model_that_did_not_converge_there_is_no_test():
    found, _ = chosen(
        answers(items=0.4), "z ~ x + (1 + x || p) + (1 | i)", "parsimonious", converged=lambda done: done > 0
    )
    assert found.lines[1]["decision"] == "taken: the larger model did not converge"
    assert "chi2" not in found.lines[1]
    assert "p" not in found.lines[1]


def test_nothing_is_called_maximal_where_nothing_converges():
    found, note = chosen(
        answers(items=0.4), "z ~ x + (1 + x | p) + (1 | i)", "keep-maximal", converged=lambda done: False
    )
    sentence = selection_sentence(found, "keep-maximal")
    assert "did not converge" in sentence
    assert "as the maximal ones" not in sentence
    assert "The reported model did not converge." in note


def test_the_note_says_where_the_bars_are_about_variances_too():
    frame = answers(people=ONE_LEVEL)
    assert "all contrasts of cond" in chosen(frame, "z ~ cond + (1 + cond | p)", "parsimonious")[1]
    by_column = chosen(frame, "z ~ cond + (1 + cond | p)", "parsimonious", "by-column")[1]
    assert "all contrasts of" not in by_column


def test_a_report_does_not_advise_what_was_tried():
    frame = answers(people=((0.8, 0.0, 0.0), (0.0,) * 3, (0.0,) * 3))
    formula = "z ~ x + cond + (1 + x || p) + (1 | i)"
    report = run(METHOD, frame, {"formula": formula, "reduce": "keep-maximal"})
    assert not any("Try " in warning for warning in report.warnings)
    lacking = [warning for warning in report.warnings if "Only intercepts vary" in warning]
    assert all("x" not in warning.split("(")[1].split(")")[0] for warning in lacking)

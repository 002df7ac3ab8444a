"""Means per condition and standardised predictors against R: ave, tapply, glm (tests/oracles/condition_means.R)."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.logistic import method as logistic
from analysis.methods.measures import condition_means
from analysis.methods.registry import run
from analysis.methods.report import BadInput
from analysis.methods.rows.scored_terms import standard_scores_within

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles/condition_means.json").read_text(encoding="utf-8"))
DATA = pd.DataFrame(ORACLE["data"])
TERMS = ",".join(ORACLE["means"])


def described(frame=DATA, **parameters):
    return run(condition_means.METHOD, frame, {"measures": TERMS, "keep": "fillers", **parameters})


def predicted(frame=DATA, **parameters):
    return run(logistic.METHOD, frame, {"outcome": "condition", "folds": 4, **parameters})


@pytest.mark.parametrize("term", ORACLE["means"])
def test_means_and_deviations_equal_r(term):
    long = described().table("long").frame()
    own = long[long["measure"] == term].to_dict("records")
    for row, wanted in zip(own, ORACLE["means"][term], strict=True):
        for name, value in wanted.items():
            assert row[name] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-10, abs=1e-12)), name


def test_the_wide_table_has_the_same_numbers_side_by_side():
    report = described()
    wide = report.table("means").frame().set_index("measure")
    for row in report.table("long").frame().to_dict("records"):
        assert wide.loc[row["measure"], f"mean_{row['condition']}"] == row["mean"]
        assert wide.loc[row["measure"], f"sd_{row['condition']}"] == row["sd_participants"]


def test_fillers_are_a_condition_only_where_they_are_kept():
    assert "mean_filler" in described().table("means").frame()
    assert "mean_filler" not in described(keep="").table("means").frame()


def test_z_of_all_conditions_together_is_zero_and_a_constant_participant_has_none():
    frame = DATA.assign(pace=DATA["pace"].where(DATA["participant"] != "P01", 250.0))
    report = described(frame, measures="z(pace)")
    long = report.table("long").frame()
    assert (long["mean"] * long["n"]).sum() == pytest.approx(0, abs=1e-9)
    assert any("10 rows of 108 without a value" in note for note in report.notes)


@pytest.mark.parametrize(
    ("measures", "said"),
    [
        ("z(pace", "no column 'z(pace'"),
        ("zz(pace)", "There is no 'zz(…)'"),
        ("z(paces)", "did you mean 'pace'"),
        ("log(shifted)", "not above zero"),
        ("z(pace),pace,z(pace)", "z(pace) is named more than once"),
    ],
)
def test_a_term_that_cannot_be_computed_is_refused_in_a_sentence(measures, said):
    with pytest.raises(BadInput, match=said.replace("(", r"\(").replace(")", r"\)")):
        described(DATA.assign(shifted=DATA["fluency"] - 20), measures=measures)


def test_predictors_standardised_within_participants_and_items_equal_glm():
    report = predicted(blocks="z(pace),z2(pace),log(fluency)", positive="sem")
    b = report.table("coefficients").frame()["b"].tolist()
    assert b == pytest.approx(ORACLE["logistic"]["b"], rel=1e-7)
    block = report.table("blocks").frame().iloc[0]
    assert (block["minus2ll"], block["n"]) == pytest.approx(
        (ORACLE["logistic"]["minus2ll"], ORACLE["logistic"]["n"]), rel=1e-9
    )


def test_z_as_a_term_is_the_standardisation_of_all_predictors_within_participants():
    terms = predicted(blocks="z(pace),z(fluency)", positive="sem").table("blocks").frame().iloc[0]
    whole = predicted(blocks="pace,fluency", positive="sem", standardise="participant").table("blocks").frame().iloc[0]
    for name in ("minus2ll", "cv_trial", "cv_participant", "cv_item"):
        assert terms[name] == pytest.approx(whole[name], rel=1e-12), name


def test_what_is_standardised_in_a_fold_knows_training_rows_only():
    # The held-out participant's own rows serve where nothing else is known; then nothing of others is used for them.
    shifted = DATA.assign(pace=DATA["pace"] + 500.0 * (DATA["participant"] == "P03"))
    before, after = (predicted(frame, blocks="z(pace)", positive="sem") for frame in (DATA, shifted))
    assert before.table("blocks").frame()["cv_participant"].tolist() == (
        after.table("blocks").frame()["cv_participant"].tolist()
    )


def test_sets_are_models_of_their_own_and_the_ladder_puts_them_side_by_side():
    report = predicted(sets="Ratings = z(fluency); Times = z(pace), pace", ladder="filler,sem,lin,gold")
    ladder = report.table("ladder").frame()
    assert ladder[["model", "set"]].to_numpy().tolist() == [
        [model, name] for model in ("filler", "sem", "lin") for name in ("Ratings", "Times")
    ]
    alone = predicted(blocks="z(pace),pace", ladder="filler,sem,lin,gold").table("blocks").frame()
    mine = ladder[ladder["set"] == "Times"]
    for name in ("n", "fit_accuracy", "nagelkerke", "cv_trial", "cv_item"):
        assert mine[name].tolist() == alone[name].tolist(), name
    final = report.table("final").frame()
    assert final["term"].tolist() == ["(Intercept)", "z(pace)", "pace"]
    assert list(final.columns) == ["term", "b_filler", "b_sem", "b_lin"]
    assert np.isfinite(final[["b_sem", "b_lin"]].to_numpy(dtype=float)).all()
    assert report.sentences[0].startswith(
        "The model of filler against sem, lin and gold by Ratings with 1 coefficient had"
    )


def test_a_model_that_keeps_no_predictor_is_said_to_keep_none():
    noise = DATA.assign(noise=np.random.default_rng(0).normal(size=len(DATA)))
    report = predicted(noise, blocks="noise", select="backward", positive="sem", p_remove=0.0001)
    assert report.sentences[0].startswith("The model of sem against ")
    assert " kept no predictor and classified " in report.sentences[0]


def test_all_sets_are_compared_on_the_same_rows():
    report = predicted(sets="Ratings = fluency; Times = pace", positive="sem")
    assert report.table("ladder").frame()["n"].tolist() == [70, 70]
    assert any("2 rows without outcome or a predictor left out" in note for note in report.notes)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "either blocks"),
        ({"blocks": "pace", "sets": "A = pace"}, "either blocks"),
        ({"sets": "pace, fluency"}, "is no set"),
        ({"sets": "A = pace; A = fluency"}, "two sets called 'A'"),
        ({"sets": "A = "}, "a block is empty"),
        ({"sets": ";"}, "there is none"),
        ({"blocks": "z(item)"}, "must hold numbers"),
    ],
)
def test_predictors_that_cannot_be_read_are_refused_in_a_sentence(given, said):
    with pytest.raises(BadInput, match=said):
        predicted(positive="sem", **given)


def test_a_score_without_its_column_of_groups_is_refused():
    with pytest.raises(BadInput, match="item=…"):
        predicted(DATA.drop(columns="item"), blocks="z2(pace)", positive="sem")
    with pytest.raises(BadInput, match="item=…"):
        described(DATA.drop(columns="item"), measures="z2(pace)")


SMALL = pd.DataFrame(
    {"participant": ["p", "p", "q", "q"], "condition": ["a", "b", "a", "b"], "pace": ["200", "300", "250", "270"]}
)


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (SMALL[:2], "SD of participants' means needs at least two participants, and there are fewer for pace in a and"),
        (SMALL.assign(pace=["200", "", "250", ""]), "There is no value of pace in b."),
        (SMALL.assign(condition=["a", "", "a", "b"]), "1 row had no 'condition' and is in no mean."),
        (SMALL.assign(participant=["p", "p", "", ""]), "2 rows had no 'participant' and have no part in the SD."),
    ],
)
def test_an_empty_mean_or_sd_is_explained(frame, words):
    assert any(words in warning for warning in described(frame, measures="pace").warnings)
    assert not described(SMALL, measures="pace").warnings


@pytest.mark.parametrize(
    ("pace", "measures", "words"),
    [
        (["3", "3", "4", "4"], "z(pace)", r"no participant has two values of 'pace' that differ; leave it out"),
        (["3", "0", "4", "-1"], "log(pace)", r"2 values of 'pace' are not above zero, and such numbers have no log"),
    ],
)
def test_a_term_without_any_value_is_refused_with_the_reason(pace, measures, words):
    with pytest.raises(BadInput, match=words):
        described(SMALL.assign(pace=pace), measures=measures)


def test_a_large_number_common_to_all_values_changes_no_standard_score():
    values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9]
    people = pd.Series(["p"] * 8 + ["q"] * 7)
    near, far = (standard_scores_within(np.array(values, dtype=float) + offset, people) for offset in (0, 10**12 + 1))
    assert far == pytest.approx(near, rel=1e-12, abs=1e-14)

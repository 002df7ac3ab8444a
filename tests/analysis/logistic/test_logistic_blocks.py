"""Logistic regression in blocks against R: glm, drop1 and brglm2 (tests/oracles/further_logistic.R)."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.methods.logistic.method import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput
from tests import needs

pytestmark = pytest.mark.slow

ORACLE = json.loads((Path(__file__).resolve().parents[2] / "oracles/further_logistic.json").read_text(encoding="utf-8"))
DATA = pd.DataFrame(ORACLE["data"])
TEXTBOOK = needs.SHARED / "oracles" / "d_textbook"
TWO_BLOCKS = "fluency,clarity|genre,pace"


def analysed(frame=DATA, **parameters):
    return run(METHOD, frame, {"outcome": "garbled", "blocks": TWO_BLOCKS, **parameters})


def same(table, expected, *, rel=1e-8):
    for row, wanted in zip(table.to_dict("records"), expected, strict=True):
        for name, value in wanted.items():
            assert row[name] == (value if isinstance(value, str) else pytest.approx(value, rel=rel, abs=1e-12)), name


def coefficients(report, block):
    table = report.table("coefficients").frame()
    return table[table["block"] == block]


@pytest.mark.parametrize(("oracle", "blocks"), [("blocks", TWO_BLOCKS), ("interaction", "fluency,genre,fluency:genre")])
def test_every_number_of_every_block_equals_r(oracle, blocks):
    report = analysed(blocks=blocks)
    same(report.table("blocks").frame(), [block["measures"] for block in ORACLE[oracle]])
    terms = report.table("terms").frame()
    for number, block in enumerate(ORACLE[oracle], start=1):
        same(coefficients(report, number), block["coefficients"], rel=1e-7)
        tests = terms[(terms["block"] == number)].set_index("term")
        for wanted in block["terms"]:
            row = tests.loc[wanted["term"]]
            assert row[["chi2", "df", "p"]].tolist() == pytest.approx(
                [wanted["chi2"], wanted["df"], wanted["p"]], rel=1e-7
            )


@needs.shared("oracles/d_textbook")
def test_seven_thousand_answers_equal_r():
    frame = pd.read_csv(TEXTBOOK / "VerbAgg.csv", dtype=str)
    blocks = "Anger,Gender|btype,situ,mode"
    report = run(METHOD, frame, {"outcome": "r2", "positive": "Y", "blocks": blocks, "participant": "id", "folds": 3})
    same(report.table("blocks").frame(), [block["measures"] for block in ORACLE["verbagg"]])
    # R's factors: "want" comes after "do" here as there, and the other levels are in the same order
    ours = coefficients(report, 2).set_index("term")
    for wanted in ORACLE["verbagg"][1]["coefficients"]:
        assert ours.loc[wanted["term"], "b"] == pytest.approx(wanted["b"], rel=1e-7)
        assert ours.loc[wanted["term"], "se"] == pytest.approx(wanted["se"], rel=1e-7)


def test_backward_elimination_keeps_what_likelihood_ratio_tests_in_r_keep():
    report = analysed(blocks="fluency,clarity,genre,pace", select="backward")
    row = report.table("blocks").frame().iloc[0]
    assert row["predictors"].split(", ") == ORACLE["backward"]["terms"]
    same(report.table("coefficients").frame(), ORACLE["backward"]["coefficients"], rel=1e-7)
    assert row["n_coefficients"] == row["model_df"] == len(ORACLE["backward"]["coefficients"]) - 1


def test_firths_estimates_equal_brglm2():
    report = analysed(blocks="fluency,clarity,genre,pace", penalty="firth")
    wanted = [{key: row[key] for key in ("term", "b", "se", "wald", "p")} for row in ORACLE["firth"]]
    same(report.table("coefficients").frame(), wanted, rel=1e-6)


def quasi_separated():
    return DATA.iloc[:60].assign(flag=ORACLE["quasi"]["flag"])


def test_quasi_complete_separation_is_found_and_the_limit_is_reported():
    report = analysed(quasi_separated(), blocks="clarity,flag")
    row = report.table("blocks").frame().iloc[0]
    limit = ORACLE["quasi"]["limit"][0]
    assert row["separated"]
    assert row["separation"] == "quasi"
    assert row["minus2ll"] == pytest.approx(limit["measures"]["minus2ll"], rel=1e-8)
    found = report.table("coefficients").frame().set_index("term")
    assert found.loc["flag", ["b", "se", "wald", "p", "exp_b"]].isna().all()
    assert found.loc["flag", "remark"] == "no finite estimate"
    for wanted in limit["coefficients"]:
        assert found.loc[wanted["term"], "b"] == pytest.approx(wanted["b"], rel=1e-7)
        assert found.loc[wanted["term"], "se"] == pytest.approx(wanted["se"], rel=1e-7)
    assert any("no finite maximum-likelihood estimate exists for flag" in warning for warning in report.warnings)


@pytest.mark.parametrize("frame", ["quasi", "complete"])
def test_firths_penalty_gives_finite_estimates_under_separation(frame):
    if frame == "quasi":
        report = analysed(quasi_separated(), blocks="clarity,flag", penalty="firth")
    else:
        separated = DATA.iloc[:40].assign(garbled=ORACLE["complete"]["garbled"])
        report = analysed(separated, blocks="fluency,clarity", penalty="firth")
    wanted = [{key: row[key] for key in ("term", "b", "se")} for row in ORACLE[frame]["firth"]]
    same(report.table("coefficients").frame(), wanted, rel=1e-5)
    assert not report.table("blocks").frame()["separated"].any()


def test_complete_separation_has_perfect_fit_and_no_estimates():
    frame = DATA.iloc[:40].assign(garbled=ORACLE["complete"]["garbled"])
    report = analysed(frame, blocks="clarity|fluency")
    rows = report.table("blocks").frame()
    assert rows["separated"].tolist() == [False, True]
    last = rows.iloc[1]
    assert (last["separation"], last["minus2ll"], last["fit_accuracy"], last["auc"]) == ("complete", 0, 1, 1)
    assert last["nagelkerke"] == pytest.approx(1)
    assert coefficients(report, 2)["b"].isna().all()
    assert "completely separate" in " ".join(report.warnings)


def test_an_odds_ratio_beyond_all_numbers_is_empty_with_a_remark():
    frame = DATA.assign(clarity=DATA["clarity"] * 1e-3 + 1e6)
    found = coefficients(analysed(frame, blocks="clarity"), 1).set_index("term")
    assert np.isnan(found.loc["(Intercept)", ["exp_b", "or_high"]].astype(float)).any()
    assert found.loc["(Intercept)", "remark"] == "odds ratio too large to be written"
    assert np.isfinite(found.loc["(Intercept)", "b"])


def test_separation_hidden_in_a_combination_of_predictors_is_found():
    random = np.random.default_rng(8)
    x, y = random.normal(size=200), random.normal(size=200)
    frame = pd.DataFrame({"x": x, "y": y, "z": random.normal(size=200), "garbled": (x + 0.05 * y > 0.1).astype(int)})
    rows = analysed(frame, blocks="x,z|y").table("blocks").frame()
    assert rows["separated"].tolist() == [False, True]


def test_a_separated_column_of_fixed_texts_is_called_complete_whatever_its_units():
    frame = pd.DataFrame({"words": [10, 12, 14, 30, 32, 34] * 5, "garbled": [0, 0, 0, 1, 1, 1] * 5})
    for factor in (1, 1e-6, 1e6):
        row = analysed(frame.assign(time=frame["words"] * factor), blocks="time").table("blocks").frame().iloc[0]
        assert row["separation"] == "complete"


def test_a_predictor_that_repeats_others_has_no_coefficient_and_no_degree_of_freedom():
    frame = DATA.assign(both=DATA["fluency"] + DATA["clarity"])
    report = analysed(frame, blocks="fluency,clarity|both")
    row = report.table("blocks").frame().iloc[1]
    assert row["step_chi2"] == pytest.approx(0, abs=1e-9)
    assert row["step_df"] == 0
    assert pd.isna(row["step_p"])
    assert coefficients(report, 2)["remark"].tolist()[-1] == "linear combination of others"
    same(coefficients(report, 2).iloc[:3], coefficients(report, 1).drop(columns=["block", "remark"]).to_dict("records"))


def test_a_ladder_asks_each_level_against_those_after_it():
    random = np.random.default_rng(4)
    made = pd.DataFrame({"condition": np.repeat(["filler", "sem", "lin", "gold"], 30), "pace": random.normal(size=120)})
    marked = made.assign(is_filler=made["condition"] == "filler")
    report = run(METHOD, marked, {"outcome": "condition", "blocks": "pace", "ladder": "filler,sem,lin,gold"})
    rows = report.table("blocks").frame()
    assert rows[["model", "n"]].values.tolist() == [["filler", 120], ["sem", 90], ["lin", 60]]
    assert rows["baseline"].tolist() == pytest.approx([0.75, 2 / 3, 0.5])
    gold = run(METHOD, marked, {"outcome": "condition", "blocks": "pace", "ladder": "lin,gold"})
    assert gold.table("blocks").frame()["minus2ll"][0] == rows["minus2ll"][2]


def test_the_last_value_is_predicted_unless_another_is_named():
    frame = DATA.assign(garbled=DATA["garbled"].map({0: "fine", 1: "garbled"}))
    default, turned = (analysed(frame, **given).table("coefficients").frame() for given in ({}, {"positive": "fine"}))
    assert default["b"].tolist() == pytest.approx((-turned["b"]).tolist())
    assert turned["model"][0] == "fine"


def test_the_predicted_value_is_known_in_other_capitals_and_as_the_same_number():
    frame = DATA.assign(right=np.where(DATA["garbled"] == 1, "false", "true"))
    wanted = analysed(frame, outcome="right", positive="true", blocks="clarity").table("blocks")
    assert analysed(frame, outcome="right", positive="TRUE", blocks="clarity").table("blocks").rows == wanted.rows
    assert analysed(positive="1.0").table("blocks").rows == analysed(positive="1").table("blocks").rows


def test_a_block_of_which_nothing_is_kept_has_no_p_and_a_warning_says_why():
    frame = DATA.assign(noise=np.random.default_rng(0).normal(size=len(DATA)))
    report = analysed(frame, blocks="noise", select="backward")
    assert report.table("blocks").frame()["step_p"].isna().all()
    assert any("kept none of its predictors, so its step has no p" in warning for warning in report.warnings)


def test_numbers_can_be_declared_to_be_categories():
    frame = DATA.assign(list=np.arange(240) % 4 + 1)
    measured = analysed(frame, blocks="list").table("blocks").frame()["model_df"][0]
    categories = analysed(frame, blocks="list", categorical="list").table("coefficients").frame()["term"].tolist()
    assert measured == 1
    assert categories == ["(Intercept)", "list2", "list3", "list4"]


def test_classification_adds_up():
    report = analysed()
    table = report.table("classification").frame()
    last = table[table["block"] == 2]
    right = last["predicted_rest"].iloc[0] + last["predicted_positive"].iloc[1]
    assert right / 240 == report.table("blocks").frame()["fit_accuracy"][1]
    assert last["n"].sum() == 240


def test_the_curve_has_the_area_that_the_table_prints():
    report = analysed()
    curve = report.table("roc").frame()
    last = curve[curve["block"] == "2"]
    area = np.trapezoid(last["true_positive_rate"], last["false_positive_rate"])
    assert area == pytest.approx(report.table("blocks").frame()["auc"][1])


def test_rows_without_a_predictor_of_a_later_block_are_left_out_of_all_blocks():
    frame = DATA.astype(object).copy()
    frame.loc[:9, "pace"] = ""
    report = analysed(frame)
    assert report.table("blocks").frame()["n"].tolist() == [230, 230]
    assert any("10 rows without outcome or a predictor" in note and "pace: 10" in note for note in report.notes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"blocks": "fluency,fluncy"}, "did you mean 'fluency'"),
        ({"blocks": "fluency|fluency"}, "more than once"),
        ({"blocks": "fluency||pace"}, "a block is empty"),
        ({"blocks": "garbled"}, "both the outcome and a predictor"),
        ({"outcome": "genre", "blocks": "pace"}, "positive=…, or in which order"),
        ({"positive": "2"}, "no level '2'"),
        ({"ladder": "1"}, "two or more different levels"),
        ({"ladder": "1,2"}, "no level '2'"),
        ({"folds": 1}, "folds must be 2 or more"),
        ({"p_remove": 2}, "between 0 and 1"),
        ({"standardise": "rater"}, "no column 'rater'"),
        ({"select": "forward"}, "none of none and backward"),
        ({"where": "garbled=1"}, "always '1'"),
        ({"where": "pace<0"}, "No row satisfies"),
        ({"blocks": "constant"}, "every predictor is constant"),
        ({"blocks": "typo"}, "must hold numbers; data row 1"),
        ({"blocks": "name"}, "240 levels"),
        ({"blocks": "empty"}, "empty in every row"),
        ({"outcome": "empty"}, "has the outcome 'empty' and all predictors; fill them or name other columns.$"),
        ({"where": "row<6", "blocks": TWO_BLOCKS}, "too few for 6 coefficients"),
    ],
)
def test_what_cannot_be_fitted_is_refused_in_words(changes, message):
    frame = DATA.assign(
        constant=3,
        typo=["1,5"] + ["2"] * 239,
        name=[f"n{row}" for row in range(240)],
        empty="",
        row=range(240),
    )
    with pytest.raises(BadInput, match=message):
        analysed(frame, **changes)

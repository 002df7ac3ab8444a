"""Incidence of recall codes per formulation, and weighted scores."""

import pandas as pd
import pytest

from analysis.methods.codes.incidence import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput

RECALLS = pd.DataFrame(
    {
        "marker": ["because", "because", "because", "because", "cause", "cause"],
        "codes": ["0", "2+3", "3, 4", "1", "0", "5"],
    }
)


def table(frame=RECALLS, **parameters):
    return run(METHOD, frame, {"codes": "codes", **parameters}).table("incidence").frame()


def test_one_row_per_group_and_one_column_per_code_also_for_codes_that_nobody_gave():
    found = table(by="marker")
    assert list(found.columns) == ["marker", "0", "1", "2", "3", "4", "5", "6", "n", "score", "score_sd"]
    assert found.values.tolist()[0][:9] == ["because", 0.25, 0.25, 0.25, 0.5, 0.25, 0.0, 0.0, 4]
    assert found.values.tolist()[1][:9] == ["cause", 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 2]


def test_codes_and_groups_may_be_given_under_other_names():
    frame = RECALLS.assign(a=[0, 1, 0, 0, 1, 1], b=[1, 1, 0, 0, 0, 1])
    expected = run(METHOD, frame, {"codes": "a,b", "by": "marker"})
    for names in ({"code": "a,b"}, {"columns": "a,b"}, {"code_columns": "a,b"}):
        assert run(METHOD, frame, {**names, "group": "marker"}).tables == expected.tables


def test_a_row_may_sum_to_more_than_one():
    assert table(by="marker").loc[0, "0":"6"].sum() == 1.5


def test_the_score_is_the_mean_sum_of_the_weights_of_the_paper():
    assert table(by="marker")["score"].tolist() == [pytest.approx((0.5 - 0.75 - 1.0 + 0.4) / 4), 0.375]


def test_scores_of_rows_are_free_of_binary_noise():
    scores = run(METHOD, RECALLS, {"codes": "codes"}).table("scores").frame()
    assert scores["score"].tolist() == [0.5, -0.75, -1.0, 0.4, 0.5, 0.25]


def test_columns_of_zero_and_one_are_counted_under_their_names():
    frame = pd.DataFrame({"err0": [1, 0, 0], "err3": [0, 1, 1], "err4": [0, 0, 1]})
    row = run(METHOD, frame, {"codes": "err0,err3,err4"}).table("incidence").frame().iloc[0]
    assert row[["err3", "err4", "n"]].tolist() == [2 / 3, 1 / 3, 3]
    assert "score" not in row


def test_some_of_the_codes_have_no_score_and_a_warning_that_says_what_to_do():
    frame = pd.DataFrame({"code_3": [0, 1, 1], "code_4": [0, 0, 1]})
    report = run(METHOD, frame, {"codes": "code_3,code_4"})
    assert [table.name for table in report.tables] == ["incidence", "by_code"]
    (warning,) = report.warnings
    assert "codes 0, 1, 2, 5 and 6 of the codes 0 to 6 have no column here" in warning
    given = warning.rpartition("weights=")[2].rstrip(".")
    scored = run(METHOD, frame, {"codes": "code_3,code_4", "weights": given})
    assert scored.table("scores").frame()["score"].tolist() == [0.0, -0.5, -1.0]
    assert scored.warnings == ()


def test_a_single_column_of_zero_and_one_is_some_of_the_codes_too():
    report = run(METHOD, pd.DataFrame({"code_3": [0, 1, 1]}), {"codes": "code_3"})
    assert "score" not in report.table("incidence").frame()
    assert report.warnings


def test_all_seven_columns_have_the_weights_of_the_paper():
    frame = pd.DataFrame({f"code_{number}": [number == 0, number in (2, 3)] for number in range(7)}).astype(int)
    report = run(METHOD, frame, {"codes": ",".join(frame.columns)})
    assert report.table("scores").frame()["score"].tolist() == [0.5, -0.75]


def test_two_columns_for_the_same_code_are_not_all_seven():
    names = [*(f"code_{number}" for number in range(6)), "err5"]
    report = run(METHOD, pd.DataFrame(0, index=range(2), columns=names), {"codes": ",".join(names)})
    assert "score" not in report.table("incidence").frame()


def test_the_scores_of_the_data_stand_even_where_some_codes_are_looked_at():
    frame = pd.DataFrame({"code_3": [0, 1], "code_4": [0, 1], "score": [0.5, -1.0]})
    report = run(METHOD, frame, {"codes": "code_3,code_4"})
    assert report.table("incidence").frame().loc[0, "score"] == -0.25
    assert report.warnings == ()


def test_weights_of_codes_that_are_not_there_are_named():
    frame = pd.DataFrame({"code_3": [0, 1], "code_4": [1, 1]})
    report = run(METHOD, frame, {"codes": "code_3,code_4", "weights": "code_3:-1,code_4:-1,code_5:1"})
    assert report.table("incidence").frame().loc[0, "score"] == -1.5
    assert any("code_5 is not among the codes" in warning for warning in report.warnings)


def test_own_weights_replace_those_of_the_paper():
    assert table(weights="0:1,1:0,2:0,3:-1,4:-1,5:0,6:0")["score"].tolist() == [pytest.approx((1 - 1 - 2 + 0 + 1) / 6)]


def test_other_codes_have_no_score_unless_weights_are_given():
    frame = pd.DataFrame({"codes": ["fluent", "fluent+short"]})
    report = run(METHOD, frame, {"codes": "codes"})
    assert [column.name for column in report.table("incidence").columns] == ["fluent", "short", "n"]
    assert any("No score" in note for note in report.notes)


def test_an_empty_cell_was_not_coded_but_none_was():
    frame = pd.DataFrame({"codes": ["3", "", "none"]})
    report = run(METHOD, frame, {"codes": "codes"})
    row = report.table("incidence").frame().iloc[0]
    assert (row["3"], row["n"]) == (0.5, 2)
    assert any("1 row without codes" in note for note in report.notes)
    assert any("no code at all" in warning for warning in report.warnings)


def test_codes_that_exclude_one_another_are_pointed_out():
    report = run(METHOD, pd.DataFrame({"codes": ["0+3", "2+3"]}), {"codes": "codes"})
    assert any("1 row combine a code that excludes" in warning for warning in report.warnings)


def test_two_coders_of_the_same_recall_are_pointed_out():
    frame = pd.DataFrame({"item": ["a", "a"], "coder": ["x", "y"], "codes": ["0", "3"]})
    assert any("Several coders" in warning for warning in run(METHOD, frame, {"codes": "codes"}).warnings)


@pytest.mark.parametrize(
    ("frame", "parameters", "message"),
    [
        (RECALLS.drop(columns="codes"), {"codes": None}, "Name the codes with codes="),
        (RECALLS.assign(codes=""), {}, "holds no code"),
        (RECALLS.assign(a=0), {"code": "a"}, "codes was given twice"),
        (RECALLS.assign(a=0), {"columns": "a"}, "codes was given twice, as codes and as columns"),
        (RECALLS.assign(a=[0, 1, 2, 0, 0, 0]), {"codes": "a,codes"}, "must hold 0 and 1"),
        (RECALLS, {"weights": "0:x"}, "is not a code and its weight"),
        (RECALLS, {"weights": "0:1"}, "have no weight"),
        (pd.DataFrame({"codes": [f"word{n}" for n in range(99)]}), {}, "99 different codes"),
        (RECALLS.assign(marker=""), {"by": "marker"}, "No row has both codes and a group"),
        (pd.DataFrame({"codes": ["n", "m"]}), {}, "like another column"),
        (RECALLS.assign(n=[1, 2, 3, 1, 2, 3]), {"by": "marker,n"}, "n cannot make groups under the name of a result"),
    ],
)
def test_what_cannot_be_counted_is_refused_in_words(frame, parameters, message):
    with pytest.raises(BadInput, match=message):
        run(METHOD, frame, {"codes": "codes", **parameters})


def test_a_code_that_nobody_got_is_not_called_the_most_frequent():
    frame = pd.DataFrame({"err3": [0, 0], "err4": [0, 0]})
    (sentence,) = run(METHOD, frame, {"codes": "err3,err4"}).sentences
    assert sentence.startswith("No code was given at all")


def test_without_groups_no_group_is_named():
    (sentence,) = run(METHOD, pd.DataFrame({"codes": ["3", "3", "x"]}), {"codes": "codes"}).sentences
    assert sentence == "The most frequent code was 3 (.67, 2/3)."


def test_blanks_that_part_a_code_of_several_words_are_pointed_out():
    report = run(METHOD, pd.DataFrame({"codes": ["no verb", "none", "2 3"]}), {"codes": "codes"})
    assert any("'no verb' in column 'codes' was read as no and verb" in warning for warning in report.warnings)
    assert not any("Blanks" in warning for warning in run(METHOD, RECALLS, {"codes": "codes"}).warnings)

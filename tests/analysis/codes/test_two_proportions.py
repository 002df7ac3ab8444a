"""Two proportions against published values and R's prop.test, mcnemar.exact by binom.test, and fisher.test."""

import numpy as np
import pandas as pd
import pytest

from analysis.methods.codes.proportions import METHOD
from analysis.methods.registry import run
from analysis.methods.report import BadInput


def compared(frame=None, table="ztest", **parameters):
    return run(METHOD, pd.DataFrame() if frame is None else frame, parameters).table(table).frame().iloc[0]


def rows_of(**counts):
    """Rows of a 0/1 column for groups given as (successes, n)."""
    parts = [
        pd.DataFrame({"marker": name, "garbled": [1] * successes + [0] * (n - successes)})
        for name, (successes, n) in counts.items()
    ]
    return pd.concat(parts, ignore_index=True)


# Newcombe (1998), table II: method 10 for 56/70-48/80, 9/10-3/10, 5/56-0/29, 0/10-0/20 and 10/10-0/10
@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ("56/70,48/80", 0.0524, 0.3339),
        ("9/10,3/10", 0.1705, 0.8090),
        ("5/56,0/29", -0.0381, 0.1926),
        ("0/10,0/20", -0.1611, 0.2775),
        ("10/10,0/10", 0.6075, 1.0000),
    ],
)
def test_the_interval_of_the_difference_is_newcombes_as_he_printed_it(counts, low, high):
    row = compared(counts=counts)
    assert (round(row["ci_low"], 4), round(row["ci_high"], 4)) == (low, high)


def test_the_z_test_and_the_wald_interval_equal_prop_test_of_r():
    # prop.test(c(12, 25), c(40, 41), correct = FALSE) in R 4.2.2
    row = compared(counts="12/40,25/41", ci="wald")
    assert row["z"] ** 2 == pytest.approx(7.829142446216, rel=1e-11)
    assert row["p"] == pytest.approx(0.005141048528, rel=1e-9)
    assert row["z"] < 0
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((-0.515820435320, -0.103691759802), rel=1e-10)


def test_columns_and_counts_give_the_same_result():
    frame = rows_of(because=(12, 40), cause=(25, 41))
    by_column = compared(frame, success="garbled", group="marker")
    for counts in ("because:12/40,cause:25/41", "because:12/40; cause:25/41", "because=12/40,cause=25/41"):
        assert by_column.to_dict() == compared(counts=counts).to_dict()
    assert (by_column["a"], by_column["b"]) == ("because", "cause")


def test_truth_values_count_like_ones_and_zeros():
    frame = rows_of(because=(12, 40), cause=(25, 41))
    worded = frame.assign(garbled=frame["garbled"].map({1: "true", 0: "False"}))
    assert compared(worded, success="garbled", group="marker")["successes_a"] == 12


@pytest.mark.parametrize("counts", ["0/10,0/12", "10/10,12/12"])
def test_nothing_against_nothing_is_undefined_in_words(counts):
    report = run(METHOD, pd.DataFrame(), {"counts": counts})
    row = report.table("ztest").frame().iloc[0]
    assert row["z"] is None
    assert row["p"] is None
    assert row["ci_low"] < 0 < row["ci_high"]
    assert any("not defined" in warning for warning in report.warnings)
    assert "z not defined" in report.sentences[0]


def test_merged_levels_answer_a_hypothesis_about_two_kinds_of_markers():
    frame = rows_of(because=(5, 20), because_of=(7, 20), cause=(2, 20), caused=(1, 20))
    row = compared(frame, success="garbled", group="marker", levels="because+because_of,cause+caused")
    assert (row["successes_a"], row["n_a"], row["successes_b"], row["n_b"]) == (12, 40, 3, 40)


def test_two_clauses_of_the_same_sentence_are_compared_by_mcnemars_exact_test():
    # 9 sentences with only clause b garbled, 2 with only clause a: binom.test(2, 11) gives p = 0.06542969
    frame = pd.DataFrame({"a": [1] * 3 + [1] * 2 + [0] * 9 + [0] * 20, "b": [1] * 3 + [0] * 2 + [1] * 9 + [0] * 20})
    row = compared(frame, table="mcnemar", success="a,b")
    assert row[["both", "only_a", "only_b", "neither"]].tolist() == [3, 2, 9, 20]
    assert row["p"] == pytest.approx(0.06542969, abs=1e-8)


def test_the_same_unit_in_both_groups_is_paired_whatever_the_order_of_rows():
    random = np.random.default_rng(3)
    frame = pd.DataFrame(
        [
            {"participant": person, "marker": marker, "garbled": int(random.random() < rate)}
            for person in range(30)
            for marker, rate in (("because", 0.6), ("cause", 0.2))
        ]
    )
    wide = frame.pivot_table(index="participant", columns="marker", values="garbled")
    row = compared(
        frame.sample(frac=1, random_state=2), table="mcnemar", success="garbled", group="marker", unit="participant"
    )
    assert row["only_a"] == ((wide["because"] == 1) & (wide["cause"] == 0)).sum()
    assert row["n"] == 30


def test_a_unit_with_several_rows_in_a_group_has_no_pairs_and_is_told_so():
    frame = pd.concat([rows_of(a=(1, 2), b=(1, 2))] * 2).assign(participant="P1")
    report = run(METHOD, frame, {"success": "garbled", "group": "marker", "unit": "participant"})
    assert [table.name for table in report.tables] == ["ztest", "groups"]
    assert any("more than one row" in warning for warning in report.warnings)


def test_repeated_participants_bring_a_warning_about_independence():
    frame = rows_of(because=(12, 40), cause=(25, 41)).assign(participant=[f"P{index % 8}" for index in range(81)])
    report = run(METHOD, frame, {"success": "garbled", "group": "marker"})
    assert any("8 participants" in warning and "not independent" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "Give a success column"),
        ({"counts": "12/40"}, "holds 1 proportion"),
        ({"counts": "12,40,25,41"}, "holds 4 proportions; give two, such as 12/40,25/41"),
        ({"counts": "12/40,five"}, "'five' is not a count"),
        ({"counts": "12/40,41/25"}, "more successes than observations"),
        ({"counts": "0/0,1/2"}, "proportion of nothing"),
        ({"success": "rating", "group": "marker"}, "must hold 0 and 1"),
        ({"success": "garbled", "group": "rating"}, "has 81 levels"),
        ({"success": "garbled"}, "no column 'group'"),
        ({"success": "garbled", "group": "marker", "levels": "because,becaus"}, "did you mean 'because'"),
        ({"success": "garbled", "group": "marker", "levels": "because"}, "two groups"),
        ({"success": "garbled", "group": "marker", "counts": "1/2,1/2"}, "not both"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_words(parameters, message):
    frame = rows_of(because=(12, 40), cause=(25, 41)).assign(rating=[index + 0.5 for index in range(81)])
    with pytest.raises(BadInput, match=message):
        run(METHOD, frame, parameters)

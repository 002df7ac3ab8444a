"""Oracles: R's mean and sd in tests/oracles/anova/make.R, the shared scores.csv, and arithmetic by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from analysis.methods.measures.normalise import normalise
from analysis.methods.report import BadInput, Report
from tests.analysis.methods.references import own, own_frame, rows_of, simulated, simulated_frame


def scores(report: Report, name: str) -> list[float]:
    return [math.nan if row[name] is None else row[name] for row in rows_of(report, "scores")]


def ratings(*values: object, people: str = "") -> pd.DataFrame:
    names = list(people) or ["a"] * len(values)
    return pd.DataFrame({"participant": names, "rating": [str(value) for value in values]}, dtype=str)


def test_z_scores_are_those_of_r() -> None:
    expected = own("two_within")["scores"]
    z = np.array(scores(normalise(own_frame("two_within"), dv="z"), "z_z"))
    population = np.array(scores(normalise(own_frame("two_within"), dv="z", how="z-population"), "z_z-population"))
    assert np.isfinite(z).sum() == expected["n"]
    assert np.nansum(z**2) == pytest.approx(expected["sum_of_squares"], rel=1e-12)
    assert np.nansum(z**3) == pytest.approx(expected["sum_of_cubes"], rel=1e-9)
    assert np.nansum(population**3) == pytest.approx(expected["sum_of_population_cubes"], rel=1e-9)


@pytest.mark.parametrize(
    ("how", "column"), [("z", "z"), ("z-population", "zpop"), ("log-ratio", "logmod"), ("log-z", "zlog")]
)
def test_every_scale_is_that_of_the_shared_scores(how: str, column: str) -> None:
    report = normalise(simulated_frame("trials"), dv="rating", how=how)
    mine = {
        (row["participant"], row["trial"]): row[f"rating_{how}"]
        for row in rows_of(report, "scores")
        if row["rating"] is not None
    }
    expected = simulated_frame("scores")
    assert len(mine) == len(expected)
    for participant, trial, value in zip(expected["participant"], expected["trial"], expected[column], strict=True):
        assert mine[participant, trial] == pytest.approx(float(value), rel=1e-9, abs=1e-12)


def test_the_table_of_participants_is_that_of_r() -> None:
    report = normalise(simulated_frame("trials"), dv="rating")
    found = {row["participant"]: row for row in rows_of(report, "participants")}
    for row in simulated()["participants"]:
        mine = found[row["participant"]]
        assert (mine["n"], mine["mean"], mine["sd"]) == pytest.approx((row["n"], row["mean"], row["sd"]), rel=1e-12)


def test_the_table_of_scores_keeps_every_input_column_as_it_was() -> None:
    frame = own_frame("two_within")
    report = normalise(frame, dv="z")
    assert [column.name for column in report.table("scores").columns] == [*frame.columns, "z_z"]
    assert len(report.table("scores").rows) == len(frame)
    assert report.table("scores").rows[0][3] == "001"


def test_a_participant_with_zero_variance_is_named_and_has_no_z() -> None:
    report = normalise(ratings(1, 2, 3, 5, 5, people="aaabb"), dv="rating")
    assert scores(report, "rating_z")[:3] == [-1, 0, 1]
    assert [row["flag"] for row in rows_of(report, "participants")] == [None, "all values are equal, so there is no z"]
    assert any("1 participant flagged (all values are equal, so there is no z): b" in text for text in report.warnings)


def test_zero_variance_is_found_in_numbers_that_are_not_exact_in_binary() -> None:
    report = normalise(ratings(0.1, 0.1, 0.1, 1, 2, people="aaabb"), dv="rating")
    assert rows_of(report, "participants")[0]["sd"] == 0
    assert all(math.isnan(score) for score in scores(report, "rating_z")[:3])


def test_one_value_gives_no_z() -> None:
    report = normalise(ratings(7, 1, 2, people="abb"), dv="rating")
    assert rows_of(report, "participants")[0]["flag"] == "one value only, so there is no z"


def test_zeros_are_counted_and_have_no_logarithm() -> None:
    report = normalise(ratings(0, 10, 100, 0), dv="rating", how="log")
    assert scores(report, "rating_log")[1:3] == [1, 2]
    assert rows_of(report, "participants")[0]["zeros"] == 2
    assert any("2 zeros of rating (participants a) have no logarithm" in warning for warning in report.warnings)


def test_an_offset_is_used_only_where_it_is_given_and_is_said() -> None:
    report = normalise(ratings(0, 9, 99), dv="rating", how="log", offset=1.0)
    assert scores(report, "rating_log") == pytest.approx([0, 1, 2])
    assert any("1 was added to every value" in note for note in report.notes)


def test_ratios_use_each_participants_own_modulus() -> None:
    frame = ratings(20, 5, people="ab").assign(modulus=["10", "50"])
    assert scores(normalise(frame, dv="rating", how="ratio"), "rating_ratio") == [2, 0.1]
    logs = scores(normalise(frame, dv="rating", how="log-ratio"), "rating_log-ratio")
    assert logs == pytest.approx([math.log10(2), -1])


def test_one_standard_for_everybody_takes_the_place_of_a_modulus() -> None:
    assert scores(normalise(ratings(200, 50), dv="rating", how="ratio", standard=100), "rating_ratio") == [2, 0.5]


def test_a_ratio_without_modulus_says_what_to_give() -> None:
    with pytest.raises(BadInput, match=r"modulus=…, or give the number itself with standard=…"):
        normalise(ratings(1, 2), dv="rating", how="ratio", modulus=None)


def test_a_modulus_that_is_zero_is_flagged() -> None:
    frame = ratings(20, 5, 6, people="abb").assign(modulus=["0", "50", "50"])
    report = normalise(frame, dv="rating", how="ratio")
    assert rows_of(report, "participants")[0]["flag"] == "the modulus is missing or not above zero"
    assert math.isnan(scores(report, "rating_ratio")[0])


def test_excluded_rows_keep_their_place_and_get_no_score() -> None:
    frame = ratings(1, 2, 1000, 3).assign(excluded=["false", "false", "true", "false"])
    report = normalise(frame, dv="rating")
    assert scores(report, "rating_z")[:2] == [-1, 0]
    assert math.isnan(scores(report, "rating_z")[2])
    assert any("1 excluded row" in note for note in report.notes)


def test_one_typed_number_that_turns_the_order_over_is_pointed_out() -> None:
    frame = pd.DataFrame(
        {
            "participant": [f"p{i // 4}" for i in range(40)],
            "system": ["good", "poor"] * 20,
            "rating": [120 + i % 7 if i % 2 == 0 else 80 + i % 5 for i in range(40)],
        }
    )
    frame.loc[5, "rating"] = 111111
    report = normalise(frame, dv="rating", compare=["system"])
    ranks = {row["condition"]: row for row in rows_of(report, "rankings")}
    assert (ranks["poor"]["rank_raw"], ranks["poor"]["rank_log"]) == (1, 2)
    assert any("scales disagree about the order of system" in warning for warning in report.warnings)
    assert any("without the largest rating (111111) it is good > poor" in warning for warning in report.warnings)
    assert any("slips of typing: p1 (111111)" in warning for warning in report.warnings)


def test_scores_can_be_relative_to_several_columns() -> None:
    frame = ratings(1, 2, 10, 30).assign(dimension=["x", "x", "y", "y"])
    report = normalise(frame, dv="rating", by=["participant", "dimension"])
    assert [row["participant"] for row in rows_of(report, "participants")] == ["a:x", "a:y"]
    assert scores(report, "rating_z") == pytest.approx([-(0.5**0.5), 0.5**0.5] * 2)


def test_nothing_to_score_is_an_error_that_says_why() -> None:
    with pytest.raises(BadInput, match="No participant has a z score"):
        normalise(ratings(1, 2, people="ab"), dv="rating")
    with pytest.raises(BadInput, match="all are zero or negative"):
        normalise(ratings(0, -2), dv="rating", how="log")
    with pytest.raises(BadInput, match="has no values"):
        normalise(ratings("", ""), dv="rating")


def test_only_rows_that_satisfy_the_conditions_are_scored_and_listed() -> None:
    frame = ratings(1, 2, 3, 1000, people="aaaa").assign(half=["first", "first", "first", "second"])
    assert scores(normalise(frame, dv="rating", where="half=first"), "rating_z") == [-1, 0, 1]


def test_rows_of_nobody_are_counted_and_get_no_score() -> None:
    frame = ratings(1, 2, 3, 4, people="aaab").assign(participant=["a", "a", "a", ""])
    report = normalise(frame, dv="rating")
    assert math.isnan(scores(report, "rating_z")[3])
    assert "1 row had no participant and got no score." in report.warnings


def test_a_score_that_the_data_had_already_is_replaced_and_that_is_said() -> None:
    frame = ratings(1, 2, 3)
    said = "The column 'rating_z' that the data had already was replaced."
    again = normalise(frame.assign(rating_z=["7", "7", "7"]), dv="rating")
    assert scores(again, "rating_z") == [-1, 0, 1]
    assert said in again.notes
    assert said not in normalise(frame, dv="rating").notes


def test_the_sentence_gives_mean_deviation_and_range_of_the_scores() -> None:
    # (10, 20, 60 − 30)/√700 = −0.756, −0.378, 1.134; their mean is 0 and their SD 1.
    report = normalise(ratings(10, 20, 60), dv="rating")
    assert report.sentences == (
        "3 values of 1 participant were scored as rating_z: M = 0.00, SD = 1.00, from −0.76 to 1.13.",
    )


def test_conditions_are_ordered_by_the_z_scores_that_were_asked_for() -> None:
    # The population SD of 1 and 3 is 1, the sample SD √2.
    frame = ratings(1, 3).assign(system=["poor", "good"])
    for how, z in (("z-population", 1.0), ("z", math.sqrt(0.5))):
        found = {
            row["condition"]: row["mean_z"]
            for row in rows_of(normalise(frame, dv="rating", how=how, compare=["system"]), "rankings")
        }
        assert found == pytest.approx({"poor": -z, "good": z})


def test_a_standard_of_zero_is_refused() -> None:
    with pytest.raises(BadInput, match="standard must be above zero; 0 is not"):
        normalise(ratings(1, 2), dv="rating", how="ratio", standard=0)


def test_a_measure_scored_within_itself_is_refused() -> None:
    with pytest.raises(BadInput, match="'rating' cannot be both the measure and what it is scored within"):
        normalise(ratings(1, 2), dv="rating", by=["rating"])


def test_empty_cells_of_other_columns_stay_empty() -> None:
    frame = ratings(1, 2, 3, 4).assign(word=pd.Series(["x", "", None, 5], dtype=object))
    assert [row["word"] for row in rows_of(normalise(frame, dv="rating"), "scores")] == ["x", None, None, 5]


def test_z_scores_come_with_the_word_that_they_have_no_participant_variance() -> None:
    for how, is_said in (("z", True), ("log-z", True), ("log", False)):
        notes = normalise(ratings(1, 2, 4), dv="rating", how=how).notes
        assert any("no participant variance" in note for note in notes) is is_said


def test_every_participant_has_a_histogram_of_their_own_unless_scores_are_relative_to_more() -> None:
    frame = ratings(1, 2, 10, 30).assign(dimension=["x", "x", "y", "y"])
    alone, both = normalise(frame, dv="rating"), normalise(frame, dv="rating", by=["participant", "dimension"])
    assert [figure.name for figure in alone.figures] == ["distribution", "participants"]
    assert [figure.name for figure in both.figures] == ["distribution"]


def test_only_those_whose_values_have_no_logarithm_are_named() -> None:
    report = normalise(ratings(4, 4, -1, 2, 5, people="aabbb"), dv="rating", how="log-z")
    assert any("1 negative value of rating (participants b) have no logarithm" in text for text in report.warnings)


def test_values_that_an_offset_does_not_lift_are_counted_and_those_that_it_lifts_are_not() -> None:
    lifted = normalise(ratings(0, -5, 3, 8, people="aabb"), dv="rating", how="log", offset=1)
    assert "1 value is not above zero even with the offset of 1 (participants a)" in " ".join(lifted.warnings)
    lowered = normalise(ratings(2, 9, 3, 8, people="aabb"), dv="rating", how="log", offset=-3)
    assert "2 values are not above zero even with the offset of -3 (participants a and b)" in " ".join(lowered.warnings)


def test_more_than_one_modulus_of_a_participant_is_pointed_out() -> None:
    frame = ratings(2, 9, 3, 8, people="aabb").assign(modulus=["10", "10", "10", "20"])
    (warning,) = normalise(frame, dv="rating", how="ratio").warnings
    assert "1 participant has more than one modulus (b); every value was set against" in warning
    assert not normalise(frame, dv="rating", how="ratio", standard=10).warnings
    assert not normalise(frame, dv="rating", how="z").warnings


def test_scores_within_something_else_are_not_said_to_be_of_participants() -> None:
    frame = ratings(2, 9, 3, 8, people="aabb").assign(item=["i", "j", "i", "j"])
    assert normalise(frame, dv="rating", by=["item"]).sentences[0].startswith("4 values of 2 item groups were scored")


@pytest.mark.parametrize("how", ["z", "z-population"])
def test_a_large_number_common_to_all_values_changes_no_z(how: str) -> None:
    values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9]
    near, far = (
        scores(normalise(ratings(*(value + offset for value in values)), dv="rating", how=how), f"rating_{how}")
        for offset in (0, 10**12 + 1)
    )
    assert far == pytest.approx(near, rel=1e-12, abs=1e-14)

"""Excluded rows, fillers, practice and simulated rows: left out by one rule, counted, and kept on request."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.methods.conditions.anova import rm_anova
from analysis.methods.report import BadInput
from analysis.methods.rows import used as rows
from analysis.methods.rows.people import ONLY_SIMULATED, SOME_SIMULATED


def trials(**columns: list[str]) -> pd.DataFrame:
    size = len(next(iter(columns.values())))
    return pd.DataFrame({"rating": [str(value) for value in range(size)], **columns}, dtype=str)


def test_each_kind_is_left_out_and_counted_once() -> None:
    frame = trials(
        excluded=["true", "false", "false", "false", "false"],
        is_filler=["true", "true", "false", "false", "false"],
        phase=["main", "main", "practice", "main", "main"],
    )
    chosen = rows.select(frame)
    assert chosen.frame["rating"].tolist() == ["3", "4"]
    assert chosen.notes == (
        "Of 5 rows, 2 were analysed; left out were 1 excluded row, 1 filler and 1 row outside the main phase.",
    )


def test_reasons_of_exclusion_are_counted() -> None:
    frame = trials(excluded=["true", "true", "false"], exclusion_reason=["too fast", "too fast", ""])
    assert "2 excluded rows (too fast: 2)" in rows.select(frame).notes[0]


@pytest.mark.parametrize(("keep", "left"), [("fillers", 2), ("excluded,fillers", 3), ("all", 3), (["excluded"], 2)])
def test_kinds_are_kept_on_request(keep: object, left: int) -> None:
    frame = trials(excluded=["true", "false", "false"], is_filler=["false", "true", "false"])
    chosen = rows.select(frame, keep=keep)
    assert len(chosen.frame) == left
    assert any("were kept because keep=" in note for note in chosen.notes)


def test_keep_refuses_what_it_does_not_know() -> None:
    with pytest.raises(BadInput, match="did you mean 'fillers'"):
        rows.select(trials(is_filler=["false"]), keep="filler")


def test_simulated_rows_are_left_out_among_real_ones_and_pointed_out_alone() -> None:
    mixed = rows.select(trials(simulated=["true", "false"]))
    assert len(mixed.frame) == 1
    assert not mixed.warnings
    alone = rows.select(trials(simulated=["true", "true"]))
    assert len(alone.frame) == 2
    assert "All of these data are simulated" in alone.warnings[0]


def test_a_factor_called_phase_is_left_alone() -> None:
    frame = trials(phase=["pre", "post", "pre"])
    assert len(rows.select(frame).frame) == 3
    frame = trials(phase=["main", "late", "main"])
    assert len(rows.select(frame, used=["phase"]).frame) == 3


def test_a_column_with_other_values_is_not_guessed_at() -> None:
    chosen = rows.select(trials(excluded=["maybe", "false"]))
    assert len(chosen.frame) == 2
    assert "holds other values than true and false" in chosen.warnings[0]


def test_real_truth_values_work_as_well_as_text() -> None:
    frame = pd.DataFrame({"rating": [1, 2], "excluded": [True, False]})
    assert rows.select(frame).frame["rating"].tolist() == [2]


def test_leaving_out_everything_is_an_error_that_says_how_to_keep() -> None:
    with pytest.raises(BadInput, match=r"No row is left to analyse: 2 fillers of 2 were left out\. Keep them"):
        rows.select(trials(is_filler=["true", "true"]))


def test_no_rows_at_all_is_an_error() -> None:
    with pytest.raises(BadInput, match="no rows"):
        rows.select(trials(excluded=[]))


def test_exact_copies_of_trials_are_pointed_out() -> None:
    frame = pd.DataFrame({"participant": ["a", "a", "a"], "trial": ["1", "1", "2"], "rating": ["5", "5", "4"]})
    assert "1 row is an exact copy" in rows.select(frame, measured=["rating"]).warnings[0]
    assert not rows.select(frame.drop(columns="trial"), measured=["rating"]).warnings, "equal ratings are no copies"


def test_the_notes_reach_the_report() -> None:
    frame = pd.DataFrame(
        [
            {"participant": p, "order": o, "z": str(z), "is_filler": "false"}
            for p, o, z in [("a", "x", 1), ("a", "y", 2), ("b", "x", 1), ("b", "y", 4), ("c", "x", 0), ("c", "y", 3)]
        ]
        + [{"participant": "a", "order": "filler", "z": "9", "is_filler": "true"}]
    )
    report = rm_anova(frame, dv="z", within=["order"])
    assert report.notes[0] == "Of 7 rows, 6 were analysed; left out were 1 filler."
    assert {row[0] for row in report.table("cells").rows} == {"x", "y"}


def test_simulated_rows_do_not_stand_in_for_somebody_whom_a_rule_left_out() -> None:
    frame = trials(
        excluded=["true", "false", "false"],
        exclusion_reason=["planned rule: answered faster than 200 ms", "", ""],
        simulated=["false", "true", "true"],
    )
    with pytest.raises(BadInput, match=r"Nobody is left to analyse.*keep=simulated"):
        rows.select(frame)
    chosen = rows.select(frame, keep="simulated")
    assert chosen.frame["rating"].tolist() == ["1", "2"]
    assert chosen.warnings == (ONLY_SIMULATED,)


def test_who_did_not_finish_does_not_keep_simulated_rows_from_being_tried_out() -> None:
    frame = trials(
        excluded=["true", "false"], exclusion_reason=["session not finished", ""], simulated=["false", "true"]
    )
    chosen = rows.select(frame)
    assert (chosen.frame["rating"].tolist(), chosen.warnings) == (["1"], (ONLY_SIMULATED,))
    assert rows.select(frame, keep="excluded").frame["rating"].tolist() == ["0"]


def test_a_condition_that_only_simulated_rows_satisfy_does_not_choose_them() -> None:
    frame = trials(half=["first", "second"], simulated=["false", "true"])
    with pytest.raises(BadInput, match="Nobody is left to analyse"):
        rows.select(frame, where="half=second")


def test_simulated_rows_that_are_kept_among_others_are_pointed_out() -> None:
    chosen = rows.select(trials(simulated=["true", "false"]), keep="all")
    assert (len(chosen.frame), chosen.warnings) == (2, (SOME_SIMULATED,))


@pytest.mark.parametrize("keep", ["simulated", "simulated,fillers", "excluded,fillers,practice,simulated"])
def test_simulated_rows_are_analysed_without_people_where_they_are_asked_for(keep: str) -> None:
    frame = trials(simulated=["true", "false", "true", "false"], is_filler=["false"] * 4)
    chosen = rows.select(frame, keep=keep)
    assert (chosen.frame["rating"].tolist(), chosen.warnings) == (["0", "2"], (ONLY_SIMULATED,))
    assert "Of 4 rows, 2 were analysed; left out were 2 rows of people." in chosen.notes


def test_asking_for_simulated_rows_leaves_data_without_any_as_they_are() -> None:
    assert len(rows.select(trials(simulated=["false", "false"]), keep="simulated").frame) == 2


def test_how_many_rows_satisfied_the_conditions_is_said() -> None:
    chosen = rows.select(trials(half=["first", "second", "first"]), where="half=first")
    assert chosen.frame["rating"].tolist() == ["0", "2"]
    assert chosen.notes == ("Of 3 rows, 2 satisfied 'half=first'.",)


def test_nothing_is_said_of_rules_that_left_nothing_out() -> None:
    assert rows.select(trials(excluded=["false", "false"], is_filler=["false", "false"])).notes == ()
    assert rows.select(trials(excluded=["false", "false"]), keep="excluded").notes == ()


def test_exclusions_without_a_reason_are_counted_without_one() -> None:
    chosen = rows.select(trials(excluded=["true", "false", "false"], exclusion_reason=["", "", ""]))
    assert chosen.notes == ("Of 3 rows, 2 were analysed; left out were 1 excluded row.",)

"""A report says how many trials of each condition were left out of the data of people who stay."""

from __future__ import annotations

import pandas as pd

from analysis.methods.rows.used import select

NOTE = "Single trials left out of the data of people who stay, by condition: "
TOO_SLOW = "planned rule: more than 2.5 SD from the participant's mean reaction time"


def frame(**left_out: list[int]) -> pd.DataFrame:
    """Two people, ten trials in each of two conditions; `left_out` names how many of each condition, by person."""
    rows = []
    for person in ("A", "B"):
        for condition, n in zip(("high", "low"), left_out.get(person, [0, 0]), strict=True):
            rows += [
                {
                    "participant": person,
                    "condition": condition,
                    "rt_ms": 500 + place,
                    "excluded": "true" if place < n else "false",
                    "exclusion_reason": TOO_SLOW if place < n else "",
                }
                for place in range(10)
            ]
    return pd.DataFrame(rows)


def notes(data: pd.DataFrame) -> list[str]:
    return [note for note in select(data, used=["rt_ms"]).notes if note.startswith(NOTE)]


def test_trimmed_trials_are_counted_for_each_condition() -> None:
    assert notes(frame(A=[1, 2], B=[0, 3])) == [f"{NOTE}high 1 of 20 (5.0 %) and low 5 of 20 (25.0 %)."]


def test_people_who_are_left_out_altogether_are_not_trimmed() -> None:
    assert notes(frame(A=[10, 10], B=[0, 1])) == [f"{NOTE}high 0 of 10 (0.0 %) and low 1 of 10 (10.0 %)."]
    assert notes(frame(A=[10, 10])) == []


def test_nothing_is_said_where_nothing_was_trimmed_or_nothing_is_known() -> None:
    assert notes(frame()) == []
    assert notes(frame(A=[1, 0]).drop(columns="condition")) == []

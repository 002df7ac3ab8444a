"""Degenerate designs: one sentence that says what is wrong and what to do, or a warning that names the reason."""

from __future__ import annotations

import time
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods.conditions.anova import rm_anova
from analysis.methods.report import BadInput
from tests.analysis.methods.references import lines, rows_of


def study(participants: int = 4, **changes: Any) -> pd.DataFrame:
    random = np.random.default_rng(1)
    cells = product([f"p{i}" for i in range(participants)], ["a", "b", "c"], ["x", "y"])
    frame = pd.DataFrame(cells, columns=["participant", "marker", "order"])
    return frame.assign(**{"z": random.normal(size=len(frame)).round(3), **changes})


def refusal(frame: pd.DataFrame, **parameters: Any) -> str:
    with pytest.raises(BadInput) as caught:
        rm_anova(frame, **{"dv": "z", "within": ["marker", "order"], **parameters})
    return str(caught.value)


@pytest.mark.parametrize(
    ("frame", "parameters", "words"),
    [
        (study(), {"within": []}, "Name at least one factor"),
        (study(order="x"), {}, "Factor 'order' has one level only ('x')"),
        (study(order=""), {}, "Factor 'order' is empty in every row"),
        (study().query("marker != 'a' or order != 'x'"), {}, "The combination a:x of marker and order never occurs"),
        (study(participants=1), {}, "Only 1 participant has a value of 'z' in every one of the 6 cells"),
        (study().drop(columns="participant"), {"participant": None}, "There is no column 'participant'"),
        (study(), {"unit": "item", "item": None}, "name the column that holds it with item=…"),
        (study(z=3), {}, "All means of 'z' are 3; without variance there is nothing to analyse."),
        (study(z="much"), {}, "Column 'z' must hold numbers; data row 1 holds 'much' (24 rows are like that)"),
        (study(z="1,5"), {}, "Write decimals with a point."),
        (study(z="1,200.5"), {}, "Write thousands without a comma."),
        (study(z="−1.5"), {}, "Write the minus sign as the hyphen of the keyboard (-)."),
        (study(z=np.inf), {}, "holds an infinite number in data row 1"),
        (study(z=""), {}, "There is no row with a value of 'z'"),
        (study(), {"within": ["z"]}, "'z' is the measure and cannot be a factor as well"),
        (study(), {"within": ["marker", "marker"]}, "named as a factor twice"),
        (study(group="g"), {"between": ["group"]}, "Factor 'group' has one level only"),
        (
            study().assign(group=lambda frame: frame["order"]),
            {"within": ["marker"], "between": ["group"]},
            "participant 'p0' has more than one level of 'group'",
        ),
        (
            study(2).assign(group=lambda frame: frame["participant"]),
            {"between": ["group"]},
            "there must be more participants than groups",
        ),
        (
            study().assign(genre=lambda frame: frame["participant"].map(lambda name: name[1] in "12")),
            {"within": ["marker", "genre"]},
            "Every participant has one level of genre only, so this differs between participants: name it as a between "
            "factor.",
        ),
        (study(), {"confidence": 95.0}, "confidence must lie between 0.5 and 1"),
    ],
)
def test_the_reason_and_the_remedy_are_in_the_sentence(
    frame: pd.DataFrame, parameters: dict[str, Any], words: str
) -> None:
    assert words in refusal(frame, **parameters)


def test_a_group_without_complete_participants_is_named() -> None:
    frame = study().assign(group=lambda data: data["participant"].map(lambda name: "g2" if name == "p3" else "g1"))
    frame = frame[~((frame["participant"] == "p3") & (frame["order"] == "y"))]
    assert "No complete participant is in group g2 of group" in refusal(frame, between=["group"])


def test_zero_error_variance_leaves_f_empty_and_says_so() -> None:
    frame = study().assign(z=lambda data: data["marker"].map({"a": 1, "b": 2, "c": 4}) + (data["order"] == "x"))
    report = rm_anova(frame, dv="z", within=["marker", "order"])
    assert lines(report, "anova")["marker"]["f"] is None
    assert lines(report, "anova")["marker"]["p"] is None
    assert any("F is not defined for marker: the error variance is zero" in text for text in report.warnings)
    assert report.sentences[0] == "The main effect of marker could not be tested, F1 not defined (no error variance)."


def test_differences_that_rounding_makes_are_none() -> None:
    # The mean of three times 0.1 is not quite 0.1 in floating point.
    once = study(z=0.1)
    often = pd.concat([once, once[once["order"] == "x"], once[once["order"] == "x"]])
    assert "All means of 'z' are 0.1; without variance there is nothing to analyse." in refusal(often)
    pattern = often.assign(z=often["marker"].map({"a": 0.1, "b": 0.2, "c": 0.7}))
    found = lines(rm_anova(pattern, dv="z", within=["marker", "order"]), "anova")
    assert [found["marker"][name] for name in ("f", "ss_error", "eps_gg", "pes")] == [None, 0, None, 1]
    assert [found["order"][name] for name in ("f", "ss", "ges", "pes")] == [None, 0, None, None]


def test_small_errors_beside_large_differences_between_people_are_tested() -> None:
    frame = study(6)
    expected = lines(rm_anova(frame, dv="z", within=["marker", "order"]), "anova")
    people = frame["participant"].str.removeprefix("p").astype(float)
    far = lines(rm_anova(frame.assign(z=frame["z"] + 1e6 * people), dv="z", within=["marker", "order"]), "anova")
    high = lines(rm_anova(frame.assign(z=frame["z"] + 1e9), dv="z", within=["marker", "order"]), "anova")
    for effect, row in expected.items():
        for name in ("f", "p", "p_gg", "eps_gg", "ss_error"):
            assert far[effect][name] == pytest.approx(row[name], rel=1e-6), (effect, name)
            assert high[effect][name] == pytest.approx(row[name], rel=1e-5), (effect, name)


def test_a_factor_may_be_called_like_a_column_of_the_means() -> None:
    frame = study().rename(columns={"order": "mean", "marker": "panel"})
    report = rm_anova(frame, dv="z", within=["panel", "mean"])
    assert list(lines(report, "anova")) == ["panel", "mean", "panel:mean"]
    rows = rows_of(report, "cells")
    assert [(row["panel"], row["factor_mean"]) for row in rows][:3] == [("a", "x"), ("a", "y"), ("b", "x")]
    assert report.figures[0].encoding["colour"] == "factor_mean"


def test_many_incomplete_units_suggest_a_mixed_model() -> None:
    frame = study(8)
    frame = frame[~(frame["participant"].isin(["p1", "p2"]) & (frame["order"] == "x"))]
    report = rm_anova(frame, dv="z", within=["marker", "order"])
    assert any("25 % of the participants lack a cell" in warning for warning in report.warnings)


def test_codes_that_look_like_numbers_stay_codes() -> None:
    frame = study().assign(participant=lambda data: data["participant"].map({f"p{i}": f"00{i}" for i in range(4)}))
    frame.loc[frame.index[:1], "z"] = np.nan
    report = rm_anova(frame, dv="z", within=["marker", "order"])
    assert any("1 participant (000)" in note for note in report.notes)


def test_numeric_levels_stand_in_numerical_order() -> None:
    frame = study().assign(marker=lambda data: data["marker"].map({"a": 10, "b": 9, "c": 100}))
    report = rm_anova(frame, dv="z", within=["marker"])
    assert [row["marker"] for row in rows_of(report, "cells")] == ["9", "10", "100"]


def test_the_order_of_rows_does_not_matter() -> None:
    frame = study(12)
    shuffled = frame.sample(frac=1, random_state=4).reset_index(drop=True)
    first, second = (rm_anova(data, dv="z", within=["marker", "order"]) for data in (frame, shuffled))
    for one, other in zip(first.table("anova").rows, second.table("anova").rows, strict=True):
        assert one[0] == other[0]
        assert [x for x in one[1:] if x is not None] == pytest.approx([x for x in other[1:] if x is not None])


def test_a_thousand_participants_take_no_minutes() -> None:
    random = np.random.default_rng(2)
    size = 1000 * 8 * 18
    frame = pd.DataFrame(
        {
            "participant": np.repeat([f"p{i:04d}" for i in range(1000)], 144),
            "marker": np.tile(np.repeat(list("abcd"), 36), 1000),
            "order": np.tile(np.repeat(["x", "y"], 18), 4000),
            "z": random.normal(size=size),
        }
    )
    start = time.process_time()
    report = rm_anova(frame, dv="z", within=["marker", "order"])
    assert time.process_time() - start < 10, "processor time, with room for a machine at half speed"
    assert lines(report, "anova")["marker"]["df2"] == 2997


def test_sentences_are_in_apa_style() -> None:
    report = rm_anova(study(20), dv="z", within=["marker", "order"])
    for sentence in report.sentences:
        assert "p = 0." not in sentence
        assert ".000" not in sentence
        assert sentence.endswith(".")
    assert report.sentences[2].startswith(
        "There was no significant interaction of marker and order, F1(1.84, 34.91) = "
    )


def test_a_level_that_was_written_in_another_way_once_is_named() -> None:
    frame = study()
    slip = frame.index[(frame["participant"] == "p3") & (frame["marker"] == "b")]
    frame.loc[slip, "marker"] = "B"
    assert "Only 1 participant has B:x and B:y; check how levels are written." in refusal(frame)


def test_that_nobody_is_complete_is_said_without_a_count_and_without_a_guess() -> None:
    frame = study(3)
    frame = frame[frame["marker"].map({"a": "p0", "b": "p1", "c": "p2"}) != frame["participant"]]
    words = refusal(frame)
    assert words.startswith("No participant has a value of 'z' in every one of the 6 cells")
    assert "check how levels are written" not in words


def test_one_error_degree_of_freedom_is_one() -> None:
    report = rm_anova(study(2), dv="z", within=["marker"])
    assert any("there is 1 error degree of freedom per contrast for 2 contrasts" in text for text in report.warnings)

"""Oracles: arithmetic by hand, and R's sort and mean on the shared study."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.methods.nbest import n_best
from analysis.methods.report import BadInput
from tests.analysis.methods.references import lines, needs_shared, rows_of, shared, shared_frame


def study(scores: dict[tuple[str, str], list[float]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"participant": f"p{p}", "item": item, "condition": condition, "z": value}
            for (item, condition), values in scores.items()
            for p, value in enumerate(values)
        ]
    )


def test_ranks_are_made_inside_every_item_and_averaged_over_items() -> None:
    frame = study({("i", "a"): [1, 3], ("i", "b"): [0, 0], ("j", "a"): [-1, -1], ("j", "b"): [4, 6]})
    report = n_best(frame, dv="z")
    assert [row["mean"] for row in rows_of(report, "nbest")] == [3.5, -0.5]
    fixed = lines(report, "fixed", key="condition")
    assert (fixed["a"]["mean"], fixed["b"]["mean"], fixed["a"]["best"]) == (0.5, 2.5, 0.5)


def test_an_item_that_lacks_a_condition_is_named_and_left_out() -> None:
    frame = study({("i", "a"): [1], ("i", "b"): [0], ("j", "a"): [2], ("j", "b"): [5], ("k", "a"): [9]})
    report = n_best(frame, dv="z")
    assert rows_of(report, "nbest")[0]["mean"] == 3
    assert any("1 item (k)" in note for note in report.notes)


def test_factors_are_joined_and_their_levels_averaged() -> None:
    frame = study({("i", "a:x"): [1], ("i", "b:x"): [0], ("j", "a:x"): [2], ("j", "b:x"): [5]})
    frame[["marker", "order"]] = frame["condition"].str.split(":", expand=True)
    frame = pd.concat([frame, frame.assign(order="y", z=frame["z"] + 10)])
    report = n_best(frame, dv="z", condition=["marker", "order"])
    assert [row["condition"] for row in rows_of(report, "fixed")] == ["a:x", "a:y", "b:x", "b:y"]
    levels = {(row["factor"], row["level"]): row["mean"] for row in rows_of(report, "levels")}
    assert levels == {("marker", "a"): 6.5, ("marker", "b"): 7.5, ("order", "x"): 2.0, ("order", "y"): 12.0}


def test_a_choice_among_noise_is_worth_nothing_on_held_out_ratings() -> None:
    random = np.random.default_rng(5)
    frame = study({(f"i{i}", c): list(random.normal(size=8)) for i in range(150) for c in "abcdef"})
    first = rows_of(n_best(frame, dv="z"), "nbest")[0]
    assert first["mean"] > 0.3
    assert abs(first["held_out"]) < 0.05


def test_single_ratings_cannot_be_checked_on_others_and_that_is_said() -> None:
    frame = study({("i", "a"): [1], ("i", "b"): [0], ("j", "a"): [2], ("j", "b"): [5]})
    report = n_best(frame, dv="z")
    assert rows_of(report, "nbest")[0]["held_out"] is None
    assert any("cannot be checked" in note for note in report.notes)


def test_one_condition_is_nothing_to_rank() -> None:
    with pytest.raises(BadInput, match="one level only"):
        n_best(study({("i", "a"): [1], ("j", "a"): [2]}), dv="z")


@needs_shared
@pytest.mark.parametrize("dv", ["z", "logmod"])
def test_the_shared_study_has_the_ranks_of_r(dv: str) -> None:
    report = n_best(shared_frame("a_me50_missing", "scores"), dv=dv, condition=["marker", "order"])
    expected = shared("a_me50_missing")[dv]
    assert [row["mean"] for row in rows_of(report, "nbest")] == pytest.approx(expected["nbest"], rel=1e-9)
    fixed = lines(report, "fixed", key="condition")
    for row in expected["best_fixed"]:
        name = f"{row['marker']}:{row['order']}".replace(".", "-")
        assert fixed[name]["mean"] == pytest.approx(row["y"], rel=1e-9)

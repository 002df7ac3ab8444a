"""Oracles: arithmetic by hand, and R's sort and mean on the shared study."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.methods.measures.nbest import n_best
from analysis.methods.report import BadInput
from tests.analysis.methods.references import lines, rows_of, simulated, simulated_frame


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


def test_factors_whose_cells_would_have_one_name_are_refused() -> None:
    frame = study({("i", "a:b"): [1, 2], ("j", "a"): [2, 4]}).merge(pd.DataFrame({"order": ["c", "b:c"]}), how="cross")
    with pytest.raises(BadInput, match="Two cells of condition and order would both be called 'a:b:c'; rename"):
        n_best(frame, dv="z", condition=["condition", "order"])


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
    assert "held-out" not in {figure.name for figure in report.figures}


def test_one_condition_is_nothing_to_rank() -> None:
    with pytest.raises(BadInput, match="one level only"):
        n_best(study({("i", "a"): [1], ("j", "a"): [2]}), dv="z")


@pytest.mark.parametrize("dv", ["z", "logmod"])
def test_the_shared_study_has_the_ranks_of_r(dv: str) -> None:
    report = n_best(simulated_frame("scores"), dv=dv, condition=["marker", "order"])
    expected = simulated()[dv]
    assert [row["mean"] for row in rows_of(report, "nbest")] == pytest.approx(expected["nbest"], rel=1e-9)
    fixed = lines(report, "fixed", key="condition")
    for row in expected["best_fixed"]:
        name = f"{row['marker']}:{row['order']}".replace(".", "-")
        assert fixed[name]["mean"] == pytest.approx(row["y"], rel=1e-9)


def test_conditions_that_are_equal_on_paper_share_the_first_rank() -> None:
    ratings = [("i", "a", 0.1), ("i", "a", 0.2), ("i", "a", 0.3), ("i", "b", 0.3), ("i", "b", 0.2), ("i", "b", 0.1)]
    frame = pd.DataFrame([*ratings, ("j", "a", 1.0), ("j", "b", 1.0)], columns=["item", "condition", "z"])
    report = n_best(frame, dv="z")
    assert report.table("fixed").frame()["best"].tolist() == [0.5, 0.5]
    assert any("2 items have conditions with exactly equal means" in text for text in report.warnings)


def test_a_refusal_names_the_condition_as_the_data_do() -> None:
    frame = pd.DataFrame({"item": ["i", "i"], "marker": ["a", "b"], "z": [1.0, 2.0]})
    with pytest.raises(BadInput, match="cells of marker"):
        n_best(frame, dv="z", condition=["marker"])


def test_deviations_are_those_of_a_sample_of_items() -> None:
    # Ranks: best 2, 4, 9 (mean 5, squares 9 + 1 + 16 = 26); worst 1, 3, 5. SD = √(26/2) and √(8/2).
    frame = study(
        {("i", "a"): [1], ("i", "b"): [2], ("j", "a"): [4], ("j", "b"): [3], ("k", "a"): [5], ("k", "b"): [9]}
    )
    report = n_best(frame, dv="z")
    assert [row["sd"] for row in rows_of(report, "nbest")] == pytest.approx([13**0.5, 2.0])
    # a: 1, 4, 5 (mean 10/3); b: 2, 3, 9 (mean 14/3).
    fixed = lines(report, "fixed", key="condition")
    assert (fixed["a"]["sd"], fixed["b"]["sd"]) == pytest.approx(((13 / 3) ** 0.5, (43 / 3) ** 0.5))


def test_the_sentence_tells_the_best_the_worst_and_the_best_fixed_condition() -> None:
    frame = study({(item, c): [value] for item in "ij" for c, value in (("a", 1.0), ("b", 5.0), ("c", 2.0))})
    assert n_best(frame, dv="z").sentences == (
        "The best condition of each item averaged 5.00, the worst 1.00; always taking the best fixed condition (b) "
        "averaged 5.00.",
    )


def test_two_ratings_are_enough_to_choose_on_one_and_value_on_the_other() -> None:
    # Equal ratings within a cell, so that every split says the same: best 3 and 5, worst 1 and 2.
    frame = study({("i", "a"): [3, 3], ("i", "b"): [1, 1], ("j", "a"): [2, 2], ("j", "b"): [5, 5]})
    report = n_best(frame, dv="z")
    assert [row["held_out"] for row in rows_of(report, "nbest")] == [4.0, 1.5]
    assert "held-out" in {figure.name for figure in report.figures}


def test_ratings_of_no_item_and_of_no_condition_are_held_out_of_both_halves() -> None:
    frame = study({("i", "a"): [3, 3], ("i", "b"): [1, 1], ("j", "a"): [2, 2], ("j", "b"): [5, 5]})
    for column in ("item", "condition"):
        stray = frame.iloc[[0, 3, 5, 7]].assign(**{column: ""}, z=1000.0)
        report = n_best(pd.concat([frame, stray], ignore_index=True), dv="z")
        assert [row["held_out"] for row in rows_of(report, "nbest")] == [4.0, 1.5]


def test_conditions_that_nobody_names_are_refused() -> None:
    with pytest.raises(BadInput, match="Name the column or columns of the conditions with condition="):
        n_best(study({("i", "a"): [1], ("i", "b"): [0]}), dv="z", condition=[])


def test_what_cannot_be_ordered_is_refused_in_words_of_this_method() -> None:
    with pytest.raises(BadInput, match=r"Every item has one level of condition only.*nothing can be chosen inside"):
        n_best(study({("i", "a"): [1], ("j", "b"): [5]}), dv="z")
    with pytest.raises(BadInput, match="Name fewer columns in condition, or restrict them with where"):
        n_best(study({("i", "a"): [1], ("i", "b"): [5], ("j", "b"): [5]}), dv="z")

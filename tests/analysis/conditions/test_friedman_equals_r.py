"""Oracle: friedman.test and wilcox.test of R 4.2.2, by tests/oracles/anova/follow_up.R."""

from __future__ import annotations

import json
from bisect import bisect_left
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.methods.conditions.friedman import friedman
from analysis.methods.report import BadInput
from tests.analysis.methods.references import OWN, own_frame, rows_of

RELATIVE = 1e-9


def reference(name: str) -> Any:
    return json.loads((OWN / "follow_up.json").read_text(encoding="utf-8"))["friedman"][name]


@pytest.mark.parametrize(("name", "key"), [("non_spherical", "non_spherical"), ("tied_ranks", "tied")])
def test_ranks_and_pairs_are_those_of_r_with_and_without_ties(name: str, key: str) -> None:
    report = friedman(own_frame(name), dv="y", within=["dose"])
    expected = reference(key)
    (main,) = rows_of(report, "friedman")
    assert (main["n"], main["k"]) == (expected["n"], expected["k"])
    assert (main["chi2"], main["df"], main["p"]) == pytest.approx(
        (expected["chi2"], expected["df"], expected["p"]), rel=RELATIVE
    )
    pairs = rows_of(report, "pairs")
    assert len(pairs) == len(expected["pairs"])
    for mine, theirs in zip(pairs, expected["pairs"], strict=True):
        assert (mine["a"], mine["b"], mine["v"]) == (theirs["a"], theirs["b"], theirs["v"])
        assert mine["p"] == pytest.approx(theirs["p"], rel=RELATIVE)


def test_close_means_of_many_ratings_are_ranked_as_exact_fractions_are() -> None:
    """Means over 16 to 18 ratings with four decimals are often equal, and often no more than 1e-9 apart."""
    random = np.random.default_rng(19450601)
    sizes = random.integers(16, 19, (1_000, 4))
    ratings = [[random.integers(-3_000, 3_000, size).tolist() for size in row] for row in sizes]
    frame = pd.DataFrame(
        [
            {"participant": f"P{i}", "dose": f"d{j}", "y": value / 10_000}
            for i, row in enumerate(ratings)
            for j, values in enumerate(row)
            for value in values
        ]
    )
    exact = [[Fraction(sum(values), len(values)) for values in row] for row in ratings]
    pairs = rows_of(friedman(frame, dv="y", within=["dose"]), "pairs")
    for mine, (i, j) in zip(pairs, combinations(range(4), 2), strict=True):
        differences = [row[i] - row[j] for row in exact if row[i] != row[j]]
        sizes_in_order = sorted(set(map(abs, differences)))
        ranks = stats.rankdata([bisect_left(sizes_in_order, abs(value)) for value in differences])
        assert mine["n"] == len(differences)
        assert mine["v"] == sum(ranks[index] for index, value in enumerate(differences) if value > 0)


def test_holm_counts_every_pair() -> None:
    pairs = rows_of(friedman(own_frame("non_spherical"), dv="y", within=["dose"]), "pairs")
    assert min(row["p_holm"] for row in pairs) == pytest.approx(10 * min(row["p"] for row in pairs))


def table(values: list[list[float]]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"participant": f"P{i}", "dose": f"d{j}", "y": value}
            for i, row in enumerate(values)
            for j, value in enumerate(row)
        ]
    )


def test_conditions_that_are_all_tied_are_said_to_be() -> None:
    report = friedman(table([[1, 1], [2, 2], [3, 3]]), dv="y", within=["dose"])
    assert any("all conditions are tied" in warning for warning in report.warnings)
    assert rows_of(report, "friedman")[0]["p"] is None


def test_the_same_order_in_everybody_has_no_finite_f() -> None:
    report = friedman(table([[1, 2, 3], [2, 5, 6], [0, 1, 9]]), dv="y", within=["dose"])
    (main,) = rows_of(report, "friedman")
    assert main["w"] == pytest.approx(1)
    assert main["f"] is None
    assert any("same order" in warning for warning in report.warnings)


def test_cells_that_would_have_one_name_are_refused() -> None:
    frame = table([[1.0, 3.0, 2.0], [2.0, 5.0, 6.0]]).assign(dose=["a:b", "a", "x"] * 2)
    both = pd.concat([frame.assign(order="c"), frame.assign(order="b:c", y=lambda data: data["y"] + 1)])
    with pytest.raises(BadInput, match="would both be called 'a:b:c'"):
        friedman(both, dv="y", within=["dose", "order"])


def test_a_test_of_ranks_needs_a_factor() -> None:
    with pytest.raises(BadInput, match="within="):
        friedman(own_frame("non_spherical"), dv="y", within=[])


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
def test_ranks_are_the_same_in_any_unit(size: float) -> None:
    values = [[1.0, 3.0, 2.0], [2.0, 5.0, 6.0], [0.0, 4.0, 9.0], [1.5, 1.5, 8.0]]
    report = friedman(table([[size * value for value in row] for row in values]), dv="y", within=["dose"])
    plain = friedman(table(values), dv="y", within=["dose"])
    assert rows_of(report, "friedman") == rows_of(plain, "friedman")
    assert [row["v"] for row in rows_of(report, "pairs")] == [row["v"] for row in rows_of(plain, "pairs")]


def test_differences_that_are_equal_on_paper_are_ties() -> None:
    report = friedman(table([[0.3, 0.2], [0.2, 0.1], [0.1, 0.2]]), dv="y", within=["dose"])
    assert rows_of(report, "pairs")[0]["v"] == 4


def test_a_factor_between_participants_is_sent_to_the_method_that_takes_it() -> None:
    frame = pd.DataFrame({"participant": ["p", "p", "q", "q"], "dose": ["1", "1", "2", "2"], "y": [1, 2, 3, 5]})
    with pytest.raises(BadInput, match="ranks are compared inside each of them, so ask rm-anova"):
        friedman(frame, dv="y", within=["dose"])

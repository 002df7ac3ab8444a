"""Oracle: cor.test of R 4.2.2 (tests/oracles/anova/make.R); the paper's ρ over four markers."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from analysis.methods.arrays import without_noise
from analysis.methods.measures.correlation import correlation
from analysis.methods.report import BadInput
from tests.analysis.methods.references import own, own_frame, rows_of, simulated, simulated_frame

pytestmark = pytest.mark.slow


def only(frame: pd.DataFrame, **parameters: Any) -> dict[str, Any]:
    return rows_of(correlation(frame, **{"x": ["x"], "y": ["y"], **parameters}), "correlation")[0]


@pytest.mark.parametrize("expected", own("correlations"), ids=lambda row: row["case"])
@pytest.mark.parametrize("how", ["spearman", "pearson", "kendall"])
def test_coefficient_p_and_interval_are_those_of_r(expected: dict[str, Any], how: str) -> None:
    frame = own_frame("correlations")
    mine = only(frame, how=how, where=f"case={expected['case']}")
    theirs = expected[how]
    assert mine["r"] == pytest.approx(theirs["r"], rel=1e-9)
    if how == "spearman" and expected["case"] in ("4ties", "7ties", "9ties"):
        assert mine["p_method"] == "exact permutation, with ties"
    else:
        assert mine["p"] == pytest.approx(theirs["p"], rel=1e-6)
    if how == "pearson":
        assert (mine["ci_low"], mine["ci_high"]) == pytest.approx(tuple(theirs["ci"]), rel=1e-9)


def test_four_markers_have_the_exact_p_of_the_paper() -> None:
    frame = pd.DataFrame({"x": [0.036, 0.028, -0.011, -0.028], "y": [180, 140, 741, 86]})
    mine = only(frame)
    assert (mine["r"], mine["p"], mine["p_method"]) == (pytest.approx(0.4), pytest.approx(0.75), "exact")


@pytest.mark.parametrize(("pairs", "modulus", "rho", "p", "method"), [
    (1289, 1289, -0.0153185035389, 0.582633204822, "Edgeworth series (AS 89)"),
    (1290, 1291, -0.00568315081098, 0.838413630409, "t approximation"),
])  # fmt: skip
def test_the_series_ends_where_that_of_r_does(pairs: int, modulus: int, rho: float, p: float, method: str) -> None:
    # cor.test of R 4.2.2 on i and 420 i mod a prime, where each number comes once (1289 itself in its place); the rule
    # is that of its manual, exact = n < 1290, and the second p that of exact = FALSE.
    frame = pd.DataFrame({"x": range(1, pairs + 1), "y": [i * 420 % modulus or modulus for i in range(1, pairs + 1)]})
    mine = only(frame)
    assert (mine["r"], mine["p"]) == (pytest.approx(rho, rel=1e-9), pytest.approx(p, rel=1e-9))
    assert mine["p_method"] == method


@pytest.mark.parametrize(("pairs", "tau", "p", "method"), [
    (49, -0.0816326530612, 0.414858429942, "exact"),
    (50, -0.116734693878, 0.231628406952, "normal approximation"),
])  # fmt: skip
def test_exact_orders_end_where_those_of_r_do(pairs: int, tau: float, p: float, method: str) -> None:
    # cor.test(method = "kendall") of R 4.2.2 on i and the places of 17 i mod 53 in their order.
    places = sorted(range(1, pairs + 1), key=lambda i: i * 17 % 53)
    mine = only(pd.DataFrame({"x": range(1, pairs + 1), "y": places}), how="kendall")
    assert (mine["r"], mine["p"]) == (pytest.approx(tau, rel=1e-9), pytest.approx(p, rel=1e-9))
    assert mine["p_method"] == method


def test_ties_are_named_with_the_approximation() -> None:
    frame = pd.DataFrame({"x": range(60), "y": [value // 2 for value in range(60)]})
    assert only(frame)["p_method"] == "t approximation, with ties"
    assert only(frame, how="kendall")["p_method"] == "normal approximation, with ties"


def test_small_samples_with_ties_are_permuted() -> None:
    mine = only(pd.DataFrame({"x": [1, 2, 3, 4], "y": [1, 1, 2, 2]}))
    # Of the 24 orders, 4 give the same |ρ| with each sign.
    assert mine["p"] == pytest.approx(8 / 24)


def test_binary_noise_does_not_break_ties() -> None:
    noisy = pd.DataFrame({"x": [0.1 + 0.2, 0.3, 0.5, 0.7, 0.9, 1.1], "y": [1, 2, 3, 4, 6, 5]})
    clean = noisy.assign(x=[0.3, 0.3, 0.5, 0.7, 0.9, 1.1])
    assert only(noisy) == only(clean)
    assert without_noise(clean["x"].to_numpy()).tolist() == clean["x"].tolist()


def test_values_are_averaged_over_the_unit_first() -> None:
    frame = pd.DataFrame({"item": list("aabbccdd"), "x": [1, 3, 4, 6, 2, 2, 9, 11], "y": [1, 1, 2, 4, 3, 1, 8, 8]})
    means = frame.groupby("item")[["x", "y"]].mean().reset_index()
    assert only(frame, unit=["item"], how="pearson")["r"] == pytest.approx(only(means, how="pearson")["r"])
    assert only(frame, unit=["item"])["n"] == 4


def test_pairs_with_a_missing_value_are_left_out_and_counted() -> None:
    frame = pd.DataFrame({"x": ["1", "2", "", "4", "5"], "y": ["2", "1", "3", "", "9"]})
    report = correlation(frame, x=["x"], y=["y"])
    assert rows_of(report, "correlation")[0]["n"] == 3
    assert any("2 rows without a value of both" in warning for warning in report.warnings)


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (pd.DataFrame({"x": [1, 1, 1, 1], "y": [1, 2, 3, 4]}), "all values of x are equal"),
        (pd.DataFrame({"x": [1, 2, 3, 4], "y": [2, 2, 2, 2]}), "all values of y are equal"),
        (pd.DataFrame({"x": [1, 2], "y": [1, 2]}), "at least three pairs of values and there are 2"),
    ],
)
def test_an_undefined_coefficient_is_empty_with_the_reason(frame: pd.DataFrame, words: str) -> None:
    report = correlation(frame, x=["x"], y=["y"])
    row = rows_of(report, "correlation")[0]
    assert (row["r"], row["p"], row["ci_low"]) == (None, None, None)
    assert any(words in warning for warning in report.warnings)


def test_several_measures_give_a_row_for_every_pair() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [2, 1, 4, 3], "c": [4, 3, 2, 1]})
    rows = rows_of(correlation(frame, x=["a", "b"], y=["c"], how="pearson"), "correlation")
    assert [(row["x"], row["y"]) for row in rows] == [("a", "c"), ("b", "c")]
    assert rows[0]["r"] == -1
    assert rows[0]["ci_low"] is None


def test_repeated_participants_are_pointed_out() -> None:
    frame = pd.DataFrame({"participant": list("aabb"), "x": [1, 2, 3, 5], "y": [4, 2, 3, 1]})
    assert any("same participant" in warning for warning in correlation(frame, x=["x"], y=["y"]).warnings)


def test_a_measure_cannot_be_correlated_with_itself_or_its_unit() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3], "y": [3, 2, 1]})
    with pytest.raises(BadInput, match="both x and y"):
        correlation(frame, x=["x"], y=["x"])
    with pytest.raises(BadInput, match="is averaged over"):
        correlation(frame, x=["x"], y=["y"], unit=["x"])


@pytest.mark.parametrize("dv", ["z", "logmod"])
def test_marker_means_and_corpus_frequency(dv: str) -> None:
    frequency = {"because": 741, "because-of": 140, "cause-verb": 180, "cause-noun": 86}
    frame = simulated_frame("scores").copy()
    frame["frequency"] = frame["marker"].map(frequency)
    mine = only(frame, x=[dv], y=["frequency"], unit=["marker"])
    expected = simulated()[dv]["spearman_freq"]
    assert mine["r"] == pytest.approx(expected["rho"])
    assert mine["p"] == pytest.approx(expected["p_exact"])
    assert math.isclose(mine["n"], 4)


def test_the_column_that_does_not_vary_is_called_by_its_name() -> None:
    frame = pd.DataFrame({"recall": [0.5, 0.5, 0.5], "acceptability": [1, 2, 3]})
    report = correlation(frame, x=["acceptability"], y=["recall"])
    assert any("all values of recall are equal" in warning for warning in report.warnings)


@pytest.mark.parametrize("n", range(3, 40))
def test_a_perfect_order_is_1_to_the_last_digit_and_has_no_interval_of_no_width(n: int) -> None:
    frame = pd.DataFrame({"x": range(n), "y": [value**2 // 3 for value in range(n)], "z": range(n)})
    for y in ("y", "z"):
        line = correlation(frame.assign(y=frame[y].rank(method="first")), x=["x"], y=["y"], how="kendall")
        assert line.table("correlation").rows[0][4] == 1.0
        assert line.table("correlation").frame()[["ci_low", "ci_high"]].isna().all(axis=None)


def test_units_with_unequal_numbers_of_rows_weigh_the_same() -> None:
    # Means x 2, 5, 4 and y 1, 3, 2: r = 3/√(14/3 · 2) = 3/√(28/3).
    frame = pd.DataFrame({"item": list("aaabc"), "x": [1, 1, 4, 5, 4], "y": [0, 0, 3, 3, 2]})
    report = correlation(frame, x=["x"], y=["y"], unit=["item"], how="pearson")
    assert rows_of(report, "correlation")[0]["r"] == pytest.approx(3 / math.sqrt(28 / 3))
    assert report.table("values").rows == (("a", 2.0, 1.0), ("b", 5.0, 3.0), ("c", 4.0, 2.0))


def test_the_points_are_those_of_the_first_pair() -> None:
    frame = pd.DataFrame({"x": ["1", "2", "", "4"], "y": ["2", "1", "3", "9"], "z": ["7", "8", "9", "9"]})
    report = correlation(frame, x=["x"], y=["y", "z"])
    assert report.table("values").rows == (("1", 1.0, 2.0), ("2", 2.0, 1.0), ("4", 4.0, 9.0))


def test_rows_of_no_unit_have_no_part_in_it_and_are_counted() -> None:
    frame = pd.DataFrame({"item": ["a", "b", "c", ""], "x": [1, 2, 4, 100], "y": [2, 1, 3, -100]})
    report = correlation(frame, x=["x"], y=["y"], unit=["item"])
    assert rows_of(report, "correlation")[0]["r"] == pytest.approx(0.5)
    assert "1 row had no value of item and could not be used." in report.warnings


def test_rounding_before_ranks_is_said_where_there_are_ranks() -> None:
    frame = pd.DataFrame({"x": [1, 2, 4, 5], "y": [2, 1, 3, 9]})
    for how, is_said in (("pearson", False), ("spearman", True), ("kendall", True)):
        notes = correlation(frame, x=["x"], y=["y"], how=how).notes
        assert any("rounded to twelve digits before ranking" in note for note in notes) is is_said


@pytest.mark.parametrize("confidence", [0.49, 1.0])
def test_a_confidence_of_no_interval_is_refused(confidence: float) -> None:
    with pytest.raises(BadInput, match="confidence must lie between"):
        correlation(pd.DataFrame({"x": [1, 2, 3], "y": [3, 1, 2]}), x=["x"], y=["y"], confidence=confidence)


def test_a_missing_interval_is_explained_beside_one_that_is_there() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3, 4, 5], "y": [2, 4, 6, 8, 10], "z": [1, 3, 2, 5, 4]})
    notes = correlation(frame, x=["x"], y=["y", "z"], how="pearson").notes
    assert any(note.startswith("No confidence interval is given for x and y: it needs more pairs") for note in notes)
    assert not any("is given for" in note for note in correlation(frame, x=["x"], y=["z"], how="pearson").notes)

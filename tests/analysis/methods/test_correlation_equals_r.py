"""Oracle: cor.test of R 4.2.2 (tests/oracles/anova/make.R); the paper's ρ over four markers."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from analysis.methods.correlation import correlation, without_noise
from analysis.methods.report import BadInput
from tests.analysis.methods.references import needs_shared, own, own_frame, rows_of, shared, shared_frame


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


@needs_shared
@pytest.mark.parametrize("dv", ["z", "logmod"])
def test_marker_means_and_corpus_frequency(dv: str) -> None:
    frequency = {"because": 741, "because-of": 140, "cause-verb": 180, "cause-noun": 86}
    frame = shared_frame("a_me50_missing", "scores").copy()
    frame["frequency"] = frame["marker"].map(frequency)
    mine = only(frame, x=[dv], y=["frequency"], unit=["marker"])
    expected = shared("a_me50_missing")[dv]["spearman_freq"]
    assert mine["r"] == pytest.approx(expected["rho"])
    assert mine["p"] == pytest.approx(expected["p_exact"])
    assert math.isclose(mine["n"], 4)


def test_the_column_that_does_not_vary_is_called_by_its_name() -> None:
    frame = pd.DataFrame({"recall": [0.5, 0.5, 0.5], "acceptability": [1, 2, 3]})
    report = correlation(frame, x=["acceptability"], y=["recall"])
    assert any("all values of recall are equal" in warning for warning in report.warnings)

"""Two one-sided tests against `t.test` and `pt` of R (tests/oracles/effects/equivalence.R), and their error rate."""

from __future__ import annotations

import json
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.data.analyse_file import read_table
from analysis.methods.conditions.equivalence import equivalence
from analysis.methods.effects.two_one_sided import two_one_sided
from analysis.methods.report import BadInput
from benchmarks.equivalence_error_rates import rates

pytestmark = pytest.mark.slow

ORACLES = Path(__file__).resolve().parents[2] / "oracles"
EXPECTED: dict[str, Any] = json.loads((ORACLES / "effects" / "equivalence.json").read_text(encoding="utf-8"))


def of_markers(**parameters: Any) -> dict[str, Any]:
    frame = read_table(ORACLES / "anova" / "two_within.csv")
    report = equivalence(frame, dv="z", within=["marker", "order"], contrasts="marker: pairs", **parameters)
    return next(line for line in report.table("equivalence").lines() if line["contrast"] == "because − cause")


@pytest.mark.parametrize("unit", ["participant", "item"])
def test_raw_bounds_are_those_of_two_t_tests(unit: str) -> None:
    expected = EXPECTED[unit]["raw"]
    line = of_markers(unit=unit, bound=0.9, lower=-0.4)
    for name in ("p_low", "p_high", "p_difference", "t", "df"):
        assert line[name] == pytest.approx(expected[name], rel=1e-8), name
    assert [line["ci_low"], line["ci_high"]] == pytest.approx(expected["ci"], rel=1e-8)
    assert line["p"] == max(line["p_low"], line["p_high"])


@pytest.mark.parametrize("unit", ["participant", "item"])
def test_bounds_in_d_are_tested_by_the_noncentral_t(unit: str) -> None:
    line = of_markers(unit=unit, bound=0.8, scale="d_z")
    assert line["size"] == line["d_z"]
    assert line["p_low"] == pytest.approx(EXPECTED[unit]["d_z"]["p_low"], abs=1e-10)
    assert line["p_high"] == pytest.approx(EXPECTED[unit]["d_z"]["p_high"], abs=1e-10)


def test_two_groups_are_compared_as_by_a_t_test() -> None:
    expected = EXPECTED["groups"]
    a, b = expected["levels"]
    frame = read_table(ORACLES / "anova" / "mixed_unbalanced.csv")
    frame = frame[frame["group"].isin([a, b])]
    line = equivalence(frame, dv="y", between=["group"], bound=1).table("equivalence").lines()[0]
    assert [line["p_low"], line["p_high"]] == pytest.approx([expected["p_low"], expected["p_high"]], rel=1e-8)


def uneven_groups() -> pd.DataFrame:
    """Return one mean a person of the two groups of the oracle that vary unequally."""
    expected = EXPECTED["welch"]
    named = zip(expected["levels"], expected["values"], strict=True)
    return pd.DataFrame(
        [
            {"participant": f"{group}-{number}", "group": group, "y": value}
            for group, values in named
            for number, value in enumerate(values)
        ]
    )


def test_groups_with_variances_of_their_own_are_compared_as_by_welchs_t_test() -> None:
    expected = EXPECTED["welch"]
    report = equivalence(uneven_groups(), dv="y", between=["group"], bound=1, variances="welch")
    (line,) = report.table("equivalence").lines()
    for name in ("p_low", "p_high", "p_difference", "t", "df"):
        assert line[name] == pytest.approx(expected[name], rel=1e-8), name
    assert [line["ci_low"], line["ci_high"]] == pytest.approx(expected["ci"], rel=1e-8)
    assert "t(10.69) = −0.49" in report.sentences[0]
    assert "Welch's t test" in report.notes[-1]


def test_a_contrast_within_units_of_groups_is_welchs_too() -> None:
    """By hand: half the mean of each group's differences, with Σ (s/2)²/n and Satterthwaite's df."""
    frame = uneven_groups()
    random = np.random.default_rng(2)
    frame = pd.concat(
        [frame.assign(c="x"), frame.assign(c="z", y=frame["y"] + random.normal(0.3, 1, len(frame)))], ignore_index=True
    )
    given: dict[str, Any] = {"dv": "y", "between": ["group"], "within": ["c"], "contrasts": "c: pairs", "bound": 1}
    (line,) = equivalence(frame, **given, variances="welch").table("equivalence").lines()
    wide = frame.pivot_table(index=["group", "participant"], columns="c", values="y")
    by_group = (wide["x"] - wide["z"]).groupby("group")
    shares = by_group.var() / 4 / by_group.size()
    assert line["estimate"] == pytest.approx(by_group.mean().mean())
    assert line["se"] == pytest.approx(sqrt(shares.sum()))
    assert line["df"] == pytest.approx(shares.sum() ** 2 / (shares**2 / (by_group.size() - 1)).sum())


def test_pooling_is_what_is_done_unless_something_else_is_asked_for_and_one_group_has_nothing_to_pool() -> None:
    frame = uneven_groups()
    plain = equivalence(frame, dv="y", between=["group"], bound=1)
    assert plain == equivalence(frame, dv="y", between=["group"], bound=1, variances="pooled")
    assert plain.table("equivalence").lines()[0]["df"] == 16
    assert of_markers(bound=0.9) == of_markers(bound=0.9, variances="welch")


def test_what_welch_cannot_do_is_refused_with_what_to_do() -> None:
    frame = uneven_groups()
    given: dict[str, Any] = {"dv": "y", "between": ["group"], "bound": 1, "variances": "welch"}
    with pytest.raises(BadInput, match="scale=raw"):
        equivalence(frame, **given, scale="d_z")
    alone = frame[(frame["group"] != "g1") | (frame["participant"] == "g1-0")]
    with pytest.raises(BadInput, match=r"g1: a single participant has no variance of its own.*variances=pooled"):
        equivalence(alone, **given)
    with pytest.raises(BadInput, match="pooled or welch"):
        equivalence(frame, **{**given, "variances": "satterthwaite"})
    still = frame.assign(y=frame["group"].eq("g1").astype(float))
    report = equivalence(still, **given)
    assert report.table("equivalence").lines()[0]["p"] is None
    assert any("exactly the same in every participant" in text for text in report.warnings)


@pytest.mark.parametrize(
    ("estimate", "se", "verdict"),
    [(0.0, 0.1, "equivalent"), (1.0, 0.1, "different"), (0.25, 0.1, "both"), (0.3, 0.4, "undecided")],
)
def test_each_of_four_verdicts_has_its_case(estimate: float, se: float, verdict: str) -> None:
    assert two_one_sided(estimate, se, 40, low=-0.5, high=0.5, alpha=0.05)["verdict"] == verdict


def test_the_interval_lies_within_the_bounds_exactly_where_the_test_says_so() -> None:
    random = np.random.default_rng(3)
    verdicts = set()
    for _ in range(60):
        estimate, se = float(random.normal(0, 0.4)), float(random.uniform(0.05, 0.5))
        for deviation in (None, se * sqrt(25)):
            bound = 0.5
            found = two_one_sided(estimate, se, 24, low=-bound, high=bound, alpha=0.05, deviation=deviation)
            assert (found["p"] < 0.05) == (-bound < found["ci_low"] and found["ci_high"] < bound)
            verdicts.add(found["p"] < 0.05)
    assert verdicts == {True, False}


def test_a_difference_on_the_bound_is_called_equivalent_in_five_of_a_hundred_data_sets() -> None:
    repetitions = 1500
    found = rates(24, 0.8, truth=0.8, repetitions=repetitions, seed=11)
    for scale in ("raw", "d_z"):
        assert abs(found[scale] - 0.05) < 3.5 * sqrt(0.05 * 0.95 / repetitions), scale


def test_the_sentence_says_which_verdict_and_between_which_bounds() -> None:
    frame = pd.DataFrame(
        [
            {"participant": f"P{p}", "order": order, "z": 0.01 * ((p * 7 + (order == "ab") * 3) % 5)}
            for p in range(12)
            for order in ("ab", "ba")
        ]
    )
    report = equivalence(frame, dv="z", within=["order"], bound=0.5)
    assert "shown to be too small to matter (equivalent)" in report.sentences[0]
    assert "90 % CI [" in report.sentences[0]
    assert "bounds −0.50 and 0.50" in report.sentences[0]


@pytest.mark.parametrize("bounds", [{"bound": -1.0}, {"bound": 0.0}, {"bound": 1.0, "lower": 0.5}])
def test_bounds_that_leave_out_zero_are_refused_with_what_to_do(bounds: dict[str, float]) -> None:
    with pytest.raises(BadInput, match="too small to matter"):
        of_markers(**bounds)


def test_between_groups_the_unit_is_the_pooled_deviation_within_groups_and_called_cohens_d() -> None:
    """Cohen's d by hand: the difference of the means over √((n₁ − 1) s₁² + (n₂ − 1) s₂²)/(n₁ + n₂ − 2))."""
    random = np.random.default_rng(8)
    groups = {"old": random.normal(0, 1, 9), "young": random.normal(0.4, 2, 14)}
    frame = pd.DataFrame(
        [
            {"participant": f"{group}{number}", "age": group, "c": cell, "z": value + shift * (number % 3)}
            for group, values in groups.items()
            for number, value in enumerate(values)
            for cell, shift in (("x", 0.3), ("y", -0.3))
        ]
    )
    given: dict[str, Any] = {"dv": "z", "bound": 0.5, "scale": "d_z", "between": ["age"]}
    alone = equivalence(frame, **given)
    (line,) = alone.table("equivalence").lines()
    old, young = (frame[frame["age"] == group].groupby("participant")["z"].mean() for group in groups)
    pooled = sqrt(((len(old) - 1) * old.var() + (len(young) - 1) * young.var()) / (len(old) + len(young) - 2))
    assert line["size"] == pytest.approx((old.mean() - young.mean()) / pooled)
    assert "0.50 pooled standard deviations within groups (Cohen’s d)" in alone.notes[-2]
    assert "dz" not in " ".join((*alone.notes, alone.figures[0].caption, alone.figures[0].x_label))
    both = equivalence(frame, **given, within=["c"])
    assert "(dz), and between groups the pooled one within groups (Cohen’s d)" in both.notes[-2]
    within = equivalence(frame, **{**given, "between": []}, within=["c"])
    assert "Cohen" not in " ".join((*within.notes, within.figures[0].caption, within.figures[0].x_label))

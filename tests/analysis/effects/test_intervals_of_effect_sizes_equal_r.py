"""Intervals of effect sizes against R: afex for the analyses, `pf` and `pt` solved by `uniroot`, and effectsize 0.8.3.

tests/oracles/effects/intervals.R made the values. effectsize searches its bounds with `optim`; where that stopped
early (an upper bound of .148 for one that `pf` puts at .260), `pf` decides.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.data.analyse_file import read_table
from analysis.methods.conditions.anova import rm_anova
from analysis.methods.conditions.tukey import tukey
from analysis.methods.effects import noncentral
from analysis.methods.report import Report

ORACLES = Path(__file__).resolve().parents[2] / "oracles"
EXPECTED: dict[str, Any] = json.loads((ORACLES / "effects" / "intervals.json").read_text(encoding="utf-8"))
DESIGNS: dict[str, dict[str, Any]] = {
    "two_within": {"dv": "z", "within": ["marker", "order"]},
    "mixed_unbalanced": {"dv": "y", "within": ["marker", "order"], "between": ["group", "sex"]},
    "non_spherical": {"dv": "y", "within": ["dose"]},
}


def data(name: str) -> pd.DataFrame:
    return read_table(ORACLES / "anova" / f"{name}.csv")


def first_line(report: Report, table: str) -> dict[str, Any]:
    return report.table(table).lines()[0]


@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_of_eta_and_omega_equal_those_of_the_noncentral_f(name: str) -> None:
    lines = rm_anova(data(name), **DESIGNS[name]).table("anova").lines()
    assert [line["effect"] for line in lines] == list(EXPECTED[name])
    for line in lines:
        for size in ("pes", "ges", "omega2"):
            found = [line[f"{size}_low"], line[f"{size}_high"]]
            assert found == pytest.approx(EXPECTED[name][line["effect"]][size], abs=1e-7), (line["effect"], size)


@pytest.mark.parametrize("name", DESIGNS)
def test_intervals_of_partial_eta_are_those_of_effectsize_where_its_search_ended(name: str) -> None:
    compared = 0
    for line in rm_anova(data(name), **DESIGNS[name]).table("anova").lines():
        if line["effect"] == "group:order":
            continue
        assert [line["pes_low"], line["pes_high"]] == pytest.approx(
            EXPECTED[name][line["effect"]]["effectsize"], abs=2e-3
        )
        compared += 1
    assert compared


def test_an_interval_of_eta_leaves_out_zero_exactly_where_f_is_significant() -> None:
    lines = rm_anova(data("mixed_unbalanced"), **DESIGNS["mixed_unbalanced"]).table("anova").lines()
    assert any(line["p"] < 0.05 for line in lines)
    for line in lines:
        assert (line["pes_low"] > 0) == (line["ges_low"] > 0) == (line["omega2_low"] > 0) == (line["p"] < 0.05)


@pytest.mark.parametrize("unit", ["participant", "item"])
def test_d_of_two_conditions_over_participants_and_items(unit: str) -> None:
    expected = EXPECTED["because_cause"][unit]
    by_pairs = first_line(
        tukey(data("two_within"), dv="z", within=["marker", "order"], by=[], compare=["marker"], error="multivariate",
              unit=unit), "comparisons"
    )  # fmt: skip
    planned = first_line(
        rm_anova(
            data("two_within"), dv="z", within=["marker", "order"], unit=unit, contrasts="marker: because=1, cause=-1"
        ),
        "contrasts",
    )
    assert (by_pairs["a"], by_pairs["b"]) == ("because", "cause")
    for line in (by_pairs, planned):
        assert line["d_z"] == pytest.approx(expected["d_z"], rel=1e-9)
        assert [line["d_z_low"], line["d_z_high"]] == pytest.approx(expected["d_z_ci"], abs=1e-7)
        assert [line["d_z"], line["d_z_low"], line["d_z_high"]] == pytest.approx(expected["effectsize"], abs=1e-4)
        assert line["d_av"] == pytest.approx(expected["d_av"], rel=1e-9)
        assert [line["d_av_low"], line["d_av_high"]] == pytest.approx(expected["d_av_ci"], abs=1e-7)


def test_d_of_two_groups_is_cohens_d_with_the_pooled_deviation() -> None:
    expected = EXPECTED["groups"]
    a, b = expected["levels"]
    frame = data("mixed_unbalanced")
    line = first_line(
        rm_anova(
            frame[frame["group"].isin([a, b])], dv="y", within=["marker", "order"], between=["group"],
            contrasts=f"group: {a}=1, {b}=-1",
        ),
        "contrasts",
    )  # fmt: skip
    assert line["d_z"] == pytest.approx(expected["d"], rel=1e-9)
    assert [line["d_z_low"], line["d_z_high"]] == pytest.approx(expected["ci"], abs=1e-7)
    assert [line["d_z"], line["d_z_low"], line["d_z_high"]] == pytest.approx(expected["effectsize"], abs=1e-3)
    assert line["d_av"] is None


def test_a_contrast_that_is_no_difference_of_two_means_has_no_average_deviation() -> None:
    report = rm_anova(data("two_within"), dv="z", within=["marker", "order"], contrasts="marker: polynomial")
    for line in report.table("contrasts").lines():
        assert line["d_av"] is None
        assert line["d_z"] == pytest.approx(line["t"] / len_of_units(report) ** 0.5)


def len_of_units(report: Report) -> int:
    return int(report.table("cells").lines()[0]["n"])


def test_sentences_and_the_first_table_hold_the_interval() -> None:
    frame = data("two_within")
    sentence = rm_anova(frame, dv="z", within=["marker"]).sentences[0]
    assert ", 90 % CI [" in sentence
    pair = tukey(frame, dv="z", within=["marker"], error="multivariate")
    line = first_line(pair, "comparisons")
    assert line["diff"] < 0 < -line["d_z"]
    assert f"dz = {-line['d_z']:.2f}, 95 % CI [" in pair.sentences[0]


def test_bounds_exist_at_every_size_and_hold_their_tails() -> None:
    for f, df1, df2 in ((1e-6, 1, 1), (0.2, 1.04, 5.19), (1e4, 2, 46), (300, 1, 1e5)):
        bounds = noncentral.of_f(f, df1, df2)
        assert bounds is not None
        assert 0 <= bounds[0] <= bounds[1]
    for t, df in ((0.0, 23), (40.0, 23), (-7.3, 23), (1e4, 10)):
        found = noncentral.of_t(t, df)
        assert found is not None
        assert [noncentral.t_below(t, df, bound) for bound in found] == pytest.approx([0.975, 0.025], abs=1e-9)

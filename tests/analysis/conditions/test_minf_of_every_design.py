"""minF′ with factors between people and between items, and where F1 or F2 is missing, zero or equal to the other.

Oracles: afex and Clark's formula (tests/oracles/anova/minf_between.R), and what the formula becomes for F1 = F2.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.methods.conditions.designs import cell_means
from analysis.methods.conditions.minf import min_f, minf_row
from analysis.methods.conditions.variance import Effect, analyse
from analysis.methods.report import BadInput
from tests.analysis.methods.references import OWN, lines, rows_of

EXPECTED = json.loads((OWN / "minf_between.json").read_text(encoding="utf-8"))
DATA = pd.DataFrame(EXPECTED["data"])
COLUMNS = ("f1", "df1_error", "f2", "df2_error", "minf", "df1", "df2", "p", "p1", "p2")


def study(value: Any) -> pd.DataFrame:
    rows = [
        {"participant": f"P{p}", "item": f"I{i}", "marker": "abc"[m], "z": float(value(p, i, m))}
        for p, i, m in product(range(5), range(4), range(3))
    ]
    return pd.DataFrame(rows)


def some_effect() -> Effect:
    means = cell_means(DATA, dv="z", unit="participant", within=["marker"])
    return analyse(means).effects[0]


def test_factors_between_people_and_between_items_give_what_afex_gives() -> None:
    report = min_f(DATA, dv="z", within=["marker"], between_participants=["group"], between_items=["genre"])
    found = {frozenset(row["effect"].split(":")): row for row in rows_of(report, "minf")}
    assert len(found) == len(EXPECTED["effects"]) == 7
    for row in EXPECTED["effects"]:
        mine = found[frozenset(row["factors"])]
        for name in COLUMNS:
            assert mine[name] == pytest.approx(row[name], rel=1e-9), (row["factors"], name)


def test_a_factor_between_people_may_be_the_only_one() -> None:
    frame = DATA[DATA["marker"] == "a"]
    found = lines(min_f(frame, dv="z", between_participants=["group"]), "minf")
    assert list(found) == ["group"]
    assert (found["group"]["df1_error"], found["group"]["df2_error"]) == (6, 5)
    with pytest.raises(BadInput, match="Name at least one factor"):
        min_f(frame, dv="z")


def test_equal_f_give_half_of_it_and_twice_their_degrees_of_freedom() -> None:
    effect = some_effect()
    assert effect.f is not None
    row = minf_row(effect, effect)
    assert row["minf"] == pytest.approx(effect.f / 2)
    assert row["df2"] == pytest.approx(2 * effect.stratum.df_error)


def test_two_f_that_are_zero_have_no_minf_and_two_that_sum_to_one_have() -> None:
    zero, half = (replace(some_effect(), f=f) for f in (0.0, 0.5))
    assert minf_row(zero, zero)["minf"] is None
    assert minf_row(half, half)["minf"] == 0.25
    assert minf_row(zero, half)["minf"] == 0


def test_where_items_do_not_differ_f2_and_minf_are_empty_and_a_warning_says_so() -> None:
    random = np.random.default_rng(5)
    people = random.normal(size=(5, 3))
    report = min_f(study(lambda p, i, m: people[p, m]), dv="z", within=["marker"])
    row = lines(report, "minf")["marker"]
    assert row["f1"] > 0
    assert (row["f2"], row["p2"], row["minf"], row["df2"], row["p"]) == (None, None, None, None, None)
    assert any(warning.startswith("minF′ of marker is not defined") for warning in report.warnings)
    assert "minF′ not defined" in report.sentences[0]


def test_a_minf_that_exists_is_not_warned_of() -> None:
    report = min_f(DATA, dv="z", within=["marker"])
    assert not any("minF′" in warning for warning in report.warnings)
    assert report.sentences[0].startswith("marker: minF′(2, ")

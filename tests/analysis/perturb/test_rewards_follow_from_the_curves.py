"""The tables `rewarded` and `summary` of `perturb`, worked out a second time from the curves."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any

import pandas as pd
import pytest

from analysis.methods.perturb.method import example, perturb
from analysis.methods.report import Report

pytestmark = pytest.mark.slow

# The label of every metric, its column in the curves, and whether more of it passes for better.
METRICS = {
    "FKGL": ("fkgl", False),
    "BLEU": ("bleu", True),
    "SARI": ("sari", True),
    "Words per sentence": ("words_per_sentence", False),
    "Syllables per word": ("syllables_per_word", False),
    **{f"{n}-gram precision": (f"precision_{n}", True) for n in range(1, 5)},
    "Brevity penalty": ("brevity_penalty", True),
    "Add F1": ("add_f1", True),
    "Keep F1": ("keep_f1", True),
    "Delete F1": ("delete_f1", True),
    "Delete precision": ("delete_precision", True),
}
MAIN = ("FKGL", "BLEU", "SARI")


@cache
def report() -> Report:
    frame, parameters = example()
    return perturb(frame, **{**parameters, "repetitions": 3, "shares": "25,50,75,100"})


def curve(system: str, edit: str, column: str) -> pd.Series:
    curves = report().table("curves").frame()
    mine = curves[(curves["system"] == system) & (curves["edit"] == edit)]
    return mine.set_index("share")[column]


def rewards() -> list[dict[Hashable, Any]]:
    return report().table("rewarded").frame().astype(object).to_dict("records")


def rank(value: float, others: list[float], *, more: bool) -> int:
    return 1 + sum(other > value + 1e-9 if more else other < value - 1e-9 for other in others)


def test_every_metric_is_there_for_every_system_and_edit() -> None:
    assert len(rewards()) == 3 * 6 * len(METRICS)
    assert {str(line["metric"]) for line in rewards()} == set(METRICS)


@pytest.mark.parametrize("metric", METRICS)
def test_change_gain_and_reward(metric: str) -> None:
    column, more = METRICS[metric]
    for line in (line for line in rewards() if line["metric"] == metric):
        values = curve(str(line["system"]), str(line["edit"]), column)
        gains = (values - values[0]) * (1 if more else -1)
        assert line["before"] == pytest.approx(values[0])
        assert line["after"] == pytest.approx(values[100])
        assert line["change"] == pytest.approx(values[100] - values[0])
        assert line["rewarded"] == (gains[100] > 1e-9)
        best = gains.drop(0).max()
        if best > 1e-9:
            assert line["largest_gain"] == pytest.approx(best)
            assert line["at_share"] == gains.drop(0).idxmax()
        else:
            assert pd.isna(line["largest_gain"])
            assert pd.isna(line["at_share"])
        assert 0 <= float(str(line["repetitions_rewarded"])) <= 1


@pytest.mark.parametrize("metric", METRICS)
def test_ranks_are_among_the_untouched_texts_of_the_others(metric: str) -> None:
    column, more = METRICS[metric]
    for line in (line for line in rewards() if line["metric"] == metric):
        values = curve(str(line["system"]), str(line["edit"]), column)
        others = [
            curve(name, "random-the", column)[0] for name in ("copy", "short", "writer") if name != line["system"]
        ]
        assert line["rank_before"] == rank(values[0], others, more=more)
        assert line["rank_after"] == rank(values[100], others, more=more)
        first = [share for share in (25, 50, 75, 100) if rank(values[share], others, more=more) == 1]
        if line["rank_before"] != 1 and first:
            assert line["first_from"] == first[0]
        else:
            assert pd.isna(line["first_from"])


def test_the_spread_is_that_of_the_curves_at_the_largest_share() -> None:
    for line in (line for line in rewards() if line["metric"] in MAIN):
        column = METRICS[str(line["metric"])][0]
        assert line["sd"] == pytest.approx(curve(str(line["system"]), str(line["edit"]), f"{column}_sd")[100])


def test_the_summary_is_over_systems_in_the_order_of_the_metrics() -> None:
    lines = pd.DataFrame(rewards())
    summary = report().table("summary").frame()
    assert list(dict.fromkeys(summary["metric"])) == list(MAIN)
    for row in summary.to_dict("records"):
        mine = lines[(lines["metric"] == row["metric"]) & (lines["edit"] == row["edit"])]
        changes = mine["change"].astype(float)
        assert row["systems"] == 3
        assert row["before"] == pytest.approx(mine["before"].astype(float).mean())
        assert row["after"] == pytest.approx(mine["after"].astype(float).mean())
        assert (row["change"], row["change_low"], row["change_high"]) == pytest.approx(
            (changes.mean(), changes.min(), changes.max())
        )
        assert row["rewarded"] == (changes.mean() > 1e-9 if METRICS[row["metric"]][1] else changes.mean() < -1e-9)
        assert row["systems_rewarded"] == mine["rewarded"].sum()
        assert row["systems_first"] == mine["first_from"].notna().sum()

"""What a system recorded is brought together with what the screen showed, and nothing that is unsure is called true."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.pixels.matching import Recorded, displays_with_truth, reactions_with_truth
from benchmarks.pixels.report import put_into, summary, tables
from benchmarks.pixels.screen import DIGIT, ENTER, Change, Seen

OFFSET = 5_000.0
FACTS = {"browser": "chromium", "load": "quiet", "agent": "", "isolated": True, "longest_gap": 0.5}


def change(time: float, ink: int = 900, *, between_looks: float = 0.4) -> Change:
    return Change(time - between_looks / 2, time + between_looks / 2, ink)


def test_a_reaction_time_is_compared_with_the_change_and_the_key():
    seen = Seen(changes=[change(5_112.0)], keys=[(DIGIT, 5_300.0), (ENTER, 5_412.0)])
    row = reactions_with_truth([Recorded(110.0, 411.0, 301.0, False)], seen, offset=OFFSET)[0]
    assert (row["true_ms"], row["error_ms"]) == (300.0, 1.0)


def test_there_is_no_truth_where_nobody_looked():
    seen = Seen(changes=[change(5_112.0, between_looks=9.0)], keys=[(ENTER, 5_412.0)])
    assert reactions_with_truth([Recorded(110.0, 411.0, 301.0, False)], seen, offset=OFFSET)[0]["true_ms"] is None


def test_a_display_lasts_until_the_next_change_whatever_was_recorded():
    seen = Seen(changes=[change(5_110.0), change(5_634.0, 700), change(6_110.0, 0)])
    records = [Recorded(108.0, 608.0, 500.0, False, 500.0), Recorded(608.0, 1_108.0, 500.0, False, 500.0)]
    assert [row["off_ms"] for row in displays_with_truth(records, seen, offset=OFFSET)] == [24.0, -24.0]


def display_row(*, true_ms: float, shown_ms: float, gone_ms: float, system: str = "lectern") -> dict[str, object]:
    said = {"said_shown_ms": shown_ms, "said_gone_ms": gone_ms, "said_doubtful": False, "said_frame_interval_ms": 16.7}
    row = {"kind": "500", "system": system, "intended_ms": 500.0, "true_ms": true_ms, "off_ms": true_ms - 500}
    return {**FACTS, **row, **said}


def test_a_display_that_was_off_and_is_not_flagged_is_counted():
    missed = display_row(true_ms=520.0, shown_ms=0.0, gone_ms=500.0)
    noticed = display_row(true_ms=520.0, shown_ms=0.0, gone_ms=519.0)
    (cell,) = summary([missed, noticed])
    assert (cell["off"], cell["flagged"], cell["off_unflagged"]) == (2, 1, 1)


def test_the_table_stands_between_its_marks_and_nowhere_else(tmp_path: Path):
    cells = summary([display_row(true_ms=500.0, shown_ms=0.0, gone_ms=500.0)] * 2)
    assert "2 of 2 | 0 | 0 | 0 | –" in tables(cells)
    page = tmp_path / "page.md"
    page.write_text("no marks")
    with pytest.raises(ValueError, match="no place"):
        put_into(page, {"cells": cells, "facts": dict.fromkeys(NAMES, 0.0) | {"browsers": []}})


NAMES = (
    "date", "system", "processor", "cores", "load_before", "load_after", "steal_per_cent", "priority", "jspsych",
    "longest_gap_ms", "minutes", "seed",
)  # fmt: skip

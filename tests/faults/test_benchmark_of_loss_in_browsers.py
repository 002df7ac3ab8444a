"""The benchmark of loss in browsers in its smallest form: killed pages and browsers cost Lectern no answer.

The long form is `python -m benchmarks loss-browsers`.
"""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.loss import ARMS, Condition
from benchmarks.loss_browsers import run
from tests import needs
from tests.faults.remote import WITH_THE_EMBEDDED_DEFAULT

pytestmark = [
    pytest.mark.full("a benchmark of loss in browsers that no longer runs"),
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.xdist_group("load"),
    needs.processes,
    WITH_THE_EMBEDDED_DEFAULT,
]

TROUBLE = Condition("requests cut, pages and browsers killed", loss=0.1, pages_killed=True, browsers_killed=True)
TRIALS = 6


@pytest.fixture
def outcome(chromium_path: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("CHROMIUM", chromium_path)
    return lambda arm: run(arm, TROUBLE, sessions=1, trials=TRIALS, seed=1)


def test_lectern_keeps_every_answer_that_was_typed_once(outcome: Any) -> None:
    counted = outcome(ARMS[0])
    # The page of instructions is no number.
    assert counted["pressed"] >= TRIALS - 1
    assert counted["stored"] == counted["planned"] == TRIALS - 1
    assert counted["stored"] == counted["pressed"] - counted["cut off"]
    assert {counted[name] for name in ("lost", "broken promises", "stored twice")} == {0}


def test_a_page_that_posts_at_the_end_loses_what_it_had_in_memory(outcome: Any) -> None:
    counted = outcome(ARMS[1])
    assert counted["answered"] > TRIALS
    assert counted["lost"] > 0

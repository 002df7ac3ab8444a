"""The benchmark of loss in its smallest form: Lectern keeps every answer, and what the others lose is seen.

The long form is `python -m benchmarks loss`.
"""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.loss import ARMS, Condition, run
from tests.faults.remote import WITH_THE_EMBEDDED_DEFAULT

pytestmark = [
    pytest.mark.full("a benchmark of loss that no longer runs; answers under bad networks are tested always"),
    pytest.mark.slow,
    pytest.mark.xdist_group("load"),
    WITH_THE_EMBEDDED_DEFAULT,
]

TROUBLE = Condition("requests cut and pages killed", loss=0.2, pages_killed=True)
SESSIONS, TRIALS = 6, 6


def outcome(arm: str) -> dict[str, Any]:
    return run(arm, TROUBLE, sessions=SESSIONS, trials=TRIALS, seed=3)


def test_lectern_keeps_every_answer_once() -> None:
    counted = outcome(ARMS[0])
    assert counted["sent again"] > 0, "nothing was cut"
    planned = SESSIONS * TRIALS
    assert {counted[name] for name in ("planned", "answered", "acknowledged", "stored")} == {planned}
    assert {counted[name] for name in ("lost", "broken promises", "stored twice", "not finished")} == {0}


@pytest.mark.parametrize("arm", ARMS[1:])
def test_pages_that_post_once_lose_what_they_had_in_memory(arm: str) -> None:
    counted = outcome(arm)
    assert counted["lost"] > 0
    assert counted["stored"] + counted["lost"] == counted["answered"]
    assert counted["broken promises"] == 0

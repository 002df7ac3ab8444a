"""Master and web processes of the server are killed under load: nothing acknowledged is lost, and it is back soon.

The quick form of `python -m tests.faults.kills`, whose long form kills 300 times.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import needs
from tests.faults.kills import IDLE, KINDS, Load, drill, table
from tests.faults.remote import WITH_THE_EMBEDDED_DEFAULT

pytestmark = [
    pytest.mark.full("an acknowledged result that servers lose when they are killed under load"),
    pytest.mark.slow,
    pytest.mark.xdist_group("load"),
    WITH_THE_EMBEDDED_DEFAULT,
    needs.processes,
]


def test_nothing_acknowledged_is_lost_when_master_and_web_processes_are_killed(tmp_path: Path) -> None:
    outcome = drill(tmp_path, kills=len(KINDS), results=3_000, load=Load(clients=4))
    assert set(outcome.kills) == set(KINDS)
    assert outcome.acknowledged >= 3_000
    assert (outcome.lost, outcome.different, outcome.twice) == (0, 0, 0)
    assert not outcome.faults


def test_the_form_for_an_idle_machine_says_how_long_nobody_is_answered(tmp_path: Path) -> None:
    outcome = drill(tmp_path, kills=2, results=2, load=IDLE)
    assert not outcome.faults
    assert outcome.acknowledged >= 2
    assert len(outcome.answer_seconds["worker SIGKILL"]) == len(outcome.port_seconds) == 1
    assert "| worker SIGKILL | 1 |" in table(outcome)

"""Something that a worker has claimed: a run, or a part of one. Whoever computes it needs no more than this."""

from __future__ import annotations

import time
from typing import Protocol

from analysis.methods.declarations import Progress
from analysis.methods.report import Cancelled
from analysis.runs.outcomes import Outcome


class Claimed(Protocol):
    """A claim is held until it is concluded or given back, or until somebody else finds that its worker is lost."""

    @property
    def name(self) -> str:
        """What it is called in logs and lists of processes."""

    def compute(self, progress: Progress) -> Outcome:
        """Compute it; read the database and write nothing."""

    def beat(self, *, progress: float | None = None, note: str = "") -> bool:
        """Say that it is alive and how far it is. Returns False where it was cancelled or is no longer ours."""

    def conclude(self, outcome: Outcome) -> None:
        """Write down what became of it, unless it is no longer ours."""

    def give_back(self) -> None:
        """Give it back to be computed by somebody else, without counting this attempt."""


def execute_here(claimed: Claimed, *, beat_seconds: float) -> None:
    """Compute what was claimed in this process, saying every so often how far it is."""
    last_beat = time.monotonic()

    def report_progress(share: float, note: str) -> None:
        nonlocal last_beat
        if time.monotonic() - last_beat < beat_seconds:
            return
        last_beat = time.monotonic()
        if not claimed.beat(progress=share, note=note):
            raise Cancelled

    claimed.conclude(claimed.compute(report_progress))

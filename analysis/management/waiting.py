"""Wait for several analyses in a terminal, showing progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analysis.methods import registry
from analysis.models import AnalysisRun

# How often the rows are read.
LOOK_SECONDS = 0.3


@dataclass
class Progress:
    """What has been said of some runs, so that nothing is said twice."""

    runs: Sequence[AnalysisRun]
    tell: Callable[[str], None]
    begun: dict[int, int] = field(default_factory=dict)
    tenths: dict[int, int] = field(default_factory=dict)

    def look(self) -> None:
        """Tell of each run that has begun since the last look, and of each further tenth of one that is running."""
        for run in self.runs:
            if run.status == AnalysisRun.Status.QUEUED:
                continue
            if run.pk not in self.begun:
                self.begun[run.pk] = len(self.begun) + 1
                label = registry.method_named(run.method).label
                self.tell(f"Analysis {self.begun[run.pk]} of {len(self.runs)}: {label} of {run.study.slug}")
            tenth = int(run.progress * 10 + 1e-9)
            if run.is_unfinished and tenth > self.tenths.get(run.pk, 0):
                self.tenths[run.pk] = tenth
                self.tell(f"  {tenth * 10} %{f': {run.progress_note}' if run.progress_note else ''}")


def wait_for(
    runs: Sequence[AnalysisRun],
    *,
    tell: Callable[[str], None],
    seconds: float,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Wait until no run is unfinished, and tell meanwhile which one is computed and how far it is.

    The runs are read again from the database. Raises TimeoutError where one is unfinished after `seconds`.
    """
    progress = Progress(runs, tell)
    deadline = time.monotonic() + seconds
    while True:
        progress.look()
        waiting = [run for run in runs if run.is_unfinished]
        if not waiting:
            return
        if time.monotonic() > deadline:
            raise TimeoutError(f"{len(waiting)} of {len(runs)} analyses are unfinished after {seconds:.0f} s.")
        sleep(LOOK_SECONDS)
        for run in waiting:
            run.refresh_from_db(fields=["status", "progress", "progress_note", "error"])

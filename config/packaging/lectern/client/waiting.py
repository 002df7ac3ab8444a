"""What workers do takes a while: ask until it is done, and show how far it is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from .operations import Operations
from .operations.shapes import Archive, Run, Simulation
from .problems import Problem
from .tables import tables_of_report

FIRST_PAUSE, LONGEST_PAUSE = 0.3, 5.0
ENDED = {"failed": "failed", "cancelled": "was cancelled"}
Progress = Callable[[str], None]


def show(text: str) -> None:
    """Write how far something is, if somebody is looking."""
    if sys.stderr.isatty():
        sys.stderr.write(f"{text}\n")


class Waiting(Operations):
    """Operations that wait for others. Each raises Problem for what failed, was cancelled, or is not done in time.

    `progress` is called with a sentence whenever something has changed.
    """

    def wait_for_run(self, slug: str, run: int | str, *, seconds: float = 3600, progress: Progress = show) -> Run:
        """Wait for an analysis and return it."""
        done: Run = self._until_done(lambda: self.get_run(slug, run), "The analysis", seconds, progress)
        return done

    def wait_for_simulation(self, slug: str, *, seconds: float = 3600, progress: Progress = show) -> Simulation:
        """Wait for the simulation of a study and return it."""
        done: Simulation = self._until_done(lambda: self.get_simulation(slug), "The simulation", seconds, progress)
        return done

    def wait_for_archive(
        self, slug: str, archive: int | str, *, seconds: float = 3600, progress: Progress = show
    ) -> Archive:
        """Wait for an archive and return it; `download_archive` then fetches it."""
        done: Archive = self._until_done(lambda: self.get_archive(slug, archive), "The archive", seconds, progress)
        return done

    def report(self, slug: str, run: int | str) -> dict[str, Any]:
        """Return the `report.json` of an analysis: sentences, notes, warnings, tables, versions."""
        report: dict[str, Any] = self.get_run_file(slug, run, "report.json").json()
        return report

    def report_tables(self, slug: str, run: int | str) -> dict[str, Any]:
        """Return the tables of an analysis by their names, as data frames or lists of dicts."""
        return tables_of_report(self.report(slug, run))

    def _until_done(self, ask: Callable[[], Any], what: str, seconds: float, progress: Progress) -> Any:
        end, pause, before = time.monotonic() + seconds, FIRST_PAUSE, ""
        while True:
            found: Mapping[str, Any] = ask()
            status, told = found["status"], f"{what}: {_how_far(found)}"
            if told != before:
                progress(told)
                before = told
            if status == "done":
                return found
            if status in ENDED:
                raise Problem(status, f"{what} {ENDED[status]}. {found.get('error') or ''}".strip())
            if time.monotonic() + pause > end:
                raise Problem("not-finished", f"{told}, and not done after {seconds:g} seconds. Wait again.")
            self._connection.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)


def _how_far(found: Mapping[str, Any]) -> str:
    if "progress" in found:
        return f"{found['status']}, {found['progress']:.0%} {found.get('progress_note') or ''}".strip()
    return f"{found['status']}, {found['done']} of {found['participants']}"

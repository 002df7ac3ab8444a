"""Life cycle of a run on an uploaded table as a job; deleting it ends it."""

from __future__ import annotations

from django.utils import timezone

from analysis.computing.of_table import table_run_computed
from analysis.computing.outcomes import Outcome, failure_sentence
from analysis.models import AnalysisRun, TableRun
from analysis.runs.claims import Claim

Status = AnalysisRun.Status


class ClaimedTableRun(Claim):
    """A run on an uploaded table that a worker holds."""

    model = TableRun
    computation = staticmethod(table_run_computed)
    fresh = {"progress": 0, "progress_note": ""}

    def beat(self, *, progress: float = 0.0, note: str = "") -> bool:
        told = {"progress": min(max(progress, 0.0), 1.0), "progress_note": note[:200]}
        return bool(self.held().update(heartbeat_at=timezone.now(), **told))

    def conclude(self, outcome: Outcome) -> None:
        ended = {"finished_at": timezone.now(), "progress_note": ""}
        if outcome["kind"] == "done":
            self.held().update(status=Status.DONE, progress=1, report=outcome["report"], **ended)
        elif outcome["kind"] == "cancelled":
            self.held().update(status=Status.CANCELLED, **ended)
        else:
            self.held().update(status=Status.FAILED, error=failure_sentence(outcome), **ended)

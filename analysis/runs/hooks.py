"""What a study's hooks may send of its analyses: that a look is due and that a run has finished, without any result."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from analysis.models import AnalysisRun, SequentialLook
from experiments.models import Study
from participants.hooks.happened import Happened, Kind

ENDED = (AnalysisRun.Status.DONE, AnalysisRun.Status.FAILED, AnalysisRun.Status.CANCELLED)


def happened_in(study: Study, since: datetime) -> Iterator[Happened]:
    """Yield looks that became due and runs that ended since a time."""
    for look in SequentialLook.objects.filter(study=study, created_at__gte=since):
        yield Happened(Kind.LOOK, f"look-{look.number}", look.created_at, {"look": look.number, "people": look.people})
    for run in AnalysisRun.objects.filter(study=study, status__in=ENDED, finished_at__gte=since).defer("report"):
        if run.finished_at is not None:
            data = {"run": run.pk, "method": run.method, "table": run.table, "task": run.part, "status": run.status}
            yield Happened(Kind.RUN, f"run-{run.pk}", run.finished_at, data)

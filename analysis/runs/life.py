"""Life cycle of a run: waiting, claimed, computed, then finished or failed with a message.

A run of a method that is computed in parts is claimed twice: to read the data and divide the work, and to put the
results together. In between it is in parts: nobody holds it, and workers claim its parts (`analysis.runs.parts`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Self

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from analysis.computing.of_run import run_computed
from analysis.computing.outcomes import Outcome, failure_sentence
from analysis.models import AnalysisPart, AnalysisRun
from analysis.runs.claims import Claim
from analysis.runs.waking import wake
from participants.models import Participant

Status = AnalysisRun.Status


class ClaimedRun(Claim):
    """A run that a worker holds, to compute it, divide it or put its parts together."""

    model = AnalysisRun
    computation = staticmethod(run_computed)
    fresh = {"progress": 0, "progress_note": ""}

    @classmethod
    def rows(cls) -> Any:
        return AnalysisRun.objects.filter(is_in_parts=False)

    @classmethod
    def claim(cls, pk: int) -> Self | None:
        claimed = super().claim(pk)
        if claimed is not None:
            # Parts that are put together rest on data that were read before: the run did not start now.
            claimed.held().filter(preparation="").update(started_at=timezone.now(), **cls.fresh)
        return claimed

    def beat(self, *, progress: float = 0.0, note: str = "") -> bool:
        told = {"progress": min(max(progress, 0.0), 1.0), "progress_note": note[:200]}
        return bool(self.held().filter(cancel_requested=False).update(heartbeat_at=timezone.now(), **told))

    def give_back(self, *, counts: bool = False) -> None:
        if not end(self.held().filter(cancel_requested=True), Status.CANCELLED):
            super().give_back(counts=counts)

    @transaction.atomic
    def conclude(self, outcome: Outcome) -> None:
        kind, read = outcome["kind"], outcome.get("preparation", outcome)
        if kind == "outdated" or not everybody_is_there(read.get("participants", []), study__analysis_runs=self.pk):
            restart(self.held())
        elif kind == "done":
            found = {"report": read["report"], "data_hash": read["data_hash"], "data_stamp": read["stamp"]}
            end(self.held(), Status.DONE, progress=1, **found)
        elif kind == "split":
            self._split(read, outcome["parts"])
        elif kind == "cancelled":
            end(self.held(), Status.CANCELLED)
        else:
            fail(self.held(), outcome)

    def _split(self, preparation: dict[str, Any], parts: Sequence[Any]) -> None:
        """Put the parts where workers find them, and wake workers up for them."""
        ours = self.held().filter(cancel_requested=False)
        if not ours.update(is_in_parts=True, preparation=json.dumps(preparation), heartbeat_at=None, progress=0):
            end(self.held(), Status.CANCELLED)
            return
        AnalysisPart.objects.bulk_create(
            AnalysisPart(run_id=self.pk, index=index, description=json.dumps(part)) for index, part in enumerate(parts)
        )
        wake(len(parts))


def everybody_is_there(participants: Sequence[str], **of_study: Any) -> bool:
    """Say whether nobody withdrew meanwhile; what was computed with their data is dropped and computed again."""
    return set(Participant.objects.filter(**of_study).values_list("pseudonym", flat=True)).issuperset(participants)


def fail(rows: Any, outcome: Outcome) -> None:
    """End runs with a sentence for the researcher."""
    end(rows, Status.FAILED, error=failure_sentence(outcome), error_reference=outcome.get("reference", ""))


def end(rows: Any, status: str, **values: Any) -> int:
    """End runs and delete their parts; returns how many there were."""
    return _leave(rows, status=status, finished_at=timezone.now(), progress_note="", **values)


def restart(rows: Any) -> None:
    """Have runs computed again from their data, without counting this attempt."""
    if _leave(rows, status=Status.QUEUED, attempts=F("attempts") - 1, heartbeat_at=None, **ClaimedRun.fresh):
        wake()


@transaction.atomic
def _leave(rows: Any, **values: Any) -> int:
    """Forget what runs prepared and their parts, and write `values`; returns how many there were."""
    keys = list(rows.select_for_update().values_list("pk", flat=True))
    AnalysisPart.objects.filter(run__in=keys).delete()
    return int(AnalysisRun.objects.filter(pk__in=keys).update(is_in_parts=False, preparation="", **values))


@transaction.atomic
def begin_anew_without(study_id: int, pseudonym: str) -> None:
    """Have runs that are split, and read data of a participant who is gone, computed again from the data as they are.

    One that is just being put together finds out by itself when it finishes.
    """
    begun = AnalysisRun.objects.filter(study_id=study_id, preparation__contains=pseudonym)
    _leave(begun.filter(status=Status.QUEUED), progress=0)
    restart(begun.filter(is_in_parts=True))


@transaction.atomic
def cancel(run: AnalysisRun) -> None:
    """Cancel a run that waits or is in parts at once; ask the worker of a running one to stop."""
    unfinished = AnalysisRun.objects.filter(pk=run.pk, status__in=(Status.QUEUED, Status.RUNNING))
    unfinished.update(cancel_requested=True)
    end(unfinished.exclude(status=Status.RUNNING, is_in_parts=False), Status.CANCELLED)

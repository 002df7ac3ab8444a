"""The life of a part of a run: waiting, claimed by any worker, computed, and with the last of them the run goes on.

A part is claimed like a run, by a conditional UPDATE, and `attempts` says whose claim it is. Parts are there as long as
their run is in parts; when it ends or begins anew they are deleted, and whoever computes one finds that out with the
next heartbeat.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Avg, Count, F, Min, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.methods import registry, splitting
from analysis.methods.declarations import Progress
from analysis.models import AnalysisPart, AnalysisRun
from analysis.runs import life as runs
from analysis.runs.claims import execute_here
from analysis.runs.code_version import code_version
from analysis.runs.outcomes import Outcome, failure_sentence, outcome_of

logger = logging.getLogger(__name__)
Status = AnalysisPart.Status


@dataclass(frozen=True)
class ClaimedPart:
    """A part that a worker holds (see `analysis.runs.claims`)."""

    run_id: int
    part_id: int
    attempt: int

    @property
    def name(self) -> str:
        return f"analysis-{self.run_id}-part-{self.part_id}"

    def compute(self, progress: Progress) -> Outcome:
        return outcome_of(lambda: self._computed(progress), name=f"Part {self.part_id} of analysis run {self.run_id}")

    def _computed(self, progress: Progress) -> Outcome:
        part = AnalysisPart.objects.select_related("run").get(pk=self.part_id)
        preparation = json.loads(part.run.preparation)
        if preparation["code_version"] != code_version(part.run.method):
            return {"kind": "outdated"}
        method = registry.method_named(part.run.method)
        result = splitting.compute(method, preparation, json.loads(part.description), progress)
        return {"kind": "computed", "result": json.dumps(result)}

    def beat(self, *, progress: float | None = None, note: str = "") -> bool:
        values: dict[str, Any] = {"heartbeat_at": timezone.now()}
        if progress is not None:
            values["progress"] = min(max(progress, 0.0), 1.0)
        if not self._held().update(**values):
            return False
        tell_progress(self.run_id, note)
        return True

    def conclude(self, outcome: Outcome) -> None:
        if outcome["kind"] == "computed":
            self._finish(outcome["result"])
        elif outcome["kind"] != "cancelled":
            self._stop_the_run(outcome)

    def give_back(self) -> None:
        self._held().update(status=Status.QUEUED, attempts=F("attempts") - 1, progress=0, heartbeat_at=None)

    def _finish(self, result: str) -> None:
        """Write the result down; with the last one the run waits for somebody to put all of them together."""
        with transaction.atomic():
            # Two workers that finish the last two parts at once do so one after the other.
            in_parts = AnalysisRun.objects.filter(pk=self.run_id, is_in_parts=True)
            if not list(in_parts.select_for_update().values_list("pk")):
                return
            if not self._held().update(status=Status.DONE, result=result, progress=1, heartbeat_at=None):
                return
            if AnalysisPart.objects.filter(run_id=self.run_id).exclude(status=Status.DONE).exists():
                return
            in_parts.update(status=AnalysisRun.Status.QUEUED, is_in_parts=False, attempts=F("attempts") - 1, progress=1)
            runs.announce(self.run_id)

    def _stop_the_run(self, outcome: Outcome) -> None:
        """Begin anew with the code as it is now, or fail: without one part there is no report."""
        with transaction.atomic():
            in_parts = AnalysisRun.objects.filter(pk=self.run_id, is_in_parts=True)
            if not list(in_parts.select_for_update().values_list("pk")) or not self._held().exists():
                return
            if outcome["kind"] == "outdated":
                runs.restart(self.run_id, None)
            else:
                runs.fail(self.run_id, None, failure_sentence(outcome), reference=outcome.get("reference", ""))

    def _held(self) -> Any:
        return AnalysisPart.objects.filter(pk=self.part_id, status=Status.RUNNING, attempts=self.attempt)


def claimed_next(run_id: int) -> ClaimedPart | None:
    """Take the next waiting part of a run, or return None where none is left."""
    waiting = AnalysisPart.objects.filter(run_id=run_id, status=Status.QUEUED).order_by("index")
    for part_id, attempts in list(waiting.values_list("pk", "attempts")):
        # Where somebody else was first, the one after it is tried.
        taken = AnalysisPart.objects.filter(pk=part_id, status=Status.QUEUED, attempts=attempts).update(
            status=Status.RUNNING, attempts=attempts + 1, heartbeat_at=timezone.now(), progress=0
        )
        if taken:
            return ClaimedPart(run_id, part_id, attempts + 1)
    return None


def execute_next(run_id: int) -> bool:
    """Claim and compute the next part of a run in this process. Returns False where no part was waiting."""
    part = claimed_next(run_id)
    if part is not None:
        execute_here(part, beat_seconds=runs.BEAT_SECONDS)
    return part is not None


def tell_progress(run_id: int, note: str = "") -> None:
    """Write down how far all parts of a run are together."""
    known = AnalysisPart.objects.filter(run_id=run_id).aggregate(
        share=Avg("progress"), parts=Count("pk"), done=Count("pk", filter=Q(status=Status.DONE))
    )
    if known["parts"]:
        text = _("%(done)d of %(parts)d parts done") % known
        AnalysisRun.objects.filter(pk=run_id, is_in_parts=True).update(
            progress=known["share"], progress_note=(f"{text}; {note}" if note else text)[:200]
        )


@dataclass(frozen=True)
class Waiting:
    """The waiting parts of one run: how many, and the key of the first."""

    run_id: int
    first: int
    number: int


def sweep() -> list[Waiting]:
    """Take care of parts that lost their worker, and return what waits for one."""
    return_to_queue(
        AnalysisPart.objects.filter(status=Status.RUNNING, heartbeat_at__lt=timezone.now() - runs.STALE_AFTER)
    )
    waiting = AnalysisPart.objects.filter(status=Status.QUEUED).values("run_id").order_by("run_id")
    return [
        Waiting(found["run_id"], found["first"], found["number"])
        for found in waiting.annotate(first=Min("pk"), number=Count("pk"))
    ]


def return_to_queue(lost: Any) -> None:
    """Queue parts again that lost their worker; fail the run of one that lost it too often."""
    for part in lost.defer("description", "result"):
        if part.attempts >= runs.MAX_ATTEMPTS:
            ClaimedPart(part.run_id, part.pk, part.attempts).conclude({"kind": "lost", "times": part.attempts})
            continue
        logger.warning("Part %s of analysis run %s lost its worker and is queued again", part.index, part.run_id)
        AnalysisPart.objects.filter(pk=part.pk, status=Status.RUNNING, attempts=part.attempts).update(
            status=Status.QUEUED, progress=0, heartbeat_at=None
        )

"""The life of a part of a run: waiting, claimed by any worker, computed; with the last of them the run goes on.

Parts are there as long as their run is in parts; when it ends or begins anew they are deleted, and whoever computes one
finds that out with the next heartbeat.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Avg, Count, F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.computing.of_run import part_computed
from analysis.computing.outcomes import Outcome, outcome_of
from analysis.methods.declarations import Progress
from analysis.models import AnalysisPart, AnalysisRun
from analysis.runs import life as runs
from analysis.runs.claims import Claim
from analysis.runs.waking import wake

Status = AnalysisPart.Status


class ClaimedPart(Claim):
    """A part of a run that a worker holds."""

    model = AnalysisPart
    # Runs take turns, so that one of a few parts does not stand behind all those of a long one.
    order = "index"
    fresh = {"progress": 0}

    def compute(self, progress: Progress) -> Outcome:
        return outcome_of(lambda: part_computed(self.pk, progress), name=self.name)

    def beat(self, *, progress: float = 0.0, note: str = "") -> bool:
        ours = self.held().update(heartbeat_at=timezone.now(), progress=min(max(progress, 0.0), 1.0))
        for run_id in self.held().values_list("run", flat=True):
            _tell_progress(run_id, note)
        return bool(ours)

    def conclude(self, outcome: Outcome) -> None:
        """Write the result down; with the last one the run waits for somebody to put all of them together.

        Where there is none, the run begins anew with the code as it is now, or fails: there is no report without it.
        """
        for run_id in self.held().values_list("run", flat=True):
            with transaction.atomic():
                run = runs.in_parts(run_id)
                # Two workers that finish the last two parts at once do so one after the other.
                if not list(run.select_for_update().values_list("pk")) or not self.held().exists():
                    return
                match outcome["kind"]:
                    case "computed":
                        self._finish(run_id, outcome["result"])
                    case "outdated":
                        runs.restart(run)
                    case "cancelled":
                        pass
                    case _:
                        runs.fail(run, outcome)

    def _finish(self, run_id: int, result: str) -> None:
        self.held().update(status=Status.DONE, result=result, progress=1, heartbeat_at=None)
        if AnalysisPart.objects.filter(run=run_id).exclude(status=Status.DONE).exists():
            return
        waits = {"status": AnalysisRun.Status.QUEUED, "is_in_parts": False, "attempts": F("attempts") - 1}
        runs.in_parts(run_id).update(progress=1, **waits)
        wake()


def _tell_progress(run_id: int, note: str) -> None:
    """Write down how far all parts of a run are together."""
    known = AnalysisPart.objects.filter(run=run_id).aggregate(
        share=Avg("progress"), parts=Count("pk"), done=Count("pk", filter=Q(status=Status.DONE))
    )
    if known["parts"]:
        text = _("%(done)d of %(parts)d parts done") % known
        runs.in_parts(run_id).update(progress=known["share"], progress_note=(f"{text}; {note}" if note else text)[:200])

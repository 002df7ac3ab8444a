"""Life cycle of a part of a run: waiting, claimed by any worker, computed; after the last part the run continues.

Parts are there as long as their run is in parts; when it ends or begins anew they are deleted, and whoever computes one
finds that out with the next heartbeat.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Avg, Count, F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.computing.of_run import part_computed
from analysis.computing.outcomes import Outcome
from analysis.models import AnalysisPart, AnalysisRun
from analysis.runs import life as runs
from analysis.runs.claims import Claim
from analysis.runs.waking import wake

Status = AnalysisPart.Status


class ClaimedPart(Claim):
    """A part of a run that a worker holds."""

    model = AnalysisPart
    computation = staticmethod(part_computed)
    # Runs take turns, so that one of a few parts does not stand behind all those of a long one.
    order = "index"
    fresh = {"progress": 0}

    def beat(self, *, progress: float = 0.0, note: str = "") -> bool:
        if ours := self.held().update(heartbeat_at=timezone.now(), progress=min(max(progress, 0.0), 1.0)):
            self._tell_progress(note)
        return bool(ours)

    def conclude(self, outcome: Outcome) -> None:
        """Write the result down; with the last one the run waits for somebody to put all of them together.

        Where there is none, the run begins anew with the code as it is now, or fails: there is no report without it.
        """
        run = self._run()
        with transaction.atomic():
            # Two workers that finish the last two parts at once do so one after the other.
            if not list(run.select_for_update().values_list("pk")) or not self.held().exists():
                return
            if outcome["kind"] == "computed":
                self.held().update(status=Status.DONE, result=outcome["result"], progress=1, heartbeat_at=None)
                if not AnalysisPart.objects.filter(run__in=run).exclude(status=Status.DONE).exists():
                    run.update(
                        status=AnalysisRun.Status.QUEUED, is_in_parts=False, progress=1, attempts=F("attempts") - 1
                    )
                    wake()
            elif outcome["kind"] == "outdated":
                runs.restart(run)
            elif outcome["kind"] != "cancelled":
                runs.fail(run, outcome)

    def _tell_progress(self, note: str) -> None:
        """Write down how far all parts of the run are together."""
        run = self._run()
        known = AnalysisPart.objects.filter(run__in=run).aggregate(
            share=Avg("progress"), parts=Count("pk"), done=Count("pk", filter=Q(status=Status.DONE))
        )
        text = _("%(done)d of %(parts)d parts done") % known
        run.update(progress=known["share"], progress_note=(f"{text}; {note}" if note else text)[:200])

    def _run(self) -> Any:
        """Return the run, as long as it is in parts and this part is held."""
        keys = list(self.held().values_list("run", flat=True))
        return AnalysisRun.objects.filter(pk__in=keys, status=AnalysisRun.Status.RUNNING, is_in_parts=True)

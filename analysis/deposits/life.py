"""A deposit as a job of the worker: claimed, carried on, put off for a while, or concluded."""

from __future__ import annotations

import shutil
from datetime import timedelta
from typing import Any, Self

from django.db.models import Q
from django.utils import timezone, translation

from analysis.computing.outcomes import Outcome, outcome_of
from analysis.deposits.filling import filled, folder_of
from analysis.methods.declarations import Progress
from analysis.models import Deposit
from analysis.runs.claims import Claim
from experiments.sentences import Sentence

Status = Deposit.Status
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=30), timedelta(hours=1)
# How many attempts in a row may bring nothing forward, over about seven hours.
MOST_FAILURES = 12


class ClaimedDeposit(Claim):
    """A deposit that a worker carries on."""

    model = Deposit

    @classmethod
    def waiting(cls) -> list[int]:
        due = Q(next_attempt_at=None) | Q(next_attempt_at__lte=timezone.now())
        return list(cls.rows().filter(due, status=Status.QUEUED).order_by("pk").values_list("pk", flat=True))

    def compute(self, progress: Progress) -> Outcome:
        # Sentences are stored in English, and pages translate them.
        with translation.override("en"):
            return outcome_of(lambda: filled(self.pk, self.attempt, progress), name=self.name)

    def beat(self, *, progress: float = 0.0, note: str = "") -> bool:
        """Say that it is alive; how far it is, the attempt writes itself, with what the archive has acknowledged."""
        return bool(self.held().update(heartbeat_at=timezone.now()))

    def conclude(self, outcome: Outcome) -> None:
        now = timezone.now()
        match outcome["kind"]:
            case "done":
                # The token has done its work.
                done = {"status": Status.DONE, "progress": 1, "progress_note": "", "error": "", "token_sealed": ""}
                self._end(finished_at=now, failures=0, **done)
            case "deleted":
                if self.held().delete()[0]:
                    shutil.rmtree(folder_of(self.pk), ignore_errors=True)
            case "later":
                self._put_off(str(outcome["error"]), outcome["seconds"])
            case "time" | "died" | "lost":
                # What was acknowledged stays; with nothing brought forward it fails in the end.
                self._put_off(Sentence("The upload was cut off."), None)
            case "cancelled":
                pass  # deleted, or begun again, since
            case "refused":
                self._fail(str(outcome["error"]))
            case _:
                reference = outcome.get("reference", outcome["kind"])
                self._fail(
                    Sentence(
                        "The upload ended with an unexpected error. The log of the server says why ({reference}).",
                        reference=reference,
                    )
                )

    def _put_off(self, reason: str, seconds: float | None) -> None:
        """Have it wait: twice as long every time, or for as long as the archive says; fail after too many times."""
        for failures in list(self.held().values_list("failures", flat=True)):
            if failures + 1 >= MOST_FAILURES:
                self._fail(
                    Sentence(
                        "{reason} {n} attempts in a row failed. What is uploaded stays; try again to go on.",
                        reason=reason,
                        n=MOST_FAILURES,
                    )
                )
                return
            wait = min(FIRST_WAIT * 2.0 ** min(failures, 10), LONGEST_WAIT)
            due = timezone.now() + max(wait, timedelta(seconds=seconds or 0))
            # How often it was lost does not count here: what brings nothing forward is counted.
            self.held().update(
                status=Status.QUEUED, attempts=0, heartbeat_at=None, failures=failures + 1,
                next_attempt_at=due, error=reason,
            )  # fmt: skip

    def _fail(self, reason: str) -> None:
        self._end(status=Status.FAILED, error=reason, finished_at=timezone.now())

    def _end(self, **values: Any) -> None:
        self.held().update(heartbeat_at=None, next_attempt_at=None, **values)
        if values["status"] == Status.DONE:
            shutil.rmtree(folder_of(self.pk), ignore_errors=True)

    @classmethod
    def claim(cls, pk: int) -> Self | None:
        claimed = super().claim(pk)
        if claimed is not None:
            claimed.held().update(error="", next_attempt_at=None)
        return claimed

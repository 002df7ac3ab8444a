"""Claim rows (runs, parts of runs, looks of sequential plans) for a worker; a row has at most one holder.

A row is claimed by a conditional UPDATE, so that it is computed once however often workers are woken up. `attempts`
says whose claim it is: a worker that was given up cannot write over the work of its successor. Who holds a row says
every second that it is alive. After a minute of silence another worker gets it; after MAX_ATTEMPTS it is given up.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Self

from django.utils import timezone

from analysis.computing.outcomes import Outcome, outcome_of
from analysis.methods.declarations import Progress

logger = logging.getLogger(__name__)

QUEUED, RUNNING = "queued", "running"
MAX_ATTEMPTS = 3
# A row whose worker has not been heard of for this long has lost its worker.
STALE_AFTER = timedelta(seconds=60)


@dataclass(frozen=True)
class Claim(ABC):
    """A row that a worker holds until it concludes it or gives it back, or until it is taken for lost."""

    pk: int
    attempt: int

    # Of the models: each has `status`, `attempts` and `heartbeat_at`; `fresh` is what else a waiting row says.
    model: ClassVar[Any]
    # A function (key, progress) → Outcome that computes a row; it reads the database and writes nothing.
    computation: ClassVar[Any]
    order: ClassVar[str] = "pk"
    fresh: ClassVar[dict[str, Any]] = {}

    def compute(self, progress: Progress) -> Outcome:
        """Compute it, in whatever process, and return what became of it."""
        return outcome_of(lambda: self.computation(self.pk, progress), name=self.name)

    @abstractmethod
    def conclude(self, outcome: Outcome) -> None:
        """Write down what became of it, unless it is no longer ours."""

    @property
    def name(self) -> str:
        """What it is called in logs and lists of processes."""
        return f"{self.model.__name__} {self.pk}"

    @classmethod
    def rows(cls) -> Any:
        """Return all rows that can be claimed or are held."""
        return cls.model.objects.all()

    @classmethod
    def waiting(cls) -> list[int]:
        """Return the keys of the rows that wait for a worker, in the order in which they are to be claimed."""
        return list(cls.rows().filter(status=QUEUED).order_by(cls.order, "pk").values_list("pk", flat=True))

    @classmethod
    def claim(cls, pk: int) -> Self | None:
        """Take a waiting row, or return None where somebody else was first."""
        free = cls.rows().filter(pk=pk, status=QUEUED)
        for attempts in list(free.values_list("attempts", flat=True)):
            held = {"status": RUNNING, "attempts": attempts + 1, "heartbeat_at": timezone.now()}
            if free.filter(attempts=attempts).update(**held):
                return cls(pk, attempts + 1)
        return None

    @classmethod
    def return_lost(cls, *, whoever_holds_them: bool = False) -> None:
        """Let go of rows whose worker is not heard of any more, or of all that are held."""
        lost = cls.rows().filter(status=RUNNING)
        if not whoever_holds_them:
            lost = lost.filter(heartbeat_at__lt=timezone.now() - STALE_AFTER)
        for claim in [cls(pk, attempts) for pk, attempts in lost.values_list("pk", "attempts")]:
            logger.warning("%s lost its worker", claim.name)
            claim.give_back(counts=True)

    def held(self) -> Any:
        """Return the row as long as this claim holds it."""
        return self.rows().filter(pk=self.pk, status=RUNNING, attempts=self.attempt)

    def beat(self, *, progress: float = 0.0, note: str = "") -> bool:
        """Say that it is alive and how far it is. Returns False where it was cancelled or is no longer ours."""
        return bool(self.held().update(heartbeat_at=timezone.now()))

    def give_back(self, *, counts: bool = False) -> None:
        """Give it back to be computed by somebody else. Where this attempt counts, too many of them conclude it."""
        attempts = self.attempt if counts else self.attempt - 1
        if attempts >= MAX_ATTEMPTS:
            self.conclude({"kind": "lost", "times": attempts})
        else:
            self.held().update(status=QUEUED, attempts=attempts, heartbeat_at=None, **self.fresh)

"""The Celery tasks: one computes whatever waits next, one looks after what nobody computes.

A task is a wake-up and nothing more: what there is to do stands in the database, where it is claimed.
"""

from __future__ import annotations

from celery import shared_task
from celery.signals import worker_shutting_down
from django.conf import settings

from analysis.runs import isolation
from analysis.runs.claims import Claim
from analysis.runs.life import ClaimedRun
from analysis.runs.looks import ClaimedLook
from analysis.runs.parts import ClaimedPart
from analysis.runs.waking import WORK
from analysis.sequential_plans.looks import begin_due

# In the order in which they are claimed: a short analysis does not stand behind all parts of a long one.
KINDS: tuple[type[Claim], ...] = (ClaimedRun, ClaimedLook, ClaimedPart)
# How many wake-ups a sweep sends, which the next sweep replaces: a queue of duplicates would only be in the way.
WAKE_UPS_AT_ONCE = 8


@shared_task(name=WORK)
def work() -> bool:
    """Claim what waits next and compute it; returns False where nothing was waiting, or the worker is to stop."""
    tried = (kind.claim(pk) for kind in KINDS for pk in kind.waiting())
    claimed = None if isolation.stopping.is_set() else next(filter(None, tried), None)
    if claimed is not None:
        isolation.compute_in_child(claimed)
    return claimed is not None


def look_after_rows() -> int:
    """Have what lost its worker wait again and begin looks that are due; returns how many rows wait."""
    for kind in KINDS:
        kind.return_lost()
    begin_due()
    return sum(len(kind.waiting()) for kind in KINDS)


@shared_task(name="analysis.sweep")
def sweep() -> int:
    """Look after rows and wake workers up for those that wait; returns how many wait."""
    waiting = look_after_rows()
    for _ in range(min(waiting, WAKE_UPS_AT_ONCE)):
        work.apply_async(expires=settings.SWEEP_SECONDS)
    return waiting


@worker_shutting_down.connect
def stop_analyses(**event: object) -> None:
    """Give running analyses back when the worker is asked to stop."""
    isolation.stopping.set()

"""Celery tasks: compute the next waiting job; sweep abandoned jobs.

A task is only a wake-up: jobs are stored in the database, where they are claimed.
"""

from __future__ import annotations

from celery.signals import worker_shutting_down
from django.conf import settings
from django.utils.module_loading import import_string

from analysis.runs import isolation, waiting
from analysis.runs.waking import WORK

app = import_string(settings.TASKS_APPLICATION)
# How many wake-ups a sweep sends, which the next sweep replaces: a queue of duplicates would only be in the way.
WAKE_UPS_AT_ONCE = 8


@app.task(name=WORK)
def work() -> bool:
    """Compute what waits next; returns False where nothing was waiting, or the worker is to stop."""
    return waiting.compute_next()


@app.task(name="analysis.sweep")
def sweep() -> int:
    """Look after rows and wake workers up for those that wait; returns how many wait."""
    rows = waiting.look_after_rows()
    for _ in range(min(rows, WAKE_UPS_AT_ONCE)):
        work.apply_async(expires=settings.SWEEP_SECONDS)
    return rows


@worker_shutting_down.connect
def stop_analyses(**event: object) -> None:
    """Give running analyses back when the worker is asked to stop."""
    isolation.stopping.set()

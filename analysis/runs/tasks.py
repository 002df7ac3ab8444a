"""The Celery tasks: one computes a run, one a part of a run, one makes a look of a sequential plan, and one looks after
what nobody computes.

A task is a wake-up and nothing more: what there is to do stands in the database, where it is claimed.
"""

from __future__ import annotations

from celery import shared_task
from celery.signals import worker_shutting_down
from django.conf import settings

from analysis.runs import computing, isolation, looks, parts, waking
from analysis.runs import life as runs

# How many wake-ups a sweep sends for the parts of one run: a queue of duplicates would only be in the way.
WAKE_UPS_AT_ONCE = 8


@shared_task(name=waking.RUN)
def run_analysis(run_id: int) -> bool:
    """Compute a run. Delivered twice it is computed once; returns False where there was nothing to do."""
    return isolation.execute_isolated(run_id) if settings.ANALYSIS_IN_CHILD else computing.execute(run_id)


@shared_task(name=waking.PART)
def compute_part(run_id: int) -> bool:
    """Compute the next part of a run; returns False where none was waiting.

    Runs that wait go first, so that a short analysis does not stand behind all parts of a long one.
    """
    for waiting in runs.waiting():
        run_analysis(waiting)
    if settings.ANALYSIS_IN_CHILD:
        return isolation.execute_part_isolated(run_id)
    return parts.execute_next(run_id)


@shared_task(name="analysis.look")
def make_look(look_id: int) -> bool:
    """Make a look of a sequential plan; returns False where it was made or somebody is at it."""
    return isolation.execute_look_isolated(look_id) if settings.ANALYSIS_IN_CHILD else looks.execute(look_id)


@shared_task(name="analysis.sweep")
def sweep() -> int:
    """Queue what was lost again and wake workers up for runs that wait and for parts; returns how many runs wait."""
    waiting = runs.sweep()
    for run_id in waiting:
        run_analysis.delay(run_id)
    for look_id in looks.sweep():
        make_look.delay(look_id)
    for of_run in parts.sweep():
        for _ in range(min(of_run.number, WAKE_UPS_AT_ONCE)):
            compute_part.delay(of_run.run_id)
    return len(waiting)


@worker_shutting_down.connect
def stop_analyses(**event: object) -> None:
    """Give running analyses back when the worker is asked to stop."""
    isolation.stopping.set()

"""The Celery tasks: one computes a run, whatever its method, the other looks after runs that nobody computes."""

from __future__ import annotations

import logging

from celery import shared_task
from celery.signals import worker_shutting_down
from django.conf import settings
from kombu.exceptions import OperationalError

from analysis import isolation, runs

logger = logging.getLogger(__name__)


@shared_task(name="analysis.run")
def run_analysis(run_id: int) -> bool:
    """Compute a run. Delivered twice it is computed once; returns False where there was nothing to do."""
    return isolation.execute_isolated(run_id) if settings.ANALYSIS_IN_CHILD else runs.execute(run_id)


@shared_task(name="analysis.sweep")
def sweep() -> int:
    """Queue lost runs again and wake workers up for those that wait; returns how many wait."""
    waiting = runs.sweep()
    for run_id in waiting:
        run_analysis.delay(run_id)
    return len(waiting)


def enqueue(run_id: int) -> None:
    """Wake a worker up for a run. Without a broker the run waits in the database until the sweeper finds it."""
    try:
        run_analysis.apply_async((run_id,), retry=False)
    except OperationalError:
        logger.warning("No message broker could be reached; analysis run %s waits for the sweeper", run_id)


@worker_shutting_down.connect
def stop_analyses(**event: object) -> None:
    """Give running analyses back when the worker is asked to stop."""
    isolation.stopping.set()

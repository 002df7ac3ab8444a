"""The embedded worker: a Celery worker with a broker in its own memory, and a sweeper that finds its work.

It belongs to the web server that started it and ends with it. There is one for each VAR_DIR: a lock sees to that.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from celery import current_app
from celery.platforms import SecurityWarning
from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection

from analysis.models import AnalysisPart, AnalysisRun, SequentialLook
from analysis.runs import isolation, looks, parts
from analysis.runs import life as runs
from analysis.runs.isolation import parent_has_died
from analysis.runs.tasks import compute_part, make_look, run_analysis
from experiments.file_locks import try_lock
from participants.erasure import upkeep
from participants.simulating.tasks import simulate_some
from participants.watching.simulations import waiting as simulations_waiting

logger = logging.getLogger(__name__)
SWEEP_SECONDS = 0.5
SEND_AGAIN_SECONDS = 15.0
TASKS = {"run": run_analysis, "part": compute_part, "look": make_look, "simulation": simulate_some}
# How often it is asked whether the people of a look of a sequential plan are there.
LOOKS_EVERY_SECONDS = 5.0


class AlreadyRunning(RuntimeError):
    """Another worker holds the lock."""


@contextmanager
def only_worker(path: Path) -> Iterator[None]:
    """Hold the lock at `path`; the operating system takes it back however the process ends.

    Raises AlreadyRunning where another process holds it.
    """
    with path.open("a+") as file:
        if not try_lock(file.fileno()):
            raise AlreadyRunning(f"Another worker is running; it holds {path}.")
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def serve(*, parent: int) -> None:
    """Work until SIGTERM, or until `parent`, the process that started this one, is gone.

    Raises AlreadyRunning where another worker is at work.
    """
    with only_worker(settings.VAR_DIR / "worker.lock"):
        # Nobody else can be at work, so whatever is marked as running lost its worker when that was stopped.
        runs.return_to_queue(AnalysisRun.objects.filter(status=AnalysisRun.Status.RUNNING))
        parts.return_to_queue(AnalysisPart.objects.filter(status=AnalysisPart.Status.RUNNING))
        looks.return_to_queue(SequentialLook.objects.filter(status=SequentialLook.Status.RUNNING))
        connection.close()
        sweeper = threading.Thread(target=_sweep_until_stopped, args=(parent,), name="sweeper", daemon=True)
        sweeper.start()
        # Celery warns against root because of pickled messages; this broker takes JSON and nobody else can reach it.
        warnings.filterwarnings("ignore", category=SecurityWarning)
        worker = current_app.Worker(
            pool="solo",
            hostname=f"embedded@{socket.gethostname()}",
            concurrency=1,
            loglevel=os.environ.get("LOG_LEVEL", "INFO").upper(),
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
            quiet=True,
        )
        worker.start()


def _sweep_until_stopped(parent: int) -> None:
    """Send the worker every waiting run and, of a run in parts, the next part; stop it when its parent is gone."""
    sent: dict[tuple[str, int], float] = {}
    looked_after = time.monotonic()
    looks_begun = -LOOKS_EVERY_SECONDS
    while not isolation.stopping.wait(SWEEP_SECONDS):
        if parent_has_died(parent):
            logger.info("The process that started this worker is gone; stopping")
            os.kill(os.getpid(), signal.SIGTERM)
            return
        try:
            if time.monotonic() - looked_after >= upkeep.EVERY_SECONDS:
                looked_after = time.monotonic()
                upkeep.look_after()
            if time.monotonic() - looks_begun >= LOOKS_EVERY_SECONDS:
                looks_begun = time.monotonic()
                looks.sweep()
            waiting = {("run", run_id): run_id for run_id in runs.sweep()}
            waiting |= {("look", look_id): look_id for look_id in looks.waiting()}
            # One part ahead of the one that is computed keeps the worker busy and lets a short analysis in between.
            waiting |= {("part", of_run.first): of_run.run_id for of_run in parts.sweep()}
            # Analyses that wait go first; simulated participants fill the time between them.
            if not waiting:
                waiting = {("simulation", pk): pk for pk in simulations_waiting()[:1]}
        except DatabaseError:
            logger.exception("The database could not be used; trying again")
            close_old_connections()
            continue
        # What was sent and still waits is in the worker's own queue behind another, or came back from there.
        sent = {key: at for key, at in sent.items() if key in waiting}
        for key, run_id in waiting.items():
            if time.monotonic() - sent.get(key, -SEND_AGAIN_SECONDS) >= SEND_AGAIN_SECONDS:
                sent[key] = time.monotonic()
                TASKS[key[0]].delay(run_id)

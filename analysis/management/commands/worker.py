"""`manage.py worker`: the embedded worker, which the web server starts by itself.

It looks into the database for what waits and computes it, belongs to the web server that started it and ends with it.
There is one for each VAR_DIR: a lock sees to that. It calls what the tasks of Celery's workers call where there is a
broker.
"""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import sys
import threading
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, close_old_connections, connection

from analysis.runs.isolation import stopping
from analysis.runs.waiting import KINDS, compute_next, look_after_rows
from experiments.file_locks import try_lock
from participants.erasure import upkeep
from participants.simulating.carrying_out import carry_out_some
from participants.watching.simulations import waiting as simulations_waiting

logger = logging.getLogger(__name__)
# How often it looks for something to do, and for rows to look after.
LOOK_SECONDS = 0.5
LOOK_AFTER_ROWS_SECONDS = 5.0


class Command(BaseCommand):
    help = "Compute queued analyses. The web server starts this worker itself unless CELERY_BROKER_URL is set."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--parent",
            type=int,
            default=os.getppid(),
            help="process with which the worker ends; by default the one that started it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMBEDDED_WORKER:
            raise CommandError("CELERY_BROKER_URL is set: start `celery --app config worker --beat` instead.")
        path = settings.VAR_DIR / "worker.lock"
        # The operating system takes the lock back however the process ends.
        with path.open("a+") as lock:
            if not try_lock(lock.fileno()):
                raise CommandError(f"Another worker is running; it holds {path}.")
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            for wanted in (signal.SIGTERM, signal.SIGINT):
                signal.signal(wanted, lambda *_event: stopping.set())
            # Nobody else can be at work, so whatever is marked as running lost its worker when that was stopped.
            for kind in KINDS:
                kind.return_lost(whoever_holds_them=True)
            threading.Thread(target=accompany, args=(options["parent"],), name="upkeep", daemon=True).start()
            work_until_stopped()


def work_until_stopped() -> None:
    """Compute what waits, one after the other; simulated participants fill the time in which no analysis waits."""
    looked_after = -LOOK_AFTER_ROWS_SECONDS
    while not stopping.is_set():
        try:
            if time.monotonic() - looked_after >= LOOK_AFTER_ROWS_SECONDS:
                looked_after = time.monotonic()
                look_after_rows()
            worked = compute_next() or any(carry_out_some(key) for key in simulations_waiting()[:1])
        except Exception:
            logger.exception("Something could not be done; trying again")
            close_old_connections()
            worked = False
        if not worked:
            stopping.wait(LOOK_SECONDS)


def accompany(parent: int) -> None:
    """Do the upkeep beside analyses, however long they take, and stop the worker when `parent` is gone."""
    looked_after = time.monotonic()
    while not stopping.wait(LOOK_SECONDS):
        if has_died(parent):
            logger.info("The process that started this worker is gone; stopping")
            stopping.set()
        elif time.monotonic() - looked_after >= upkeep.EVERY_SECONDS:
            looked_after = time.monotonic()
            try:
                upkeep.look_after()
            except DatabaseError:
                logger.exception("The database could not be used; trying again in a minute")
            finally:
                connection.close()


def has_died(parent: int) -> bool:
    """Say whether the process that started this one is gone."""
    if sys.platform == "win32":
        # There a process keeps the number of its parent when that is gone, so the system is asked for it.
        synchronize, still_running = 0x00100000, 0x102
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(synchronize, False, parent)
        state = kernel.WaitForSingleObject(handle, 0) if handle else None
        kernel.CloseHandle(handle)
        return bool(state != still_running)
    else:  # noqa: RET505 - so that a checker of types reads each branch for its own system
        return os.getppid() != parent

"""Run each analysis, or part of one, in a child process with limits on time and memory.

A computation can hang in compiled code, exhaust the memory or crash the interpreter. In a process of its own it takes
nothing with it: it can be cancelled at any moment, its limits are the operating system's, and the worker lives on to
say what happened. The child only reads the database and answers through a pipe; what becomes of the run is written by
the worker. Children are forked from a server process that has loaded pandas and SciPy already, so that starting one
takes hundredths of a second.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

from django.conf import settings

from analysis.computing.outcomes import Outcome
from analysis.runs.claims import Claim

logger = logging.getLogger(__name__)

# Set when the worker was asked to stop: what runs goes back to the queue.
stopping = threading.Event()
POLL_SECONDS = 0.5
# How often it is written down that a computation is alive and how far it is.
BEAT_SECONDS = 1.0

# Where nothing can be forked (Windows), every child loads what it needs, which takes some seconds.
_HAS_FORKSERVER = "forkserver" in multiprocessing.get_all_start_methods()
_context: Any = multiprocessing.get_context("forkserver" if _HAS_FORKSERVER else "spawn")
if _HAS_FORKSERVER:
    _context.set_forkserver_preload(["analysis.runs.child"])


def compute_in_child(claimed: Claim) -> None:
    """Compute what was claimed in a child process, and conclude it or give it back."""
    # Imported here because it sets Django up, which is too early while Django loads the tasks.
    from analysis.runs.child import compute_and_send

    connection, of_child = _context.Pipe()
    arguments = (claimed, of_child, settings.ANALYSIS_MEMORY_LIMIT)
    process = _context.Process(target=compute_and_send, args=arguments, name=claimed.name, daemon=False)
    process.start()
    of_child.close()
    try:
        outcome = _attended(claimed, process, connection)
    finally:
        process.kill()
        process.join()
        process.close()
        connection.close()
    if outcome is None:
        claimed.give_back()
    else:
        claimed.conclude(outcome)


def _attended(claimed: Claim, process: Any, connection: Connection) -> Outcome | None:
    """Pass on progress and heartbeats until there is an outcome, or until the worker is to stop: then there is none."""
    deadline = time.monotonic() + settings.ANALYSIS_TIME_LIMIT
    progress: dict[str, Any] = {}
    last_beat = time.monotonic()
    while not stopping.is_set():
        try:
            message = connection.recv() if connection.poll(POLL_SECONDS) else progress
        except (EOFError, OSError):
            process.join(timeout=10)
            logger.error("The process of %s ended with code %s", claimed.name, process.exitcode)
            return {"kind": "died", "exitcode": process.exitcode}
        if "kind" in message:
            return dict(message)
        progress = message
        if time.monotonic() > deadline:
            return {"kind": "time"}
        if time.monotonic() - last_beat >= BEAT_SECONDS:
            last_beat = time.monotonic()
            if not claimed.beat(**progress):
                return {"kind": "cancelled"}
    return None

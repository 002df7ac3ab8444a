"""Each analysis, or part of one, in a process of its own, with a limit on time and memory.

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

from analysis.runs import claims
from analysis.runs.claims import Claim

logger = logging.getLogger(__name__)

# Set when the worker was asked to stop: what runs goes back to the queue.
stopping = threading.Event()
POLL_SECONDS = 0.5

# Where nothing can be forked (Windows), every child loads what it needs, which takes some seconds.
_HAS_FORKSERVER = "forkserver" in multiprocessing.get_all_start_methods()
_context: Any = multiprocessing.get_context("forkserver" if _HAS_FORKSERVER else "spawn")
if _HAS_FORKSERVER:
    _context.set_forkserver_preload(["analysis.runs.child"])


def compute_in_child(claimed: Claim) -> None:
    """Compute what was claimed in a child process, and conclude it or give it back."""
    # Imported here because it sets Django up, which is too early while Django loads the tasks.
    from analysis.runs.child import compute_and_send

    receiver, sender = _context.Pipe(duplex=False)
    lifeline_end, lifeline = _context.Pipe(duplex=False)
    process = _context.Process(
        target=compute_and_send,
        args=(claimed, sender, lifeline_end, settings.ANALYSIS_MEMORY_LIMIT),
        name=claimed.name,
        daemon=False,
    )
    process.start()
    sender.close()
    lifeline_end.close()
    try:
        _attend(claimed, process, receiver)
    finally:
        if process.is_alive():
            process.kill()
        process.join()
        process.close()
        receiver.close()
        lifeline.close()


def _attend(claimed: Claim, process: Any, receiver: Connection) -> None:
    """Pass on progress and heartbeats until the child is done, has died, or has to be stopped."""
    deadline = time.monotonic() + settings.ANALYSIS_TIME_LIMIT
    progress: tuple[float, str] = (0.0, "")
    last_beat = time.monotonic()
    while True:
        message = _received(receiver)
        if message is _ENDED:
            process.join(timeout=10)
            logger.error("The process of %s ended with code %s", claimed.name, process.exitcode)
            claimed.conclude({"kind": "died", "exitcode": process.exitcode})
            return
        if isinstance(message, dict):
            claimed.conclude(message)
            return
        if message is not None:
            progress = message
        if stopping.is_set():
            process.kill()
            claimed.give_back()
            return
        if time.monotonic() > deadline:
            process.kill()
            claimed.conclude({"kind": "time"})
            return
        if time.monotonic() - last_beat >= claims.BEAT_SECONDS:
            last_beat = time.monotonic()
            if not claimed.beat(progress=progress[0], note=progress[1]):
                process.kill()
                claimed.conclude({"kind": "cancelled"})
                return


_ENDED = object()


def _received(receiver: Connection) -> Any:
    """Return what the child sent last, None where it sent nothing for a while, or _ENDED where it is gone."""
    try:
        return receiver.recv() if receiver.poll(POLL_SECONDS) else None
    except (EOFError, OSError):
        return _ENDED

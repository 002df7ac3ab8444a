"""Each analysis, or part of one, in a process of its own, with a limit on time and memory.

A computation can hang in compiled code, exhaust the memory or crash the interpreter. In a process of its own it takes
nothing with it: it can be cancelled at any moment, its limits are the operating system's, and the worker lives on to
say what happened. The child only reads the database and answers through a pipe; what becomes of the run is written by
the worker. Children are forked from a server process that has loaded pandas and SciPy already, so that starting one
takes hundredths of a second.
"""

from __future__ import annotations

import ctypes
import logging
import multiprocessing
import os
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from analysis.runs import computing, looks, parts
from analysis.runs import life as runs
from analysis.runs.claims import Claimed

logger = logging.getLogger(__name__)

# Set when the worker was asked to stop: what runs goes back to the queue.
stopping = threading.Event()
POLL_SECONDS = 0.5

# Where nothing can be forked (Windows), every child loads what it needs, which takes some seconds.
_HAS_FORKSERVER = "forkserver" in multiprocessing.get_all_start_methods()
_context: Any = multiprocessing.get_context("forkserver" if _HAS_FORKSERVER else "spawn")
if _HAS_FORKSERVER:
    _context.set_forkserver_preload(["analysis.runs.child"])


def execute_isolated(run_id: int) -> bool:
    """Claim a run and compute it in a child process. Returns False where there was nothing to claim."""
    return not stopping.is_set() and _in_child(computing.claimed(run_id))


def execute_part_isolated(run_id: int) -> bool:
    """Claim the next part of a run and compute it in a child process. Returns False where no part was waiting."""
    return not stopping.is_set() and _in_child(parts.claimed_next(run_id))


def execute_look_isolated(look_id: int) -> bool:
    """Claim a look of a sequential plan and make it in a child process. Returns False where there was none to claim."""
    return not stopping.is_set() and _in_child(looks.claimed(look_id))


def _in_child(claimed: Claimed | None) -> bool:
    if claimed is None:
        return False
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
    return True


def _attend(claimed: Claimed, process: Any, receiver: Connection) -> None:
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
        if time.monotonic() - last_beat >= runs.BEAT_SECONDS:
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


def limits_in_words() -> str:
    """Return the limits as a sentence for the pages."""
    return _("An analysis may take %(minutes)d minutes and %(megabytes)d MB of memory.") % {
        "minutes": round(settings.ANALYSIS_TIME_LIMIT / 60),
        "megabytes": settings.ANALYSIS_MEMORY_LIMIT,
    }


def parent_has_died(parent: int) -> bool:
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

"""Wake up workers from a separate thread, so that pages never wait for an unresponsive message broker.

A wake-up says that something waits and not what, and may be lost: the sweeper finds what waits within seconds. Without
a broker none is sent; the embedded worker looks by itself.
"""

from __future__ import annotations

import logging
import threading

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

logger = logging.getLogger(__name__)

# The name of the task; `analysis.runs.tasks` declares it under this.
WORK = "analysis.work"

_lock = threading.Lock()
_unsent = 0
_thread: threading.Thread | None = None


def wake(times: int = 1) -> None:
    """Send this many wake-ups to workers after the commit, when waiting jobs are visible."""
    if not settings.EMBEDDED_WORKER:
        transaction.on_commit(lambda: send_soon(times))


def send_soon(times: int) -> None:
    """Send this many wake-ups without waiting."""
    global _unsent, _thread
    if settings.CELERY_TASK_ALWAYS_EAGER:
        for _ in range(times):
            _send()
        return
    with _lock:
        _unsent += times
        if _thread is None:
            _thread = threading.Thread(target=_send_all, name="wake-ups", daemon=True)
            _thread.start()


def _send_all() -> None:
    from kombu.exceptions import OperationalError  # without a broker no process needs it

    global _unsent, _thread
    while True:
        with _lock:
            if not _unsent:
                _thread = None
                return
            _unsent -= 1
        try:
            _send()
        except (OperationalError, OSError):
            logger.warning("No message broker could be reached; what waits is left to the sweeper")
            with _lock:
                _unsent = 0  # the others would wait just as long and in vain


def _send() -> None:
    import_string(settings.TASKS_APPLICATION).signature(WORK).apply_async(retry=False)

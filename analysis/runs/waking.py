"""Wake-ups for workers, sent by a thread of their own: nobody's page waits for a message broker that does not answer.

A wake-up may be lost. What there is to do stands in the database, where the sweeper finds it within seconds.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable

from celery import current_app, group
from django.conf import settings
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

# The names of the tasks; `analysis.runs.tasks` declares them under these.
RUN = "analysis.run"
PART = "analysis.part"

_waiting: deque[tuple[str, Callable[[], object]]] = deque()
_lock = threading.Lock()
_thread: threading.Thread | None = None


def enqueue(run_id: int) -> None:
    """Wake a worker up for a run. Without a broker the run waits in the database until the sweeper finds it."""
    wake(f"analysis run {run_id} waits", lambda: current_app.signature(RUN, (run_id,)).apply_async(retry=False))


def enqueue_parts(run_id: int, number: int) -> None:
    """Wake workers up for the parts of a run, as many times as there are parts."""
    wake(
        f"parts of analysis run {run_id} wait",
        lambda: group(current_app.signature(PART, (run_id,)) for _ in range(number)).apply_async(retry=False),
    )


def wake(what: str, send: Callable[[], object]) -> None:
    """Have `send` called soon. `what` says for the log what waits for the sweeper where no broker can be reached."""
    global _thread
    if settings.CELERY_TASK_ALWAYS_EAGER:
        _try(what, send)
        return
    with _lock:
        _waiting.append((what, send))
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_send_all, name="wake-ups", daemon=True)
            _thread.start()


def _send_all() -> None:
    global _thread
    while True:
        with _lock:
            if not _waiting:
                _thread = None
                return
            what, send = _waiting.popleft()
        if not _try(what, send):
            # The others would wait just as long and in vain.
            with _lock:
                _waiting.clear()


def _try(what: str, send: Callable[[], object]) -> bool:
    try:
        send()
    except (OperationalError, OSError):
        logger.warning("No message broker could be reached; %s for the sweeper", what)
        return False
    return True

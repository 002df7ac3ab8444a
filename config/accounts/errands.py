"""Small errands after an answer, such as sending a letter, so that how long they take says nothing to who asked."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.db import connections

logger = logging.getLogger(__name__)
# Letters are few and limited by sender; a mail server that does not answer holds back this many and no more.
MOST_WAITING = 100
_waiting = threading.BoundedSemaphore(MOST_WAITING)
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="errands")


def later(errand: Callable[[], None]) -> None:
    """Do an errand in a thread of this process, one after the other; at once where tasks are done at once, as in tests.

    An errand that fails is logged; one that comes while too many wait is not done, which is logged as well.
    """
    if settings.CELERY_TASK_ALWAYS_EAGER:
        errand()
        return
    waiting = _waiting
    if not waiting.acquire(blocking=False):
        logger.error(
            "%d errands wait already; one was not done. Does the mail server of EMAIL_URL answer?", MOST_WAITING
        )
        return
    _thread.submit(_done, errand, waiting)


def _done(errand: Callable[[], None], waiting: threading.BoundedSemaphore) -> None:
    try:
        errand()
    except Exception:
        logger.exception("An errand failed")
    finally:
        waiting.release()
        connections.close_all()

"""The platform's WSGI application with points at which the whole server can be made to die. For drills alone.

`FAIL_POINT` names the point; the server dies there once for every file `FAIL_MARKER`, which it removes first.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()

from participants.api import session as api_session  # noqa: E402 - the application has to be set up first
from participants.intake import results as intake  # noqa: E402 - the application has to be set up first
from participants.prepared import insert_under_lock  # noqa: E402 - the application has to be set up first

FAIL_POINT = os.environ.get("FAIL_POINT", "")
MARKER = Path(os.environ.get("FAIL_MARKER", ""))

_store_entries, _verify = intake.store_entries, intake._verify


def die_at(point: str) -> None:
    """Kill this server: the worker and its master, which are a process group of their own."""
    if point == FAIL_POINT and MARKER.exists():
        MARKER.unlink()
        os.killpg(os.getpgrp(), signal.SIGKILL)


def store_entries(*args: Any, **options: Any) -> Any:
    """Store a batch, unless the server dies before or after."""
    die_at("parsed")
    receipt = _store_entries(*args, **options)
    die_at("committed")
    return receipt


def verify(batch: Any) -> None:
    """Read back what was written, then perhaps die before the commit."""
    _verify(batch)
    die_at("before-commit")


def insert(*arguments: Any, **options: Any) -> Any:
    """Store a single result by a statement that is its own transaction, or die before it is sent."""
    die_at("before-commit")
    return insert_under_lock(*arguments, **options)


if FAIL_POINT:
    vars(api_session).update(store_entries=store_entries)
    vars(intake).update(_verify=verify, insert_under_lock=insert)

"""Traces of what was erased in the files of an SQLite database: in its log, and between the rows of its pages.

The log is cleared at once, if nobody reads an older state. The database is written anew when nobody takes part, for
nothing can be stored meanwhile. Other databases have housekeeping of their own.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import DatabaseError, connection
from django.utils import timezone

from participants.models import Erasure, Session

logger = logging.getLogger(__name__)
QUIET = timedelta(minutes=10)


def clear_log() -> None:
    """Begin the log anew, at once after an erasure; where that cannot be, `clear` does it later."""
    if hasattr(connection, "begin_log_anew"):
        try:
            connection.begin_log_anew()
        except DatabaseError:
            # What was erased is erased; the one who asked for it must not read that something failed.
            logger.exception("The log of the database could not be begun anew; trying again later")


def clear(*, now: datetime | None = None) -> bool:
    """Clear log and database of traces where there are any; return whether none are left."""
    if not (hasattr(connection, "begin_log_anew") and hasattr(connection, "write_anew")):
        return True
    waiting = list(Erasure.objects.filter(traces_left=True).values_list("pk", flat=True))
    if not waiting:
        return True
    connection.begin_log_anew()
    if Session.objects.filter(last_seen_at__gt=(now or timezone.now()) - QUIET).exists() or not connection.write_anew():
        return False
    Erasure.objects.filter(pk__in=waiting).update(traces_left=False)
    return True

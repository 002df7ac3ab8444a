"""Remove traces of erased data from SQLite files: from the write-ahead log and from unused space in pages.

The log is cleared at once, unless a reader uses an older state. The database is compacted (`VACUUM`) when no session
has been active for ten minutes, because nothing can be stored meanwhile. Other databases do their own housekeeping.
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
    """Reset the log right after an erasure; if that is impossible, `clear` does it later."""
    if hasattr(connection, "begin_log_anew"):
        try:
            connection.begin_log_anew()
        except DatabaseError:
            # The data have been erased, so the request must not report a failure.
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

"""Count requests by sender and minute, shared by all processes of a machine.

The counts are in a small SQLite file without fsync: a count takes well below a tenth of a millisecond, and needs no
server. If counting fails, nothing is limited, so it is never a reason to refuse an answer. The file contains keyed
hashes, which are overwritten in the next minute. Each machine counts separately.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading

from django.conf import settings

WAIT_SECONDS = 0.25
_of_thread = threading.local()


def count(kind: str, sender: str, *, window: int) -> int:
    """Return how many times this sender has done this within the window, this time included; 0 where nobody knows."""
    try:
        connection = _connection()
        if getattr(_of_thread, "window", None) != window:
            connection.execute("DELETE FROM counts WHERE window < ?", (window,))
            _of_thread.window = window
        row = connection.execute(
            "INSERT INTO counts (window, kind, sender, number) VALUES (?, ?, ?, 1)"
            " ON CONFLICT (window, kind, sender) DO UPDATE SET number = number + 1 RETURNING number",
            (window, kind, sender),
        ).fetchone()
    except sqlite3.Error:
        # The file may be damaged, gone or on a full disk: the next request tries again with a new connection.
        forget_connection()
        return 0
    return int(row[0])


def clear() -> None:
    """Forget all counts."""
    with contextlib.suppress(sqlite3.Error):
        _connection().execute("DELETE FROM counts")


def forget_connection() -> None:
    """Close this thread's connection, if it has one."""
    connection = getattr(_of_thread, "connection", None)
    _of_thread.__dict__.clear()
    if connection is not None:
        with contextlib.suppress(sqlite3.Error):
            connection.close()


def _connection() -> sqlite3.Connection:
    # A connection must not be taken into a child process.
    if getattr(_of_thread, "process", None) != os.getpid() or _of_thread.path != settings.COUNTS_FILE:
        _of_thread.__dict__.clear()
        made = sqlite3.connect(settings.COUNTS_FILE, timeout=WAIT_SECONDS, isolation_level=None)
        for statement in (
            "PRAGMA journal_mode=MEMORY",
            "PRAGMA synchronous=OFF",
            "PRAGMA secure_delete=ON",
            "CREATE TABLE IF NOT EXISTS counts (window INTEGER, kind TEXT, sender TEXT, number INTEGER,"
            " PRIMARY KEY (window, kind, sender)) WITHOUT ROWID",
        ):
            made.execute(statement)
        _of_thread.connection, _of_thread.process, _of_thread.path = made, os.getpid(), settings.COUNTS_FILE
    connection: sqlite3.Connection = _of_thread.connection
    return connection

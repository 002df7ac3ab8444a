"""Count requests by sender and minute, and guesses by sender, shared by all processes of a machine.

The counts are in a small SQLite file without fsync: a count takes well below a tenth of a millisecond, and needs no
server. If counting fails, nothing is limited, so it is never a reason to refuse an answer. The file contains keyed
hashes, which are overwritten in the next minute; those of guesses after an hour. Each machine counts separately.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time

from django.conf import settings
from django.utils.crypto import salted_hmac

WAIT_SECONDS = 0.25
GUESSES_SECONDS = 3_600
_of_thread = threading.local()


def counted_as(text: str) -> str:
    """Return the keyed hash under which a sender or a guess is counted."""
    return salted_hmac("lectern.throttle", text, algorithm="sha256").hexdigest()[:32]


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


def guesses_of(kind: str, sender: str, what: str) -> tuple[int, float, bool]:
    """Return how many different guesses a sender made within the last hour, when the newest was made, and whether this
    one is among them; (0, 0, False) if counting fails.
    """
    try:
        number, newest, known = (
            _connection()
            .execute(
                "SELECT COUNT(*), COALESCE(MAX(made), 0), COALESCE(MAX(what = ?), 0) FROM guesses"
                " WHERE kind = ? AND sender = ? AND made > ?",
                (what, kind, sender, time.time() - GUESSES_SECONDS),
            )
            .fetchone()
        )
    except sqlite3.Error:
        forget_connection()
        return 0, 0.0, False
    return int(number), float(newest), bool(known)


def note_guess(kind: str, sender: str, what: str) -> None:
    """Note a guess for an hour; the same one again changes nothing."""
    now = time.time()
    try:
        connection = _connection()
        connection.execute("DELETE FROM guesses WHERE made <= ?", (now - GUESSES_SECONDS,))
        connection.execute("INSERT OR IGNORE INTO guesses VALUES (?, ?, ?, ?)", (kind, sender, what, now))
    except sqlite3.Error:
        forget_connection()


def clear() -> None:
    """Forget all counts."""
    with contextlib.suppress(sqlite3.Error):
        _connection().execute("DELETE FROM counts")
        _connection().execute("DELETE FROM guesses")


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
            "CREATE TABLE IF NOT EXISTS guesses (kind TEXT, sender TEXT, what TEXT, made REAL,"
            " PRIMARY KEY (kind, sender, what)) WITHOUT ROWID",
            "CREATE INDEX IF NOT EXISTS guesses_by_age ON guesses (made)",
        ):
            made.execute(statement)
        _of_thread.connection, _of_thread.process, _of_thread.path = made, os.getpid(), settings.COUNTS_FILE
    connection: sqlite3.Connection = _of_thread.connection
    return connection

"""Remove erased data from SQLite's files: reset the write-ahead log, compact the database (`VACUUM`).

SQLite writes changed pages to the log and copies them to the database later; what was erased stays in the log's file
until it is written over. A checkpoint that truncates the file (TRUNCATE) may race with a commit. Here the
checkpoint runs while this process holds the place of the writer, so that nobody, in any process, can commit; it is the
passive kind that every commit may start by itself. The next commit, which is ours, then begins the log at its start and
cuts the rest of the file off.

In the database `secure_delete` overwrites what is deleted. It does not reach the copies of rows that stay behind where
SQLite moves rows from page to page; only VACUUM leaves those out.
"""

from __future__ import annotations

import logging
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

logger = logging.getLogger(__name__)
SECONDS = 5.0
_HEADER_BYTES = 32
_FRAME_HEADER_BYTES = 24
# How many pages our own commit, which changes nothing, may write.
_OWN_FRAMES = 4


def begin_anew(database: Any, path: Path) -> bool:
    """Reset the log; return whether it now contains only our own commit. `database` is the SQLite module.

    False if another connection reads an older state or writes at this moment; this is harmless, and can be retried.
    """
    log = path.with_name(f"{path.name}-wal")
    with closing(_connect(database, path)) as ours, closing(_connect(database, path)) as holder:
        if ours.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            return True
        before = _salts(log)
        # The limit of the file's length applies to the connection that restarts the log.
        ours.execute("PRAGMA journal_size_limit=0")
        ours.execute("PRAGMA synchronous=FULL")
        version = ours.execute("PRAGMA user_version").fetchone()[0]
        page = ours.execute("PRAGMA page_size").fetchone()[0]
        try:
            holder.execute("BEGIN IMMEDIATE")
            try:
                is_busy, frames, copied = ours.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            finally:
                holder.execute("ROLLBACK")
            if is_busy or frames != copied:
                return False
            # Writes the first page as it is.
            ours.execute(f"PRAGMA user_version={int(version)}")
        except database.OperationalError:
            return False
        with suppress(FileNotFoundError):
            short = _HEADER_BYTES + _OWN_FRAMES * (_FRAME_HEADER_BYTES + page)
            return _salts(log) != before and log.stat().st_size <= short
    return True


def write_anew(database: Any, path: Path) -> bool:
    """Compact the database (`VACUUM`); return False if another connection writes or there is no space for a copy."""
    with closing(_connect(database, path)) as ours:
        try:
            ours.execute("PRAGMA synchronous=FULL")
            ours.execute("VACUUM")
        except database.OperationalError as reason:
            logger.warning("The database could not be written anew (%s); trying again later", reason)
            return False
    return True


def _connect(database: Any, path: Path) -> Any:
    return database.connect(str(path), timeout=SECONDS, isolation_level=None)


def _salts(log: Path) -> bytes:
    """Return the random numbers that the log was begun with."""
    with suppress(FileNotFoundError), log.open("rb") as file:
        return file.read(_HEADER_BYTES)[16:24]
    return b""

"""Django's SQLite backend with a fair queue of writers.

SQLite lets one connection write at a time. The others poll at intervals that grow up to a tenth of a second, in no
particular order; so among many writers some wait a second while others do not wait at all. Here the threads of a
process queue before they ask SQLite, and so do processes among each other. `timeout` bounds this waiting as it does
SQLite's own.

A turn lasts until a commit is through, and with it the checkpoint that SQLite may make after it. So no checkpoint ever
overlaps with a commit of another connection, in this process or another, whatever SQLite this is (see `library`).
Nothing here asks for a checkpoint: the last connection that is closed makes one, which SQLite does while it has the
whole database to itself.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from config.sqlite import checks as checks
from config.sqlite.log import begin_anew, write_anew
from config.sqlite.queue import SharedQueue

DEFAULT_TIMEOUT_SECONDS = 5.0
_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
_queues: dict[Path, SharedQueue] = {}
_finding = threading.Lock()


def queue_of(database: Path) -> SharedQueue:
    """Return the writers' queue of a database file, shared with other files in its folder."""
    folder = database.resolve().parent
    with _finding:
        if folder not in _queues:
            _queues[folder] = SharedQueue(folder)
        return _queues[folder]


def _forget_queues() -> None:
    """Reset the queues in a forked child, which has none of the threads that held them."""
    global _finding
    _finding = threading.Lock()
    while _queues:
        _queues.popitem()[1].close()


if hasattr(os, "register_at_fork"):  # Windows has no forks
    os.register_at_fork(after_in_child=_forget_queues)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose write transactions, and whose single writes outside of one, wait for their turn."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._held: SharedQueue | None = None
        self.execute_wrappers.append(self._write_in_turn)

    def begin_log_anew(self) -> bool:
        """Reset the write-ahead log, so that no erased data are left in it; return False if it has to be retried."""
        if self.is_in_memory_db():
            return True
        self._wait()
        try:
            return begin_anew(self.Database, Path(self.settings_dict["NAME"]))
        finally:
            self._leave()

    def write_anew(self) -> bool:
        """Compact the database (`VACUUM`), which drops leftover copies of moved rows, and reset the log.

        Nobody else writes meanwhile. Return False where it has to be tried again.
        """
        if self.is_in_memory_db():
            return True
        self._wait()
        try:
            path = Path(self.settings_dict["NAME"])
            return write_anew(self.Database, path) and begin_anew(self.Database, path)
        finally:
            self._leave()

    def _start_transaction_under_autocommit(self) -> None:
        self._wait()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._leave()
            raise

    def _set_autocommit(self, autocommit: bool) -> None:
        # Every transaction ends here, whether it was committed or not.
        try:
            super()._set_autocommit(autocommit)  # type: ignore[misc]
        finally:
            if autocommit:
                self._leave()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._leave()

    def _write_in_turn(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        """Run a statement; wait for the turn where it writes by itself, without a transaction around it."""
        if self._held is not None or self.in_atomic_block or not sql.startswith(_WRITES):
            return execute(sql, params, many, context)
        self._wait()
        try:
            return execute(sql, params, many, context)
        finally:
            self._leave()

    def _wait(self) -> None:
        if self._held is not None or self.is_in_memory_db():
            return
        queue = queue_of(Path(self.settings_dict["NAME"]))
        seconds = float(self.settings_dict["OPTIONS"].get("timeout", DEFAULT_TIMEOUT_SECONDS))
        if not queue.acquire(timeout=seconds):
            raise OperationalError("database is locked")
        self._held = queue

    def _leave(self) -> None:
        queue, self._held = self._held, None
        if queue is not None:
            queue.release()

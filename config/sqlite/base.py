"""Django's SQLite backend, with the writers of a process in a queue.

SQLite lets one connection write at a time. The others look again after pauses that grow up to a tenth of a second, and
whoever comes by at the right moment goes first; so among many writers some wait a second while others do not wait at
all. Here the threads of a process wait in line before they ask SQLite. Other processes, such as the embedded worker,
meet SQLite's own waiting, which `timeout` bounds as it does this one.
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from config.sqlite.log import begin_anew, write_anew
from config.sqlite.queue import Queue

DEFAULT_TIMEOUT_SECONDS = 5.0
_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
_queues: defaultdict[str, Queue] = defaultdict(Queue)
_finding = threading.Lock()
# A child process has none of the threads that held a queue when it was forked.
os.register_at_fork(after_in_child=_queues.clear)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose write transactions, and whose single writes outside of one, wait for their turn."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._held: Queue | None = None
        self.execute_wrappers.append(self._write_in_turn)

    def begin_log_anew(self) -> bool:
        """Leave nothing in the write-ahead log of what was erased; return False where it has to be tried again."""
        if self.is_in_memory_db():
            return True
        self._wait()
        try:
            return begin_anew(base.Database, Path(self.settings_dict["NAME"]))
        finally:
            self._leave()

    def write_anew(self) -> bool:
        """Write the database anew, without the copies of moved rows that lie between others, and begin the log anew.

        Nobody else writes meanwhile. Return False where it has to be tried again.
        """
        if self.is_in_memory_db():
            return True
        self._wait()
        try:
            path = Path(self.settings_dict["NAME"])
            return write_anew(base.Database, path) and begin_anew(base.Database, path)
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
        with _finding:
            queue = _queues[str(Path(self.settings_dict["NAME"]).resolve())]
        seconds = float(self.settings_dict["OPTIONS"].get("timeout", DEFAULT_TIMEOUT_SECONDS))
        if not queue.acquire(timeout=seconds):
            raise OperationalError("database is locked")
        self._held = queue

    def _leave(self) -> None:
        queue, self._held = self._held, None
        if queue is not None:
            queue.release()

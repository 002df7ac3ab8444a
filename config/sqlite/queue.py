"""A fair lock: threads get it in order of arrival, one process at a time."""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from pathlib import Path

from experiments.file_locks import openable, try_lock, unlock

_FIRST_PAUSE, _LONGEST_PAUSE = 0.0005, 0.01


class Queue:
    """First come, first served. Releasing hands it over directly, so that no later thread can overtake.

    >>> queue = Queue()
    >>> queue.acquire(timeout=0.1), queue.acquire(timeout=0.1)
    (True, False)
    >>> queue.release()
    >>> queue.acquire(timeout=0.1)
    True
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._turns: deque[threading.Lock] = deque()
        self._is_held = False

    def acquire(self, *, timeout: float) -> bool:
        """Wait for the turn; return False where it has not come within `timeout` seconds."""
        with self._guard:
            if not self._is_held:
                self._is_held = True
                return True
            turn = threading.Lock()
            turn.acquire()
            self._turns.append(turn)
        if turn.acquire(timeout=timeout):
            return True
        with self._guard:
            if turn not in self._turns:  # handed over at the last moment
                return True
            self._turns.remove(turn)
            return False

    def release(self) -> None:
        """Hand over to the thread that has waited longest. Raises RuntimeError if the lock is not held."""
        with self._guard:
            if not self._is_held:
                raise RuntimeError("A queue that nobody holds cannot be released.")
            if self._turns:
                self._turns.popleft().release()
            else:
                self._is_held = False


class SharedQueue:
    """The queue of the threads of a process, and before its first one the other processes that name the same folder.

    The lock is on the folder itself where such locks exist (`experiments.file_locks`). The operating system takes it
    back however a process ends. Among processes there is no order: they look again after short pauses, since a lock
    that is waited for without an end could not be given up.
    """

    def __init__(self, folder: Path) -> None:
        self._threads = Queue()
        self._folder = openable(folder)

    def acquire(self, *, timeout: float) -> bool:
        """Wait for the turn; return False where it has not come within `timeout` seconds."""
        deadline = time.monotonic() + timeout
        if not self._threads.acquire(timeout=timeout):
            return False
        try:
            if self._lock_folder(deadline):
                return True
        except BaseException:
            self._threads.release()
            raise
        self._threads.release()
        return False

    def release(self) -> None:
        """Let the next one have it. Raises RuntimeError where nobody holds it."""
        unlock(self._folder)
        self._threads.release()

    def close(self) -> None:
        """Close the folder, in a process that was forked and has none of the threads that waited."""
        os.close(self._folder)

    def _lock_folder(self, deadline: float) -> bool:
        pause = _FIRST_PAUSE
        while not try_lock(self._folder):
            if time.monotonic() >= deadline:
                return False
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        return True

"""A lock that is given to those who wait for it in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque


class Queue:
    """First come, first served. Whoever releases it hands it over; nobody who comes later can slip in between.

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
        """Hand over to whoever has waited longest. Raises RuntimeError where nobody holds it."""
        with self._guard:
            if not self._is_held:
                raise RuntimeError("A queue that nobody holds cannot be released.")
            if self._turns:
                self._turns.popleft().release()
            else:
                self._is_held = False

"""gunicorn's threaded worker, changed to wait for clients to close answered connections without blocking."""

from __future__ import annotations

import socket
import time
from collections import deque
from concurrent.futures import Future
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

CLOSING_SECONDS = 2.0
AT_ONCE = 65536


class Worker(ThreadWorker):  # type: ignore[misc]
    """Close an answered connection once its client has, or after two seconds, without blocking other clients.

    Closing a connection with unread data from the client resets it, and the end of the response may be lost (RFC 9112,
    section 9.6). gunicorn 27 waits for the client in the only loop that accepts connections and dispatches requests, so
    that a client that keeps its end open, or is slow, blocks all others for that time.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.closing: deque[Any] = deque()

    def finish_request(self, connection: Any, future: Future[Any]) -> None:
        """Say that the answer has ended and come back to the connection when its client says something."""
        if future.cancelled() or future.exception() is not None or future.result():
            super().finish_request(connection, future)
            return
        try:
            connection.sock.shutdown(socket.SHUT_WR)
            connection.sock.setblocking(False)
        except OSError:  # it is closed already
            self._close(connection)
            return
        connection.timeout = time.monotonic() + CLOSING_SECONDS
        self.closing.append(connection)
        self.poller.register(connection.sock, EVENT_READ, partial(self._read_to_the_end, connection))

    def murder_pending(self) -> None:
        """Close connections that have waited long enough; gunicorn calls this about once a second."""
        super().murder_pending()
        while self.closing and self.closing[0].timeout <= time.monotonic():
            self._stop_waiting(self.closing[0])

    def _read_to_the_end(self, connection: Any, client: socket.socket) -> None:
        try:
            said = client.recv(AT_ONCE)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        if not said:
            self._stop_waiting(connection)

    def _stop_waiting(self, connection: Any) -> None:
        self.closing.remove(connection)
        self.poller.unregister(connection.sock)
        self._close(connection)

    def _close(self, connection: Any) -> None:
        self.nr_conns -= 1
        connection.close()

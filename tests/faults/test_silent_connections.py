"""Connections that say nothing yet, or that their client does not close after the answer, keep nobody else waiting."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
import requests

from tests import needs
from tests.faults.remote import WITH_THE_EMBEDDED_DEFAULT, Server

pytestmark = [
    pytest.mark.slow,
    WITH_THE_EMBEDDED_DEFAULT,
    pytest.mark.xdist_group("load"),
    needs.held_connections,
]
THREADS = 2
SILENT = 8
# gunicorn lets a silent connection hold a thread for five seconds: 8 of them on 2 threads are twenty. For one that its
# client leaves open it waits two seconds, one after the other: 20 of them are forty.
LEFT_OPEN = 20
GENEROUS_SECONDS = 12
LAST_REQUEST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    folder = tmp_path_factory.mktemp("connections")
    server = Server(
        folder,
        config="config/gunicorn.py",
        WEB_THREADS=str(THREADS),
        VAR_DIR=str(folder),
        DATABASE_URL=f"sqlite:///{folder / 'lectern.sqlite3'}",
        # No embedded worker beside it; nothing here asks for an analysis.
        CELERY_BROKER_URL="redis://127.0.0.1:1/0",
        DJANGO_SETTINGS_MODULE="config.settings",
        DEBUG="true",
    )
    try:
        server.start()
        yield server.port
    finally:
        server.stop()


@pytest.fixture
def connect(port: int) -> Iterator[Callable[[int], list[socket.socket]]]:
    """Open so many connections, which close with the test."""
    with ExitStack() as opened:
        yield lambda number: [
            opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=GENEROUS_SECONDS))
            for _ in range(number)
        ]


def answers(port: int) -> bool:
    return requests.get(f"http://127.0.0.1:{port}/healthz", timeout=GENEROUS_SECONDS).status_code == 200


def ask(connection: socket.socket) -> bytes:
    """Ask for the last time on this connection and return what came until the server ended its side."""
    connection.sendall(LAST_REQUEST)
    return b"".join(iter(lambda: connection.recv(4096), b""))


def write_until_refused(connection: socket.socket, end: float) -> None:
    while time.monotonic() < end:
        connection.sendall(b"still there?")
        time.sleep(0.2)


def test_silent_connections_keep_nobody_waiting(port: int, connect: Callable[[int], list[socket.socket]]) -> None:
    silent = connect(SILENT)
    assert answers(port)
    assert all(ask(connection).startswith(b"HTTP/1.1 200") for connection in silent)


def test_connections_left_open_after_their_answer_keep_nobody_waiting(
    port: int, connect: Callable[[int], list[socket.socket]]
) -> None:
    begin = time.monotonic()
    assert all(ask(connection).startswith(b"HTTP/1.1 200") for connection in connect(LEFT_OPEN))
    assert answers(port)
    assert time.monotonic() - begin < GENEROUS_SECONDS


def test_a_connection_left_open_is_closed_by_the_server(
    port: int, connect: Callable[[int], list[socket.socket]]
) -> None:
    (left_open,) = connect(1)
    assert b'"ok"' in ask(left_open)
    end = time.monotonic() + GENEROUS_SECONDS
    with pytest.raises(ConnectionError):
        write_until_refused(left_open, end)


def test_what_a_client_still_says_does_not_cost_it_the_answer(
    port: int, connect: Callable[[int], list[socket.socket]]
) -> None:
    (talkative,) = connect(1)
    talkative.sendall(LAST_REQUEST + b"and more that nobody reads" * 1000)
    assert b'"ok"' in b"".join(iter(lambda: talkative.recv(4096), b""))
    assert answers(port)

"""Browsers open connections in advance that say nothing; nobody else waits for them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.faults.remote import Server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("load"),
    pytest.mark.skipif(not hasattr(socket, "TCP_DEFER_ACCEPT"), reason="the operating system cannot hold them back"),
]
THREADS = 2
SILENT = 8
# gunicorn lets a silent connection hold a thread for five seconds: 8 of them on 2 threads are twenty.
GENEROUS_SECONDS = 12


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    server = Server(
        tmp_path,
        config="config/gunicorn.py",
        WEB_THREADS=str(THREADS),
        VAR_DIR=str(tmp_path),
        DATABASE_URL=f"sqlite:///{tmp_path / 'lectern.sqlite3'}",
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


def test_silent_connections_keep_nobody_waiting(port: int) -> None:
    silent = [socket.create_connection(("127.0.0.1", port), timeout=5) for _ in range(SILENT)]
    try:
        answer = requests.get(f"http://127.0.0.1:{port}/healthz", timeout=GENEROUS_SECONDS)
        assert answer.status_code == 200
        for connection in silent:
            connection.settimeout(GENEROUS_SECONDS)
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert all(connection.recv(12) == b"HTTP/1.1 200" for connection in silent)
    finally:
        for connection in silent:
            connection.close()

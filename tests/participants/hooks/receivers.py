"""Receivers of hooks for tests: that of docs/hooks.md, and the same behind a network that fails half of the time."""

from __future__ import annotations

import random
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "hooks.md"


def of_the_document() -> dict[str, Any]:
    """Return the names that the Python code of the document defines: `is_genuine`, `store`, `Receiver`."""
    names: dict[str, Any] = {"__name__": "receiver"}
    for block in re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, names)
    return names


class Received:
    """What arrived, in order, as (headers, body), and the address to send to."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.requests: list[tuple[dict[str, str], bytes]] = []


@contextmanager
def receiving(handler: type[BaseHTTPRequestHandler]) -> Iterator[Received]:
    """Let a handler answer on a free port of this machine."""

    class Kept(handler):  # type: ignore[misc, valid-type]
        def log_message(self, *_given: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Kept)
    server.daemon_threads = True
    received = Received(f"http://127.0.0.1:{server.server_address[1]}/in?from=lectern")
    server.received = received  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield received
    finally:
        server.shutdown()
        server.server_close()


def answering(*statuses: int, body: bytes = b"", headers: dict[str, str] | None = None) -> Any:
    """Return a handler that keeps what arrives and answers with these statuses, the last one from then on."""
    left = list(statuses)

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            said = self.rfile.read(int(self.headers["Content-Length"]))
            self.server.received.requests.append((dict(self.headers), said))  # type: ignore[attr-defined]
            self.send_response(left.pop(0) if len(left) > 1 else left[0])
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    return Answering


def failing_half_of_the_time(secret: str, database: Path, *, seed: int) -> Any:
    """Return the document's receiver behind a network that loses the request, or the answer after the commit."""
    receiver: Any = of_the_document()["Receiver"]
    rng = random.Random(seed)

    class Failing(receiver):  # type: ignore[misc]
        def do_POST(self) -> None:  # noqa: N802 - the name is given
            how = rng.choice(["well"] * 4 + ["lost", "error", "answer lost", "error afterwards"])
            if how == "lost":
                self.close_connection = True
                return
            if how == "error":
                self.send_error(503)
                return
            if how in ("answer lost", "error afterwards"):
                # Committed; the sender cannot know.
                self.send_response = lambda *_given: None
                self.end_headers = lambda: None
            super().do_POST()
            if how == "error afterwards":
                self.wfile.write(b"HTTP/1.0 500 Internal Server Error\r\n\r\n")
            self.close_connection = True

    Failing.secret, Failing.database = secret, str(database)
    return Failing


def stored(database: Path) -> list[tuple[str, str, str]]:
    """Return the rows of the document's receiver, (id, kind, body), in the order in which they were stored."""
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT id, kind, body FROM events ORDER BY rowid").fetchall()

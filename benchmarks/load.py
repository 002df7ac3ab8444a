"""Generate the load of many participants from one thread, so that it hardly uses the cores being measured.

A person is a generator: it yields requests, each with the moment when it is due, and is sent the answers. Every person
has one keep-alive connection. A response time counts from the moment when the request was due, so that a server that
keeps people waiting cannot make their later requests look punctual.
"""

from __future__ import annotations

import heapq
import json
import re
import selectors
import socket
import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

RECEIVED_AT_ONCE = 262_144
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_COOKIE = re.compile(rb"\r\nset-cookie: *([^;\r]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Request:
    """What somebody sends, under which name its time is kept, and when: seconds since the start, or at once."""

    name: str
    raw: bytes
    due: float | None = None


@dataclass(frozen=True)
class Answer:
    """What came back."""

    cookie: str
    body: bytes


Person = Generator[Request, Answer, None]


def request(name: str, path: str, body: Any, *, cookie: str = "", due: float | None = None) -> Request:
    """Return a POST of JSON, encoded."""
    content = json.dumps(body, separators=(",", ":")).encode()
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
    ]
    if cookie:
        lines.append(f"Cookie: {cookie}")
    return Request(name=name, raw="\r\n".join([*lines, "", ""]).encode() + content, due=due)


@dataclass
class _Connection:
    person: Person
    request: Request
    socket: socket.socket = field(default_factory=socket.socket)
    is_connected: bool = False
    counts_from: float = 0.0
    received: bytearray = field(default_factory=bytearray)


@dataclass(frozen=True)
class Times:
    """Name of a request → response times in seconds, in the order of the answers; and how long all of it took."""

    of: dict[str, list[float]]
    elapsed: float


def run(people: Iterable[Person], port: int) -> Times:
    """Let all of them do what they do.

    Raises RuntimeError where the server refuses something or closes a connection.
    """
    seconds: dict[str, list[float]] = defaultdict(list)
    selector = selectors.DefaultSelector()
    waiting: list[tuple[float, int, _Connection]] = []
    for number, person in enumerate(people):
        first = next(person)
        heapq.heappush(waiting, (first.due or 0.0, number, _Connection(person, first)))
    numbers = len(waiting)
    begun = time.perf_counter()
    in_flight = 0
    while waiting or in_flight:
        now = time.perf_counter() - begun
        while waiting and waiting[0][0] <= now:
            _, _, connection = heapq.heappop(waiting)
            connection.counts_from = now if connection.request.due is None else connection.request.due
            _send(connection, port)
            selector.register(connection.socket, selectors.EVENT_READ, connection)
            in_flight += 1
        for key, _ in selector.select(max(0.0, waiting[0][0] - now) if waiting else None):
            connection = key.data
            answer = _read(connection)
            if answer is None:
                continue
            selector.unregister(connection.socket)
            in_flight -= 1
            now = time.perf_counter() - begun
            seconds[connection.request.name].append(now - connection.counts_from)
            try:
                connection.request = connection.person.send(answer)
            except StopIteration:
                connection.socket.close()
                continue
            numbers += 1
            due = now if connection.request.due is None else connection.request.due
            heapq.heappush(waiting, (due, numbers, connection))
    return Times(of=dict(seconds), elapsed=time.perf_counter() - begun)


def _send(connection: _Connection, port: int) -> None:
    """Send the request; the connection is made with the first one, as a browser does."""
    if not connection.is_connected:
        connection.socket.settimeout(60)
        connection.socket.connect(("127.0.0.1", port))
        connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.is_connected = True
    connection.socket.sendall(connection.request.raw)


def _read(connection: _Connection) -> Answer | None:
    """Return the answer once all of it is there."""
    piece = connection.socket.recv(RECEIVED_AT_ONCE)
    if not piece:
        raise RuntimeError(f"The server closed the connection instead of answering '{connection.request.name}'.")
    received = connection.received
    received += piece
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = bytes(received[:end])
    length = _LENGTH.search(head)
    size = int(length[1]) if length else 0
    if len(received) < end + 4 + size:
        return None
    body = bytes(received[end + 4 :])
    received.clear()
    if head.split(maxsplit=2)[1] not in {b"200", b"201"}:
        raise RuntimeError(f"'{connection.request.name}' was answered with {head[:40]!r}: {body[:300]!r}")
    cookie = _COOKIE.search(head)
    return Answer(cookie=cookie[1].decode() if cookie else "", body=body)

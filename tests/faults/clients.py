"""Clients that send results as fast as they are taken and keep a journal of what was acknowledged, for long drills.

They cost the machine little: one kept connection each, bodies made by joining text. Where no answer comes they send the
same again, as a browser's outbox does.
"""

from __future__ import annotations

import http.client
import json
import random
import time
import uuid
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Event, Lock
from typing import Any

from participants.authentication import cookie_name
from participants.sealing import digest
from tests.participants.studies import REQUIRED, result_for

PAUSE = 0.05


class Journal:
    """What was acknowledged: hash of the start key, position and hash, in a file outside the platform."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results = self.requests = 0
        self._file = path.open("w", encoding="ascii")
        self._lock = Lock()

    def write(self, key: str, outcomes: Iterable[dict[str, Any]]) -> None:
        """Note what a request was answered with."""
        lines = [f"{key} {outcome['sequence']} {outcome['hash']}\n" for outcome in outcomes]
        with self._lock:
            self._file.write("".join(lines))
            self._file.flush()
            self.results += len(lines)
            self.requests += 1

    def close(self) -> None:
        self._file.close()

    def compare(self, stored: Iterable[tuple[str, int, str]]) -> tuple[int, int, int, int]:
        """Return how many results were acknowledged and, of them, are lost, stored otherwise, and stored twice."""
        acknowledged: dict[tuple[str, int], str] = {}
        with self.path.open(encoding="ascii") as lines:
            for line in lines:
                key, place, hashed = line.split()
                acknowledged[key, int(place)] = hashed
        number, different, twice = len(acknowledged), 0, 0
        seen: set[tuple[str, int]] = set()
        for key, position, hashed in stored:
            at = (key, position)
            twice += at in seen
            seen.add(at)
            known = acknowledged.pop(at, None)
            different += known is not None and known != hashed
        return number, len(acknowledged), different, twice


class Client:
    """Takes part again and again, each time as somebody new, until it is over; sends after every `pause` seconds."""

    def __init__(
        self,
        port: int,
        slug: str,
        journal: Journal,
        over: Event,
        *,
        seed: int,
        batches: Sequence[int],
        pause: float = 0.0,
    ) -> None:
        self.port, self.slug, self.journal, self.over, self.batches = port, slug, journal, over, batches
        self.pause = pause
        self.rng = random.Random(f"client {seed}")
        self.connection: http.client.HTTPConnection | None = None
        self.cookie = ""
        self.error = ""

    def run(self) -> None:
        try:
            while not self.over.is_set():
                self.take_part()
        except Exception as error:  # noqa: BLE001 - whatever ended this client is reported
            self.error = repr(error)

    def take_part(self) -> None:
        """Start, open, and send the results of every trial."""
        key = str(uuid.UUID(int=self.rng.getrandbits(128)))
        self.cookie = ""
        consent = {"version": 1, "required": [True] * len(REQUIRED)}
        if self.post("sessions/", {"start_key": key, "consent": consent}) is None:
            return
        opened = self.post("session/open/", {"tab": "tab"})
        if opened is None:
            return
        entries = [result_for(trial, number=self.rng.randint(1, 99)) for trial in opened["trials"]]
        sent = turn = 0
        while sent < len(entries) and not self.over.is_set():
            size = self.batches[turn % len(self.batches)]
            receipt = self.post("session/results/", {"tab": "tab", "entries": entries[sent : sent + size]})
            if receipt is None:
                return
            self.journal.write(digest(key), receipt["results"])
            sent, turn = sent + size, turn + 1
            time.sleep(self.pause)

    def post(self, path: str, body: Any) -> Any:
        """Send until there is an answer and return it; None where it is over before."""
        content = json.dumps(body).encode()
        while not self.over.is_set():
            answer = self._try(path, content)
            if answer is not None and answer[0] in {200, 201}:
                return json.loads(answer[1])
            if answer is not None and answer[0] != 503:
                raise AssertionError(f"{path} was answered with {answer[0]}: {answer[1][:300]!r}")
            time.sleep(self.rng.uniform(PAUSE / 2, PAUSE))
        return None

    def _try(self, path: str, content: bytes) -> tuple[int, bytes] | None:
        if self.connection is None:
            self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Content-Type": "application/json", "Cookie": self.cookie}
        try:
            self.connection.request("POST", f"/api/studies/{self.slug}/{path}", content, headers)
            answer = self.connection.getresponse()
            read = answer.read()
        except (http.client.HTTPException, OSError):
            # No answer, or one that broke off: whether it was stored is not known, and sending it again finds out.
            self.connection.close()
            self.connection = None
            return None
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            if cookie.startswith(cookie_name(self.slug) + "="):
                self.cookie = cookie.partition(";")[0]
        return answer.status, read

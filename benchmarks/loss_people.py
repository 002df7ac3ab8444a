"""People who take part over HTTP, as three kinds of page let them: Lectern's, and jsPsych's with a POST at the end or
after every trial.

Everybody means to answer every trial, and comes back on the same computer after the page was killed. What the page of
Lectern keeps on the disk then is still there; what the others keep in memory is not, and they begin again.
"""

from __future__ import annotations

import http.client
import json
import random
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from participants.sealing import digest
from tests.participants.studies import REQUIRED, result_for

PAUSE = 0.05
ACCEPTED = {200, 201}
AGAIN = {429, 503}


class PageKilled(Exception):
    """The page has gone in the middle of something."""


@dataclass
class Tally:
    """What people of one kind did: names of answers, and the hash under which Lectern acknowledged each."""

    sessions: int = 0
    planned: int = 0
    answered: set[str] = field(default_factory=set)
    acknowledged: dict[str, str] = field(default_factory=dict)
    unfinished: int = 0
    faults: Counter[str] = field(default_factory=Counter)


class Page:
    """What all pages share: a way to the server, and the moment at which they are killed, if they are."""

    def __init__(self, port: int, tally: Tally, *, trials: int, killed: bool, seed: str) -> None:
        self.port, self.tally, self.trials = port, tally, trials
        self.rng = random.Random(seed)
        self.person = str(uuid.UUID(int=self.rng.getrandbits(128)))
        # At this trial the page is killed once: before the answer is sent, or before it is known to have arrived.
        self.killed_at = self.rng.randrange(trials) if killed else -1
        self.before_sending = self.rng.random() < 0.5
        self.cookie = ""
        tally.sessions += 1
        tally.planned += trials

    def run(self) -> None:
        """Visit again until the page is no longer killed."""
        while True:
            try:
                return self.visit()
            except PageKilled:
                continue

    def visit(self) -> None:
        """One visit. Raises PageKilled where the page is killed."""
        raise NotImplementedError

    def post(self, path: str, body: Any) -> tuple[int, bytes]:
        """Send once; status 0 where no answer came."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            headers = {"Content-Type": "application/json", "Cookie": self.cookie}
            connection.request("POST", path, json.dumps(body), headers)
            answer = connection.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie") or []:
                if cookie.startswith("lectern_"):
                    self.cookie = cookie.partition(";")[0]
            return answer.status, answer.read()
        except (http.client.HTTPException, OSError):
            return 0, b""
        finally:
            connection.close()

    def is_killed(self, position: int, *, before_sending: bool) -> bool:
        """Return whether the page is killed at this point; it is killed once."""
        if position != self.killed_at or before_sending != self.before_sending:
            return False
        self.killed_at = -1
        return True


class LecternPage(Page):
    """Writes an answer to its outbox first, sends until it is acknowledged, and takes a session up where it was."""

    def __init__(self, *arguments: Any, slug: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.slug = slug
        # What a browser keeps on the disk: it outlives the page.
        self.outbox: dict[int, dict[str, Any]] = {}

    def visit(self) -> None:
        """One visit: from the landing page until everything has arrived or the page is killed."""
        consent = {"version": 1, "required": [True] * len(REQUIRED)}
        self.persistently("sessions/", {"start_key": self.person, "consent": consent})
        opened = self.persistently("session/open/", {"tab": self.person})
        for position in sorted(self.outbox):
            self.deliver(position)
        done = {*opened["answered"], *self.known()}
        for trial in opened["trials"]:
            position = trial["position"]
            if position in done:
                continue
            self.tally.answered.add(f"{digest(self.person)} {position}")
            self.outbox[position] = result_for(trial, number=self.rng.randint(1, 99))
            if self.is_killed(position, before_sending=True):
                raise PageKilled
            if self.is_killed(position, before_sending=False):
                body = {"tab": self.person, "entries": [self.outbox[position]]}
                self.post(f"/api/studies/{self.slug}/session/results/", body)  # nobody is left to read the answer
                raise PageKilled
            self.deliver(position)
        if not self.persistently("session/complete/", {})["complete"]:
            self.tally.unfinished += 1

    def known(self) -> set[int]:
        """Return the positions whose answers were acknowledged."""
        return {at for at in range(self.trials) if f"{digest(self.person)} {at}" in self.tally.acknowledged}

    def deliver(self, position: int) -> None:
        receipt = self.persistently("session/results/", {"tab": self.person, "entries": [self.outbox[position]]})
        (outcome,) = receipt["results"]
        self.tally.acknowledged[f"{digest(self.person)} {position}"] = outcome["hash"]
        del self.outbox[position]

    def persistently(self, path: str, body: Any) -> Any:
        """Send until there is an answer that more sending would not change."""
        while True:
            status, content = self.post(f"/api/studies/{self.slug}/{path}", body)
            if status in ACCEPTED:
                return json.loads(content)
            if status and status not in AGAIN:
                raise AssertionError(f"{path} was answered with {status}: {content[:300]!r}")
            self.tally.faults["sent again"] += 1
            time.sleep(self.rng.uniform(PAUSE / 2, PAUSE))


class PlainPage(Page):
    """What tutorials show: answers are kept in memory and posted once, all at the end or each after its trial."""

    def __init__(self, *arguments: Any, at_the_end: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.at_the_end = at_the_end
        self.visits = 0

    def visit(self) -> None:
        """One visit: whoever comes back begins with the first trial."""
        self.visits += 1
        data: list[dict[str, Any]] = []
        for position in range(self.trials):
            name = f"{self.person} {self.visits} {position}"
            answer = {"id": name, "number": self.rng.randint(1, 99)}
            self.tally.answered.add(name)
            data.append(answer)
            if self.is_killed(position, before_sending=True):
                raise PageKilled
            if not self.at_the_end:
                self.save([answer])
            if self.is_killed(position, before_sending=False):
                raise PageKilled
        if self.at_the_end:
            self.save(data)

    def save(self, answers: list[dict[str, Any]]) -> None:
        status, _ = self.post("/save", answers)
        if status in ACCEPTED:
            self.tally.acknowledged |= {answer["id"]: "" for answer in answers}

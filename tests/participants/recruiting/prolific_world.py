"""Prolific as its public documents describe it, in memory: what it does, what it pays, and how its answers get lost.

`World.answer` is the service itself; `Network.asked` takes the place of `participants.hooks.reaching.asked` and loses
requests and answers by a schedule of faults. `serving` lets the same world answer over HTTP.
"""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from participants.hooks import reaching

TOKEN = "prolific-token-0123456789"
STUDY = "64395e9c2332b8a59a65d51e"
BASE = "https://api.prolific.example/api/v1/"
# Bonuses and screen-outs are made in the following minutes.
LATEST = timedelta(minutes=30)


class Killed(BaseException):
    """The process is killed here."""


@dataclass
class Submission:
    id: str
    person: str
    status: str = "AWAITING REVIEW"
    reward_paid: int = 0
    bonuses: list[tuple[datetime, int]] = field(default_factory=list)
    screened_at: datetime | None = None
    screen_outs: list[int] = field(default_factory=list)
    return_asked: int = 0
    rejected: int = 0


class World:
    """The service, with one account and one study that can be made."""

    def __init__(self, rng: random.Random | None = None, *, people: int = 0, status: str = "AWAITING REVIEW") -> None:
        self.rng = rng or random.Random(0)
        self.now = datetime(2026, 3, 2, 9, tzinfo=UTC)
        self.page = 100
        # The documents do not say whether they are shown there.
        self.screen_outs_are_bonuses = self.rng.random() < 0.5
        self.studies: dict[str, dict[str, Any]] = {}
        self.bulks: dict[str, list[tuple[str, int]]] = {}
        self.pays = Counter[str]()
        self.submissions: dict[str, Submission] = {}
        self.requests: list[tuple[str, str]] = []
        for number in range(people):
            self.join(number, status)

    def join(self, number: int, status: str = "AWAITING REVIEW") -> Submission:
        one = Submission(f"sub{number:021d}", f"5f{number:022d}", status)
        self.submissions[one.id] = one
        return one

    def paid_bonus(self, submission: str) -> int:
        """Return what was and will be paid as a bonus: its payments may still be on their way."""
        return sum(amount for _at, amount in self.submissions[submission].bonuses)

    def answer(self, method: str, path: str, query: dict[str, str], body: Any, token: str) -> tuple[int, Any]:
        self.requests.append((method, path))
        if token != f"Token {TOKEN}":
            return 401, {"error": {"detail": "Invalid token."}}
        match method, path.strip("/").split("/"):
            case "GET", ["users", "me"]:
                return 200, {"id": "r1", "name": "Laboratory"}
            case "GET", ["studies"]:
                return self.listed(list(self.studies.values()), query)
            case "POST", ["studies"]:
                return self.made(body)
            case "GET", ["studies", study]:
                return (200, self.studies[study]) if study in self.studies else (404, {})
            case "PATCH", ["studies", study]:
                return self.places(study, body)
            case "POST", ["studies", study, "transition"]:
                return self.moved(study, body)
            case "GET", ["studies", _study, "submissions"]:
                return self.listed([self.shown(one) for one in self.submissions.values()], query)
            case "POST", ["studies", _study, "screen-out-submissions"]:
                return self.screened(body)
            case "POST", ["submissions", "bonus-payments"]:
                return self.set_up(body)
            case "POST", ["bulk-bonus-payments", bulk, "pay"]:
                return self.paid(bulk)
            case "POST", ["submissions", one, "transition"]:
                return self.decided(one, body)
            case "POST", ["submissions", one, "request-return"]:
                self.submissions[one].return_asked += 1
                return 200, {"id": one}
        return 404, {"error": {"detail": "Not found."}}

    def listed(self, entries: list[Any], query: dict[str, str]) -> tuple[int, Any]:
        offset, limit = int(query.get("offset", 0)), min(int(query.get("limit", self.page)), self.page)
        if offset and offset >= len(entries):
            return 404, {"error": {"detail": "Invalid page."}}
        further = offset + limit < len(entries)
        following = {"href": f"{BASE}?offset={offset + limit}" if further else None, "title": "Next"}
        return 200, {"results": entries[offset : offset + limit], "_links": {"next": following}}

    def made(self, body: Any) -> tuple[int, Any]:
        codes = body.get("completion_codes") or []
        if not body.get("name") or not codes or any(not code.get("actions") for code in codes):
            return 400, {"error": {"detail": "Specify at least one completion code."}}
        study = {"id": f"{len(self.studies):024d}", "status": "UNPUBLISHED", "currency_code": "GBP", **body}
        self.studies[study["id"]] = study
        return 201, study

    def places(self, study: str, body: Any) -> tuple[int, Any]:
        one = self.studies[study]
        if one["status"] == "ACTIVE" and body["total_available_places"] < one["total_available_places"]:
            return 400, {"error": {"detail": "Places can only be increased."}}
        one["total_available_places"] = body["total_available_places"]
        return 200, one

    def moved(self, study: str, body: Any) -> tuple[int, Any]:
        one, action = self.studies[study], body.get("action")
        allowed = {"PUBLISH": ("UNPUBLISHED", "ACTIVE"), "PAUSE": ("ACTIVE", "PAUSED"), "START": ("PAUSED", "ACTIVE")}
        if action not in allowed or one["status"] != allowed[action][0]:
            return 400, {"error": {"detail": "This transition is not possible."}}
        one["status"] = allowed[action][1]
        return 200, one

    def shown(self, one: Submission) -> dict[str, Any]:
        is_screened = one.screened_at is not None and one.screened_at <= self.now
        visible = [amount for at, amount in one.bonuses if at <= self.now]
        if is_screened and self.screen_outs_are_bonuses:
            visible += one.screen_outs
        return {
            "id": one.id,
            "participant_id": one.person,
            "status": "SCREENED OUT" if is_screened else one.status,
            "started_at": "2026-03-02T08:00:00Z",
            "completed_at": None,
            "bonus_payments": visible,
            "return_requested": "2026-03-02T08:00:00Z" if one.return_asked else None,
            "study_code": "C1",
        }

    def soon(self) -> datetime:
        return self.now + LATEST * self.rng.random()

    def screened(self, body: Any) -> tuple[int, Any]:
        for key in body["submission_ids"]:
            one = self.submissions[key]
            if one.status not in ("ACTIVE", "AWAITING REVIEW") or (one.screened_at and one.screened_at <= self.now):
                return 400, {"error": {"detail": "This submission cannot be screened out."}}
            # Asked twice before the first is made, it is paid twice.
            one.screen_outs.append(round(body["bonus_per_submission"] * 100))
            one.screened_at = one.screened_at or self.soon()
        return 200, {"message": "The request is being processed."}

    def set_up(self, body: Any) -> tuple[int, Any]:
        lines = [line.split(",") for line in body["csv_bonuses"].splitlines()]
        unknown = [one for one, _amount in lines if one not in self.submissions]
        if unknown:
            return 400, {"error": {"detail": {"csv_bonuses": unknown}}}
        assert len(lines) <= 200
        bulk = f"bulk-{len(self.bulks)}"
        self.bulks[bulk] = [(one, round(float(amount) * 100)) for one, amount in lines]
        amount = sum(amount for _one, amount in self.bulks[bulk])
        return 201, {"id": bulk, "study": body["study_id"], "amount": amount, "fees": 1, "total_amount": amount + 1}

    def paid(self, bulk: str) -> tuple[int, Any]:
        if bulk not in self.bulks:
            return 404, {"error": {"detail": "Not found."}}
        self.pays[bulk] += 1
        # Not idempotent: asked twice, paid twice.
        for one, amount in self.bulks[bulk]:
            self.submissions[one].bonuses.append((self.soon(), amount))
        return 202, None

    def decided(self, key: str, body: Any) -> tuple[int, Any]:
        one, action = self.submissions[key], body.get("action")
        if action == "REJECT" and (len(body.get("message", "")) < 100 or not body.get("rejection_category")):
            return 400, {"error": {"detail": "The message must be at least 100 characters long."}}
        target = {"APPROVE": "APPROVED", "REJECT": "REJECTED"}.get(action, "")
        if one.status == target:
            return 200, self.shown(one)
        if not target or one.status != "AWAITING REVIEW" or one.screened_at:
            return 400, {"error": {"detail": "This transition is not possible."}}
        one.status = target
        one.reward_paid += action == "APPROVE"
        one.rejected += action == "REJECT"
        return 200, self.shown(one)


FAULTS = (
    "not connected", "lost", "error before", "error after", "answer lost", "busy", "garbled", "refused", "kill before",
    "kill after", "sleep",
)  # fmt: skip


class Network:
    """What stands between. `faults` is how many of a hundred requests go wrong; `asleep` runs while a worker sleeps."""

    def __init__(self, world: World, rng: random.Random, *, faults: int = 0) -> None:
        self.world, self.rng, self.faults = world, rng, faults
        self.asleep: Callable[[], None] = lambda: None

    def asked(self, method: str, text: str, body: bytes, headers: Any, *, private: bool, most_bytes: int = 0) -> Any:
        how = self.rng.choice(FAULTS) if self.rng.randrange(100) < self.faults else "well"
        if how == "not connected":
            raise reaching.NotConnected("refused")
        if how == "lost":
            raise reaching.Unreachable("no answer")
        if how == "kill before":
            raise Killed
        if how == "busy":
            return reaching.Answer(429, "{}")
        if how == "error before":
            return reaching.Answer(503, "busy")
        if how == "refused" and method == "POST":
            return reaching.Answer(400, '{"error": {"detail": "Not enough money."}}')
        if how == "sleep":
            self.asleep()
        address = urlsplit(text)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        path = address.path.removeprefix("/api/v1")
        given = json.loads(body) if body else None
        status, said = self.world.answer(method, path, query, given, headers.get("Authorization", ""))
        if how == "kill after":
            raise Killed
        if how == "answer lost":
            raise reaching.Unreachable("no answer")
        if how == "error after":
            return reaching.Answer(500, "oops")
        return reaching.Answer(status, '{"id"' if how == "garbled" else json.dumps(said))


@contextmanager
def serving(world: World) -> Iterator[str]:
    """Let a world answer on a free port of this machine; yields the address of the API."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_given: object) -> None:
            return

        def answer(self) -> None:
            address = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(address.query).items()}
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = address.path.removeprefix("/api/v1")
            given = json.loads(content) if content else None
            status, said = world.answer(self.command, path, query, given, self.headers.get("Authorization", ""))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(said).encode())

        do_GET = do_POST = do_PATCH = answer  # noqa: N815 - the names are given

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/api/v1/"
    finally:
        server.shutdown()
        server.server_close()

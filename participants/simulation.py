"""Run simulated participants through the real HTTP API; their data are marked as simulated.

Their answers depend on the seed, their number, and the items and conditions they see; network faults (batches sent
twice or out of order) and drop-outs depend on the same seed. Item and condition, which no browser ever learns, are
looked up in the database. They give answers with which the screening rules of the study let them go on, where there are
such answers.
"""

from __future__ import annotations

import random
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Thread
from typing import Any

import requests
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.utils.translation import gettext as _

from experiments.languages import PARAMETER
from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm, VirtualParticipant
from experiments.paradigms.pieces.shared_pages import BREAK_FEEDBACK
from experiments.procedure.sequence import before_assignment
from experiments.questionnaire.planned import answers_given
from experiments.questionnaire.simulated import simulated_times
from experiments.rules.screening import Attempts, passing, screening_outcome
from participants.authentication import cookie_name
from participants.codes import simulation_key
from participants.limits.throttling import SIMULATION_HEADER
from participants.models import Session, Trial
from participants.session.rows import with_parts
from participants.session.screening import rules_of

BATCH = 40
SENT_TWICE = 0.1
OUT_OF_ORDER = 0.1
_SECONDS = 60
_PAUSE_MS = 400.0
_REDRAWN = 200


class SimulationFailure(RuntimeError):
    """The platform did not answer as a participant's browser needs it to. The message says which request."""


@dataclass
class Summary:
    """What a simulation did."""

    finished: int = 0
    dropped_out: int = 0
    sent_away: int = 0
    results: int = 0
    requests: int = 0
    pseudonyms: list[str] = field(default_factory=list)


def simulate(
    study: Study,
    *,
    participants: int,
    seed: int,
    dropout: float = 0.0,
    base_url: str = "",
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Summary:
    """Let virtual participants take part and return what they did.

    `dropout` is the share who stop at a random trial. Without `base_url` the platform is served on a free port of this
    machine meanwhile, so that it is real HTTP all the same. Numbers go on where earlier simulations of the study
    stopped. Raises SimulationFailure where the platform refuses, for example because the study is not open.
    """
    summary = Summary()
    first = numbers_from(study)
    with served() if not base_url else _given(base_url) as address:
        for done, number in enumerate(range(first, first + participants), start=1):
            visitor = VirtualVisitor(study, number=number, seed=seed, base_url=address, summary=summary)
            visitor.take_part(drops_out=visitor.network.random() < dropout)
            progress(done, participants)
    return summary


def numbers_from(study: Study) -> int:
    """Return the number of the next virtual participant: earlier simulations of the study are gone on with."""
    return Session.objects.filter(study=study, is_simulated=True).count() + 1


@contextmanager
def _given(base_url: str) -> Iterator[str]:
    yield base_url.rstrip("/")


class _SilentHandler(WSGIRequestHandler):
    # Head and body of an answer are small and must not wait for each other.
    disable_nagle_algorithm = True

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        """Say nothing: a thousand requests would hide what the command says."""


@contextmanager
def served() -> Iterator[str]:
    """Serve the platform on a free port of this machine and yield the address."""
    server = ThreadedWSGIServer(("127.0.0.1", 0), _SilentHandler, connections_override={})
    server.set_app(WSGIHandler())
    thread = Thread(target=server.serve_forever, name="simulation-server", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class VirtualVisitor:
    """One virtual participant and the browser in front of it."""

    def __init__(self, study: Study, *, number: int, seed: int, base_url: str, summary: Summary) -> None:
        self.study, self.number, self.seed, self.summary = study, number, seed, summary
        name = f"{study.slug} {seed} {number}"
        # Two random generators, so that answers do not depend on network faults.
        self.network = random.Random(f"network {name}")  # noqa: S311
        # By task name: a simulated person with individual habits for each; the first one also answers pages and
        # questions.
        self.minds: dict[str, tuple[Paradigm, VirtualParticipant]] = {}
        for number_of_task, task in enumerate(study.tasks):
            paradigm = paradigm_named(task.paradigm)
            rng = random.Random(f"answers {name} {task.name}" if number_of_task else f"answers {name}")  # noqa: S311
            mind = paradigm.virtual_participant(rng, paradigm.complete_settings(task.settings))
            self.minds[task.name] = paradigm, mind
        # The questionnaires whose answers can end a session; virtual participants are people for whom the study is.
        self.screening = {part.name: part for part in before_assignment(with_parts(study)) if rules_of(part)}
        self.clock_ms = 0.0
        # How many of the entries were sent before the rest, since practice may come again or not by what they hold.
        self.arrived = 0
        self.address = f"{base_url}/api/studies/{study.slug}/"
        # People of all languages of the study, as often as each other.
        self.language = study.all_languages[number % len(study.all_languages)]
        self.tab = f"simulation-{number}"
        self.http = requests.Session()
        self.http.trust_env = False
        self.http.headers.update(_headers(study, base_url))

    def take_part(self, *, drops_out: bool) -> None:
        """Start, answer and finish; or stop at a random trial."""
        pseudonym = self.start()
        self.summary.pseudonyms.append(pseudonym)
        opened = self.post("session/open/", {"tab": self.tab, "client": {"simulation": self.identity}}, {200})
        entries, more = self.answers(opened["trials"], self.seen(pseudonym)), opened["more"]
        while more:
            self.send(entries[self.arrived :])
            self.arrived = 0
            went_on = self.post("session/advance/", {}, {200})
            if went_on["outcome"]:
                self.summary.sent_away += 1
                self.http.close()
                return
            if went_on["missing"]:
                raise SimulationFailure(f"Participant {self.number} cannot go on: {went_on['missing']} are missing.")
            entries, more = self.answers(went_on["trials"], self.seen(pseudonym)), went_on["more"]
        if drops_out:
            entries = entries[: self.network.randrange(len(entries) or 1)]
        self.send(entries[self.arrived :])
        self.http.close()
        if drops_out:
            self.summary.dropped_out += 1
            return
        self.finish(entries)
        self.summary.finished += 1

    @property
    def identity(self) -> dict[str, int]:
        return {"seed": self.seed, "participant": self.number}

    def start(self) -> str:
        """Agree to everything and start; return the pseudonym."""
        asked = f"?{PARAMETER}={self.language}"
        facts = self.get(asked)
        consent = facts["consent"]
        started = self.post(
            f"sessions/{asked}",
            {
                "start_key": str(uuid.uuid4()),
                "consent": {
                    "version": consent["version"],
                    "required": [True] * len(consent["required"]),
                    "optional": dict.fromkeys(consent["optional"], True),
                },
                "client": {"simulation": self.identity},
                "simulated": True,
            },
            {200, 201},
        )
        return str(started["session"])

    def seen(self, pseudonym: str) -> dict[int, tuple[str, Mapping[str, str], Mapping[str, Any]]]:
        """Return item, levels and the private part of every trial by position; no item where it shows no stimulus.

        A person knows from the text which answer is right; a simulated one has to be told.
        """
        rows = Trial.objects.filter(session__study=self.study, session__participant__pseudonym=pseudonym).values_list(
            "position", "stimulus__item__code", "stimulus__condition__levels", "private"
        )
        return {position: (item or "", levels or {}, private) for position, item, levels, private in rows}

    def answers(
        self, trials: Sequence[Mapping[str, Any]], seen: Mapping[int, tuple[str, Mapping[str, str], Mapping[str, Any]]]
    ) -> list[dict[str, Any]]:
        """Return the result entries of all trials, in order, on one simulated clock."""
        answered: dict[str, list[tuple[str, Mapping[str, Any]]]] = defaultdict(list)
        first = next(iter(self.minds.values()))
        entries: list[dict[str, Any]] = []
        left_out: set[int] = set()
        for trial in trials:
            if trial["position"] in left_out:
                continue
            if trial["plugin"] == BREAK_FEEDBACK and trial["params"].get("practice"):
                # Whether practice comes again depends on what the server has.
                self.send(entries[self.arrived :])
                self.arrived = len(entries)
                asked = {"position": trial["position"], "problem": 0, "answer": 0}
                left_out |= set(self.post("session/check/", asked, {200})["skips"])
            item, levels, private = seen.get(trial["position"], ("", {}, {}))
            paradigm, mind = self.minds.get(trial["part"], first)
            payload = self.eligible(
                trial,
                partial(
                    mind.respond,
                    trial["plugin"],
                    {**trial["params"], **private},
                    levels=levels,
                    item=item,
                    carried=paradigm.carried(answered[trial["part"]]),
                ),
            )
            rt_ms = mind.response_ms(trial["plugin"], payload)
            answered[trial["part"]].append((trial["plugin"], payload))
            entries.append(
                {
                    "kind": "result",
                    "sequence": trial["position"],
                    "payload": payload,
                    "rt_ms": rt_ms,
                    "onset_ms": round(self.clock_ms, 1),
                    "clock": "none",
                    "interrupted": False,
                    "attempts": 1,
                    "focus_losses": 0,
                    "event_batches": 0,
                }
            )
            self.clock_ms += rt_ms + _PAUSE_MS
        return entries

    def eligible(self, trial: Mapping[str, Any], respond: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return what `respond` answers, asked again until the answers screen nobody out, then changed if need be."""
        payload = respond()
        part = self.screening.get(trial["part"])
        if part is None or "answers" not in payload:
            return payload
        questions, rules = part.questions, rules_of(part)
        attempts = Attempts(1, int(trial["params"].get("attempts", 1)))
        for _time in range(_REDRAWN):
            if screening_outcome(questions, answers_given(payload), rules, attempts) is None:
                return payload
            payload = respond()
        answers = dict(passing(questions, answers_given(payload), rules, attempts))
        return {**payload, "answers": answers, "times": simulated_times(answers)}

    def send(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Send the entries in batches, now and then one twice or later than the next."""
        batches = [list(entries[start : start + BATCH]) for start in range(0, len(entries), BATCH)]
        for index in range(len(batches) - 1):
            if self.network.random() < OUT_OF_ORDER:
                batches[index], batches[index + 1] = batches[index + 1], batches[index]
        for batch in batches:
            for _attempt in range(2 if self.network.random() < SENT_TWICE else 1):
                self.post("session/results/", {"tab": self.tab, "entries": batch}, {200})
            self.summary.results += len(batch)

    def finish(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Complete the session; send again what the server says is missing."""
        answer = self.post("session/complete/", {}, {200})
        if not answer["complete"]:
            self.send([entry for entry in entries if entry["sequence"] in answer["missing"]])
            answer = self.post("session/complete/", {}, {200})
        if not answer["complete"]:
            raise SimulationFailure(f"Participant {self.number} cannot finish: {answer['missing']} are missing.")

    def get(self, path: str) -> dict[str, Any]:
        return self.request("GET", path, None, {200})

    def post(self, path: str, body: Mapping[str, Any], expected: set[int]) -> dict[str, Any]:
        return self.request("POST", path, body, expected)

    def request(self, method: str, path: str, body: Mapping[str, Any] | None, expected: set[int]) -> dict[str, Any]:
        """Ask and return the body of the answer. Raises SimulationFailure for any other status than expected."""
        self.summary.requests += 1
        try:
            answer = self.http.request(method, self.address + path, json=body, timeout=_SECONDS, allow_redirects=False)
        except requests.RequestException as error:
            raise SimulationFailure(f"{self.address}{path} does not answer: {error}") from error
        if answer.status_code not in expected:
            is_json = answer.headers.get("Content-Type", "").startswith("application/json")
            if answer.status_code == 409 and is_json and answer.json().get("code") == "full":
                raise SimulationFailure(_("No more people can take part: the quota of the study is reached."))
            raise SimulationFailure(f"{method} {self.address}{path} answered {answer.status_code}: {answer.text[:500]}")
        name = cookie_name(self.study.slug)
        if name in answer.cookies:
            # Sent by hand: behind HTTPS the cookie is marked secure, and this is the machine itself.
            self.http.headers["Cookie"] = f"{name}={answer.cookies[name]}"
            self.http.cookies.clear()
        return dict(answer.json())


def _headers(study: Study, base_url: str) -> dict[str, str]:
    """Return what makes the platform accept requests from its own machine: key, host name, and the proxy's word."""
    headers = {SIMULATION_HEADER: simulation_key(study.slug)}
    hosts = settings.ALLOWED_HOSTS
    if base_url.startswith("http://127.0.0.1") and hosts and not {"*", "127.0.0.1"} & set(hosts):
        headers["Host"] = hosts[0].lstrip(".")
    if settings.HTTPS and base_url.startswith("http://"):
        headers["X-Forwarded-Proto"] = "https"
    return headers

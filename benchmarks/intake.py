"""Measure intake throughput (trials per second) against a minimal DRF insert in the same run, and latency.

`python -m benchmarks.intake` starts the platform as it is deployed (one process with threads on SQLite in a temporary
folder; four processes, as in docker-compose.yml, on an empty PostgreSQL database that DATABASE_URL names), sends a
bounded number of requests and writes `intake-<database>.json` into `benchmarks/results/` or the folder --results names.

Three measurements:

- saturated: eight clients that send the next request as soon as they have an answer. The bare insert, single results
  and batches of 50 alternate, so that a busy machine slows down all of them alike.
- paced: 200 people who start within 20 seconds, then answer a trial about every nine seconds, and note that the next
  one has begun, as the browser does. Times count from the moment when a request was due.
- starts: one after the other on an idle server: pressing Start, and opening the session, which makes its trials.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import signal
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.load import Person, Request, Times, request, run  # noqa: E402 - the folder has to be known first

CLIENTS, ROUNDS = 8, 5
SINGLES, BATCH = 90, 50
PEOPLE, ARRIVING, RUN, PACE = 200, 20.0, 45.0, 9.0
STARTS = 20
ITEMS, CONDITIONS = 144, 8
PROCESSES = {"sqlite": 1, "postgresql": 4}

Trial = dict[str, Any]


@contextmanager
def server(folder: Path) -> Iterator[int]:
    """Serve the platform from `folder` and yield the port; ends what it started."""
    from tests.browser.platform import free_port, wait_until_ready

    port = free_port()
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "benchmarks.intake_server"],
            cwd=ROOT,
            env={**os.environ, "HOST": "127.0.0.1", "PORT": str(port)},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        wait_until_ready(f"http://127.0.0.1:{port}/healthz", seconds=180)
        yield port
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


@dataclass(frozen=True)
class Taker:
    """Somebody who takes part in the study: makes the requests of one session."""

    study: Any
    key: str

    def start(self, due: float | None = None) -> Request:
        consent = {"version": 1, "required": [True, True]}
        body = {"start_key": f"benchmark-{self.key:0>12}", "consent": consent}
        return request("start", f"/api/studies/{self.study.slug}/sessions/", body, due=due)

    def open(self, cookie: str) -> Request:
        return request("open", f"/api/studies/{self.study.slug}/session/open/", {"tab": "benchmark"}, cookie=cookie)

    def send(self, name: str, entries: list[Any], cookie: str, due: float | None = None) -> Request:
        path = f"/api/studies/{self.study.slug}/session/results/"
        return request(name, path, {"tab": "benchmark", "entries": entries}, cookie=cookie, due=due)


Begun = tuple[Taker, str, list[Trial]]


def sessions(port: int, study: Any, number: int, name: str) -> tuple[list[Begun], Times]:
    """Start and open sessions one after the other; return them, and how long that took."""
    made: list[Begun] = []

    def one_by_one() -> Person:
        for index in range(number):
            taker = Taker(study, f"{name}-{index}")
            cookie = (yield taker.start()).cookie
            opened = yield taker.open(cookie)
            made.append((taker, cookie, json.loads(opened.body)["trials"]))

    return made, run([one_by_one()], port)


def started(port: int, study: Any) -> dict[str, Any]:
    """Start sessions on an idle server; return how long pressing Start and opening the session take."""
    _, times = sessions(port, study, STARTS, "started")
    both = [start + opening for start, opening in zip(times.of["start"], times.of["open"], strict=True)]
    return {
        "trials_per_session": ITEMS + 2,
        "milliseconds": {name: quantiles(values) for name, values in {**times.of, "both": both}.items()},
    }


def saturated(port: int, study: Any) -> dict[str, Any]:
    """Alternate between the bare insert, single results and batches; return rates, ratio and times."""
    rates: dict[str, list[float]] = defaultdict(list)
    times: dict[str, list[float]] = defaultdict(list)
    for number in range(ROUNDS):
        begun, _ = sessions(port, study, CLIENTS, f"saturated-{number}")
        for name, encode in {"bare": bare, "single": single, "batches": batches}.items():
            # Everything is encoded before the clock starts.
            measured = run([in_turn(encode(*one)) for one in begun], port)
            trials = len(measured.of[name]) * (BATCH if name == "batches" else 1)
            rates[name].append(trials / measured.elapsed)
            times[name] += measured.of[name]
    ratios = [ours / barest for ours, barest in zip(rates["single"], rates["bare"], strict=True)]
    return {
        "clients": CLIENTS,
        "trials_per_second": {name: round(statistics.median(values)) for name, values in rates.items()},
        "ratio_to_bare": round(statistics.median(ratios), 3),
        "milliseconds": {name: quantiles(values) for name, values in times.items()},
    }


def in_turn(requests: list[Request]) -> Person:
    """Send each request as soon as the former is answered."""
    for each in requests:
        answer = yield each  # `yield from` would hand the answer to the list's iterator, which takes none
        assert answer.body


def bare(taker: Taker, cookie: str, trials: list[Trial]) -> list[Request]:
    """One row after the other for the bare insert, of about the size of a result."""
    rows = [
        {"study": taker.study.pk, "message": "x", "detail": json.dumps(result(trial))} for trial in trials[:SINGLES]
    ]
    return [request("bare", "/bare/", row) for row in rows]


def single(taker: Taker, cookie: str, trials: list[Trial]) -> list[Request]:
    """One result after the other."""
    return [taker.send("single", [result(trial)], cookie) for trial in trials[:SINGLES]]


def batches(taker: Taker, cookie: str, trials: list[Trial]) -> list[Request]:
    """What is left, in one batch."""
    return [taker.send("batches", [result(trial) for trial in trials[SINGLES : SINGLES + BATCH]], cookie)]


def result(trial: Trial) -> dict[str, Any]:
    """Return a valid result of a trial."""
    from tests.participants.studies import result_for

    return result_for(trial)


def paced(port: int, study: Any) -> dict[str, Any]:
    """Let people come and answer at the pace of people; return how long they wait, and how many requests that were."""

    def person(number: int) -> Person:
        rng = random.Random(number)
        taker = Taker(study, f"paced-{number}")
        moment = ARRIVING * number / PEOPLE
        cookie = (yield taker.start(due=moment)).cookie
        trials = json.loads((yield taker.open(cookie)).body)["trials"]
        for trial in trials:
            moment += rng.uniform(0.8 * PACE, 1.2 * PACE)
            if moment > RUN:
                return
            name = "result" if moment > ARRIVING else "result while others start"
            yield taker.send(name, [result(trial)], cookie, due=moment)
            yield taker.send("begun", [{"kind": "opened", "sequence": trial["position"] + 1}], cookie)

    times = run([person(number) for number in range(PEOPLE)], port)
    return {
        "people": PEOPLE,
        "seconds_between_trials": PACE,
        "seconds": round(times.elapsed, 1),
        "requests": {name: len(values) for name, values in times.of.items()},
        "milliseconds": {name: quantiles(values) for name, values in times.of.items()},
    }


def quantiles(seconds: list[float]) -> dict[str, float]:
    """Return quantiles in milliseconds."""
    ordered = sorted(seconds)
    return {
        f"p{percent}": round(ordered[min(len(ordered) - 1, percent * len(ordered) // 100)] * 1000, 1)
        for percent in (50, 95, 99)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="How fast the intake is.")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results", help="where the numbers go")
    parser.add_argument("--quick", action="store_true", help="a few requests of each kind, to see that it runs")
    options = parser.parse_args()
    global CLIENTS, ROUNDS, SINGLES, BATCH, PEOPLE, ARRIVING, RUN, PACE, STARTS
    if options.quick:
        CLIENTS, ROUNDS, SINGLES, BATCH, STARTS = 2, 1, 2, 2, 2
        PEOPLE, ARRIVING, RUN, PACE = 3, 0.3, 1.5, 0.4
    with tempfile.TemporaryDirectory(prefix="lectern-benchmark-") as name:
        folder = Path(name)
        os.environ.update(VAR_DIR=str(folder), LOG_LEVEL="ERROR", DJANGO_SETTINGS_MODULE="config.settings")
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        from tests.participants.studies import open_study

        call_command("migrate", verbosity=0)
        study = open_study("benchmark", items=ITEMS, conditions=CONDITIONS, fillers=0, settings={"break_every": 0})
        connection.close()
        processes = int(os.environ.setdefault("WEB_CONCURRENCY", str(PROCESSES[connection.vendor])))
        with server(folder) as port:
            sessions(port, study, 2 * processes, "warm")
            measured = {name: measure(port, study) for name, measure in MEASUREMENTS.items()}
    outcome = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "database": connection.vendor,
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "processes": processes,
        **measured,
    }
    options.results.mkdir(parents=True, exist_ok=True)
    path = options.results / f"intake-{outcome['database']}.json"
    path.write_text(json.dumps(outcome, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(outcome, indent=2))


MEASUREMENTS: dict[str, Callable[[int, Any], dict[str, Any]]] = {
    "starts": started,
    "saturated": saturated,
    "paced": paced,
}

if __name__ == "__main__":
    main()

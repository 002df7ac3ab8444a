"""An hour of people and faults: `python -m tests.faults.soak [--minutes 60] [--people 50] [--seed 1]`.

Virtual participants come, answer, lose requests and answers, leave and come back, and are replaced by new ones when
they have finished, while PostgreSQL is killed and stopped and workers of the web server are killed. At the end
everybody finishes; every result that was acknowledged must be stored once with its hash, every invariant must hold,
and no process of the web server may have grown by more than a tenth after its first minutes. Exit code 1 otherwise.

Not a part of the suite: it takes its time. It brings its own PostgreSQL.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

import django
import requests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from benchmarks import needs  # noqa: E402 - the settings have to be named first
from participants.sealing import digest  # noqa: E402 - the settings have to be named first
from tests.faults.postgres import Cluster  # noqa: E402 - the settings have to be named first
from tests.faults.remote import RemoteBrowser, Server, an_open_study, serving  # noqa: E402
from tests.participants.studies import result_for  # noqa: E402

SLUG = "soak"
STORED = f"""
import json
from participants.models import IntakeProblem, Response
assert not IntakeProblem.objects.exists()
rows = Response.objects.filter(trial__session__study__slug={SLUG!r})
print(json.dumps([list(row) for row in rows.values_list(
    "trial__session__start_key_hash", "trial__position", "content_hash")], default=str))
"""
SETTLED_AFTER = 180.0
LOST = 0.1
MAY_GROW = 0.10


class Person(Thread):
    """Takes part again and again, each time as somebody new, until it is told that the day is over."""

    def __init__(self, address: str, seed: int, over: Event, ledger: dict[tuple[str, int], str], lock: Lock) -> None:
        super().__init__(daemon=True)
        self.address, self.seed, self.over, self.ledger, self.lock = address, seed, over, ledger, lock
        self.rng = random.Random(f"soak {seed}")
        self.sessions = self.refusals = 0
        self.error = ""

    def run(self) -> None:
        try:
            while not self.over.is_set():
                self.take_part()
        except Exception as error:  # noqa: BLE001 - whatever ended this person is reported
            self.error = repr(error)

    def take_part(self) -> None:
        browser = RemoteBrowser(SLUG, self.address, unanswered=self.wait, seed=self.seed * 10_000 + self.sessions)
        browser.begin()
        for trial in browser.trials:
            if self.rng.random() < LOST:
                self.come_back(browser)
            entry = result_for(trial, number=self.rng.randint(1, 99))
            browser.send(entry)
            if self.rng.random() < LOST:
                browser.send(entry)  # the answer to the first was lost
            time.sleep(0 if self.over.is_set() else self.rng.uniform(0.5, 3.0))
        browser.complete()
        with self.lock:
            self.ledger |= {(digest(browser.start_key), at): hashed for at, hashed in browser.acknowledged.items()}
        self.sessions += 1
        self.refusals += browser.refusals

    def come_back(self, browser: RemoteBrowser) -> None:
        """Open the session again after a pause; what is acknowledged must be there."""
        time.sleep(0 if self.over.is_set() else self.rng.uniform(0, 5))
        opened = browser.post("session/open/", {"tab": "tab"}).json()
        assert set(opened["answered"]) == set(browser.acknowledged), "acknowledged and gone"

    def wait(self) -> None:
        time.sleep(self.rng.uniform(0.1, 1.0))


def memory_of_workers(server: Server) -> dict[int, float]:
    """Return the resident memory of every worker of the web server, in megabytes, by process."""
    assert server.process is not None
    pid = server.process.pid
    found = {}
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        try:
            pages = int(Path(f"/proc/{child}/statm").read_text().split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        found[int(child)] = pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    return found


def disturb(rng: random.Random, cluster: Cluster, server: Server) -> str:
    """Let one fault happen and return its name."""
    fault = rng.choices(("database killed", "database stopped", "web worker killed"), (3, 1, 1))[0]
    if fault == "database killed":
        cluster.kill()
        cluster.start()
    elif fault == "database stopped":
        cluster.stop()
        time.sleep(rng.uniform(2, 20))
        cluster.start()
    else:
        # The youngest, so that one worker grows old and its memory can be watched.
        os.kill(max(memory_of_workers(server)), signal.SIGKILL)
    return fault


def soak(folder: Path, *, minutes: float, people: int, seed: int) -> dict[str, Any]:
    """Run the soak and return what was counted; raises AssertionError where something was lost."""
    (folder / "postgres").mkdir()
    cluster = Cluster(folder / "postgres")
    cluster.start()
    try:
        data = an_open_study(SLUG, items=24, fillers=8)
        with serving(folder, data, workers=3, DATABASE_URL=cluster.url) as server:
            return _soak(cluster, server, minutes=minutes, people=people, seed=seed)
    finally:
        cluster.remove()


def _soak(cluster: Cluster, server: Server, *, minutes: float, people: int, seed: int) -> dict[str, Any]:
    rng, over, lock = random.Random(f"faults {seed}"), Event(), Lock()
    ledger: dict[tuple[str, int], str] = {}
    crowd = [Person(server.address, seed * 1_000 + number, over, ledger, lock) for number in range(people)]
    for person in crowd:
        person.start()
    began = time.monotonic()
    faults: dict[str, int] = {}
    memory: dict[int, list[tuple[float, float]]] = {}
    next_fault = began + rng.uniform(20, 60)
    while (now := time.monotonic()) < began + minutes * 60:
        for worker, megabytes in memory_of_workers(server).items():
            memory.setdefault(worker, []).append((now, megabytes))
        if now >= next_fault:
            fault = disturb(rng, cluster, server)
            faults[fault] = faults.get(fault, 0) + 1
            next_fault = time.monotonic() + rng.uniform(20, 90)
            say(f"{(now - began) / 60:5.1f} min  {fault}; {len(ledger)} results of finished sessions so far")
        assert requests.get(f"{server.address}/healthz", timeout=60).status_code == 200
        time.sleep(5)
    over.set()
    for person in crowd:
        person.join(timeout=600)
    errors = [person.error for person in crowd if person.error]
    assert not errors, errors
    assert not any(person.is_alive() for person in crowd), "somebody could not finish"
    stored = {(key, position): hashed for key, position, hashed in json.loads(server.ask(STORED))}
    assert stored == ledger, f"{len(set(ledger) - set(stored))} acknowledged results are not stored"
    growth = growths(memory)
    assert all(share < MAY_GROW for share in growth), f"memory grew by {max(growth):.0%}"
    return {
        "minutes": minutes,
        "sessions": sum(person.sessions for person in crowd),
        "results": len(stored),
        "refusals with 503": sum(person.refusals for person in crowd),
        "faults": faults,
        "largest growth of a worker's memory": max(growth, default=None),
        "check_data": server.run("manage.py", "check_data", SLUG).splitlines(),
    }


def growths(memory: dict[int, list[tuple[float, float]]]) -> list[float]:
    """Return by which share each worker grew between its first minutes and its end, for those old enough."""
    found = []
    for samples in memory.values():
        settled = [megabytes for at, megabytes in samples if at >= samples[0][0] + SETTLED_AFTER]
        if len(settled) > 10:
            found.append(settled[-1] / settled[0] - 1)
    return found


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    needs.or_exit(needs.POSTGRESQL, needs.LINUX)
    with tempfile.TemporaryDirectory(prefix="lectern-soak-") as folder:
        try:
            counted = soak(Path(folder), **vars(options))
        except AssertionError as error:
            sys.exit(f"FAILED (seed {options.seed}): {error}")
    say(json.dumps(counted, indent=2))


if __name__ == "__main__":
    main()

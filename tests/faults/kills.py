"""The web server is killed again and again under load, and every acknowledged result is looked for afterwards.

    python -m tests.faults.kills [--kills 300] [--results 1000000] [--seed 1] [--report docs/drills/kills.md]
    python -m tests.faults.kills --idle --kills 30 --results 3000 [--report docs/drills/kills_idle.md]

Clients of this drill's own send results to a platform on a database of its own, partly one by one and partly in
batches, and write every acknowledgement (session, position, hash) into a journal that lies outside the platform.
Meanwhile a supervisor kills the gunicorn master, a web process, or both at once, with SIGKILL or SIGTERM, and starts
the server again where it has ended. In the end the journal is compared with the database, row by row, SQLite checks
the file's integrity and `check_data` the invariants. Exit code 1 where anything acknowledged is missing, different or
twice.

With `--idle` one client sends a result every 50 ms: the form for how soon somebody is answered again on a machine that
has nothing else to do. Exit code 1 also where that takes more than 5 s after a killed web process, or where the next
server has the port more than 2 s after a killed master.

On SQLite unless DATABASE_URL names an empty PostgreSQL database. `make drill` runs the long form.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from benchmarks import needs  # noqa: E402 - the settings have to be named first
from tests.faults.clients import Client, Journal  # noqa: E402
from tests.faults.remote import an_open_study  # noqa: E402
from tests.faults.supervised import Supervised  # noqa: E402

SLUG = "kills"
KINDS = ("master SIGKILL", "worker SIGKILL", "both SIGKILL", "master SIGTERM", "worker SIGTERM", "both SIGTERM")
ITEMS = 480
LONGEST_WAIT = 120.0
# Seconds on an idle machine: to an answer after a killed web process, to the port after a killed master.
LONGEST_ANSWER, LONGEST_PORT = 5.0, 2.0


@dataclass(frozen=True)
class Load:
    """Who sends results meanwhile, how many in each request in turn, and after how many seconds the next."""

    clients: int = 8
    # One request with one result, then one with a batch: half of the commits are of either kind.
    batches: tuple[int, ...] = (1, 50)
    pause: float = 0.0

    def __str__(self) -> str:
        if self.pause:
            return f"One client sends a result every {self.pause * 1000:g} ms"
        return f"{self.clients} clients send results one by one and in batches of {max(self.batches)}"


UNDER_LOAD, IDLE = Load(), Load(clients=1, batches=(1,), pause=0.05)


@dataclass
class Outcome:
    """What a drill counted."""

    kills: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    requests: int = 0
    lost: int = 0
    different: int = 0
    twice: int = 0
    port_seconds: list[float] = field(default_factory=list)
    answer_seconds: dict[str, list[float]] = field(default_factory=dict)
    database: str = ""
    load: Load = UNDER_LOAD
    machine: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0


def drill(
    folder: Path, *, kills: int, results: int, seed: int = 1, load: Load = UNDER_LOAD, minutes: float = math.inf
) -> Outcome:
    """Kill the server `kills` times and more, until `results` results have been acknowledged or the time is over."""
    rng = random.Random(f"kills {seed}")
    over = Event()
    journal = Journal(folder / "journal.txt")
    server = Supervised(folder, slug=SLUG, data=an_open_study(SLUG, items=ITEMS, fillers=0))
    outcome = Outcome(load=load)
    began = time.monotonic()
    server.start()
    crowd = [
        Client(server.port, SLUG, journal, over, seed=seed * 1000 + one, batches=load.batches, pause=load.pause)
        for one in range(load.clients)
    ]
    threads = [Thread(target=client.run, daemon=True) for client in crowd]
    try:
        for thread in threads:
            thread.start()
        number = 0
        while (number < kills or journal.results < results) and time.monotonic() < began + minutes * 60:
            # A share of the work that is left for every kill that is left, and a moment that falls anywhere within.
            share = max(0, results - journal.results) / max(1, kills - number)
            wait_for(journal, journal.results + int(rng.uniform(0.5, 1.5) * share) + 1)
            time.sleep(rng.uniform(0, 0.3))
            kind = KINDS[number % len(KINDS)]
            outcome.machine.append(os.getloadavg()[0])
            measured = server.kill(kind)
            outcome.kills[kind] += 1
            outcome.answer_seconds.setdefault(kind, []).append(measured.answer)
            if measured.port is not None:
                outcome.port_seconds.append(measured.port)
            number += 1
            say(f"{time.monotonic() - began:6.0f} s  {number} {kind}: {journal.results} acknowledged, {measured}")
        over.set()
        for thread in threads:
            thread.join(timeout=LONGEST_WAIT)
        outcome.faults += [client.error for client in crowd if client.error]
        outcome.faults += ["A client could not finish." for thread in threads if thread.is_alive()]
        server.stop()
        outcome.requests = journal.requests
        outcome.database = server.facts()
        outcome.acknowledged, outcome.lost, outcome.different, outcome.twice = journal.compare(server.stored())
        outcome.faults += server.check()
    finally:
        over.set()
        server.end()
        journal.close()
    outcome.seconds = time.monotonic() - began
    return outcome


def wait_for(journal: Journal, results: int) -> None:
    """Wait until so many results have been acknowledged. Raises TimeoutError where nothing moves any more."""
    known, since = journal.results, time.monotonic()
    while journal.results < results:
        time.sleep(0.02)
        if journal.results != known:
            known, since = journal.results, time.monotonic()
        elif time.monotonic() > since + LONGEST_WAIT:
            raise TimeoutError(f"Nothing has been acknowledged for {LONGEST_WAIT:g} seconds.")


def slow(outcome: Outcome) -> list[str]:
    """Return a sentence for everything that took longer than it may on an idle machine."""
    found = []
    answer, port = max(outcome.answer_seconds.get("worker SIGKILL", [0.0])), max(outcome.port_seconds, default=0.0)
    if answer > LONGEST_ANSWER:
        found.append(f"Nobody was answered for {answer:.1f} s after a killed web process.")
    if port > LONGEST_PORT:
        found.append(f"The next server had the port {port:.1f} s after a killed master.")
    return found


def table(outcome: Outcome) -> str:
    """Return the outcome as a page of Markdown."""
    kinds = "\n".join(
        f"| {kind} | {outcome.kills[kind]} | {quantile(outcome.answer_seconds[kind], 0.5):.1f} "
        f"| {max(outcome.answer_seconds[kind]):.1f} |"
        for kind in KINDS
        if outcome.kills[kind]
    )
    counts = (outcome.kills.total(), outcome.requests, outcome.acknowledged)
    counted = " | ".join([*(f"{number:,}" for number in counts), *map(str, (outcome.lost, outcome.different))])
    title = "The server of an idle machine killed" if outcome.load.pause else "The server killed under load"
    return f"""# {title}

Written by `python -m tests.faults.kills{" --idle" * bool(outcome.load.pause)}` ({outcome.database}; Python
{platform.python_version()}, {os.cpu_count()} processors, {outcome.seconds / 60:.0f} minutes; load of the machine
{quantile(outcome.machine, 0.5):.1f}, median over the kills). {outcome.load};
every acknowledgement is written to a journal outside the platform before the next request, and the journal is compared
with the database afterwards.

| kills | requests answered | results acknowledged | lost | stored otherwise | stored twice |
|---|---|---|---|---|---|
| {counted} | {outcome.twice} |

Seconds from the kill (with SIGTERM: from the end of the server) until somebody was answered again:

| killed | times | median | longest |
|---|---|---|---|
{kinds}

After a killed master the next server had the port after {quantile(outcome.port_seconds, 0.5):.2f} s (median; longest
{max(outcome.port_seconds, default=0):.2f} s).
"""


def quantile(values: list[float], share: float) -> float:
    """Return a quantile, 0 where there is none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill the web server under load and count what is lost.")
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop earlier, with what has been counted")
    parser.add_argument("--idle", action="store_true", help="one client that sends now and then")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path, help="where the table goes, beside the standard output")
    options = parser.parse_args()
    needs.or_exit(needs.LINUX)
    with tempfile.TemporaryDirectory(prefix="lectern-kills-") as folder:
        outcome = drill(
            Path(folder),
            kills=options.kills,
            results=options.results,
            seed=options.seed,
            load=IDLE if options.idle else UNDER_LOAD,
            minutes=options.minutes,
        )
    if options.idle:
        outcome.faults += slow(outcome)
    page = table(outcome)
    say(page)
    for sentence in outcome.faults:
        say(f"FAULT: {sentence}")
    if options.report:
        options.report.write_text(page, encoding="utf-8")
    if outcome.faults or outcome.lost or outcome.different or outcome.twice:
        sys.exit(f"FAILED (seed {options.seed})")


if __name__ == "__main__":
    main()

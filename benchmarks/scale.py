"""Measure the capacity of one server: one and two web processes, SQLite and PostgreSQL, and a sizing rule.

`python -m benchmarks.scale` measures, on each database and with each number of processes:

- a class: 200 people press Start in the same instant and open their session as soon as they may; nine classes, each of
  a study of its own, as machines are faster and slower from minute to minute. Times count from the press, and the web
  processes' own time is divided by the people. How far the lists differ afterwards is counted in the database.
- starts one after the other on an idle server, saturated requests beside the bare insert, and 200 paced people, all as
  `benchmarks.intake` measures them.

SQLite is in a temporary folder; PostgreSQL is a server of the benchmark's own, where one is installed. Writes
`benchmarks/results/scale.json` and `scale.md`, or into the folder that --results names. `--quick` measures less.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import needs
from benchmarks.intake import (
    CONDITIONS,
    ITEMS,
    PACE,
    PEOPLE,
    ROOT,
    Taker,
    paced,
    quantiles,
    saturated,
    server,
    sessions,
)
from benchmarks.intake import started as starts
from benchmarks.load import Person, run

PROCESSES = (1, 2)
CLASSES = 9
# Half of what a process can take leaves room for the moments when many answer at once.
USED = 0.5
REQUESTS_PER_TRIAL = 2


def class_of(port: int, study: Any, people: int) -> dict[str, Any]:
    """Let a class press Start at once; return its times from the press, and by how much the lists differ."""

    def person(number: int) -> Person:
        taker = Taker(study, f"class-{number}")
        cookie = (yield taker.start(due=0.0)).cookie
        opened = taker.open(cookie)
        answers.append((yield type(opened)(name="first trial", raw=opened.raw, due=0.0)).body)

    answers: list[bytes] = []
    before = processor_seconds(os.getpid())
    times = run([person(number) for number in range(people)], port)
    used = processor_seconds(os.getpid()) - before
    # Read afterwards: the processors that would read them are those that are measured.
    assert all(json.loads(answer)["trials"] for answer in answers)
    from django.db import connection
    from django.db.models import Count

    lists = study.lists.annotate(number=Count("sessions")).values_list("number", flat=True)
    counts = list(lists)
    connection.close()
    assert sum(counts) == people
    return {
        "milliseconds": {name: quantiles(of) for name, of in times.of.items()},
        "processor_milliseconds": 1000 * used / people,
        "spread": max(counts) - min(counts),
    }


def processor_seconds(process: int) -> float:
    """Return for how long the processes that this one started, and those that they started, have computed."""
    seconds = 0.0
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                user, system = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:13]
                seconds += (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") + processor_seconds(int(child))
    return seconds


def classes(port: int, name: str, *, number: int, people: int) -> dict[str, Any]:
    """Return the medians over several classes, and the largest spread."""
    measured = [class_of(port, a_study(f"{name}-class-{one}"), people) for one in range(number)]
    return {
        "people": people,
        "classes": number,
        "spread": max(one["spread"] for one in measured),
        "processor_milliseconds": round(statistics.median(one["processor_milliseconds"] for one in measured), 1),
        "milliseconds": {
            step: {
                share: round(statistics.median(one["milliseconds"][step][share] for one in measured), 1)
                for share in ("p50", "p95", "p99")
            }
            for step in ("start", "first trial")
        },
    }


def a_study(slug: str) -> Any:
    """Make and open a study."""
    from django.db import connection

    from tests.participants.studies import open_study

    study = open_study(slug, items=ITEMS, conditions=CONDITIONS, fillers=0, settings={"break_every": 0})
    connection.close()
    return study


def measure(*, quick: bool, people: int) -> list[dict[str, Any]]:
    """Measure on the database that the environment names, with every number of processes."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    rows = []
    for processes in PROCESSES:
        os.environ["WEB_CONCURRENCY"] = str(processes)
        name = f"scale-{processes}"
        study = a_study(name)
        with server(Path(os.environ["VAR_DIR"])) as port:
            sessions(port, study, 12 * processes, "warm")
            row: dict[str, Any] = {"database": connection.vendor, "processes": processes}
            row["class"] = classes(port, name, number=1 if quick else CLASSES, people=people)
            if not quick:
                row |= {"starts": starts(port, study), "saturated": saturated(port, study), "paced": paced(port, study)}
        rows.append(row)
    return rows


def measured_on(database_url: str, *, quick: bool, people: int) -> list[dict[str, Any]]:
    """Measure in a process of its own, whose settings name this database; an empty address is SQLite."""
    with tempfile.TemporaryDirectory(prefix="lectern-scale-") as folder:
        environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment |= {"VAR_DIR": folder, "LOG_LEVEL": "ERROR", "DJANGO_SETTINGS_MODULE": "config.settings"}
        if database_url:
            environment["DATABASE_URL"] = database_url
        command = [sys.executable, "-m", "benchmarks.scale", "--here", "--people", str(people)]
        command += ["--quick"] if quick else []
        ran = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        found: list[dict[str, Any]] = json.loads(ran.stdout.strip().splitlines()[-1])
        return found


def table(outcome: dict[str, Any]) -> str:
    """Return the outcome as a page of Markdown."""
    names = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
    lines = []
    rule = []
    for row in outcome["rows"]:
        pressed, first = (row["class"]["milliseconds"][step] for step in ("start", "first trial"))
        cells = [names[row["database"]], row["processes"], row["class"]["spread"]]
        cells += [f"{of[share] / 1000:.2f}" for of in (pressed, first) for share in ("p50", "p95")]
        cells.append(row["class"]["processor_milliseconds"])
        if "saturated" in row:
            rates = row["saturated"]["trials_per_second"]
            cells += [row["starts"]["milliseconds"]["both"]["p50"]]
            cells += [rates["bare"], rates["single"], row["saturated"]["ratio_to_bare"], rates["batches"]]
            cells += [row["paced"]["milliseconds"]["result"][share] for share in ("p50", "p99")]
            people = round(rates["single"] * PACE * USED / REQUESTS_PER_TRIAL, -1)
            at_once = round(row["class"]["people"] / max(1.0, pressed["p95"] / 1000, first["p95"] / 2000), -1)
            rule.append(
                f"- {names[row['database']]}, {row['processes']} web process{'es' if row['processes'] > 1 else ''}: "
                f"{people:.0f} people at once; classes of {at_once:.0f} that press Start together."
            )
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    heads = ["database", "web processes", "spread of the lists", "start p50, s", "p95", "first trial p50, s", "p95"]
    heads.append("processor a person, ms")
    if rule:
        heads += ["start and open alone, ms", "bare inserts/s", "single results/s", "ratio", "in batches/s"]
        heads += ["result p50, ms", "p99"]
    table_of_all = "\n".join(["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *lines])
    rules = "\n".join(rule)
    people_of_a_class = outcome["rows"][0]["class"]["people"]
    return f"""# One server, one and two web processes

Written by `python -m benchmarks scale` on {outcome["at"][:10]}: {outcome["processors"]} processors, which server,
database and load share; load of the machine before the run {outcome["load"]}; Python {outcome["python"]}.

{people_of_a_class} people press Start in the same instant ({ITEMS + 2} trials each, {CONDITIONS} lists); times count
from the press, medians over the classes. *Processor* is the web processes' own time to start and open a session.
*Bare inserts* are a Django REST framework view that stores one row; *ratio* is single
results against them, in the same run. The last two columns are {PEOPLE} people who answer every {PACE:g} s.

{table_of_all}

## How many people fit

Somebody who answers every {PACE:g} s makes {REQUESTS_PER_TRIAL} requests a trial. With half of what was measured in
use, which leaves room for moments when many answer at once:

{rules or "(not measured)"}

For the last number, a class may wait a second for the start and two for the first trial. With PostgreSQL take as many
web processes as the machine has cores; with SQLite one.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="How far one server goes.")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results", help="where the numbers go")
    parser.add_argument("--quick", action="store_true", help="one class for each number of processes, nothing else")
    parser.add_argument("--people", type=int, default=PEOPLE, help="how many press Start at once")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(json.dumps(measure(quick=options.quick, people=options.people)))
        return
    needs.or_exit(needs.LINUX)
    for sentence in needs.missing([needs.POSTGRESQL]):
        print(f"The rows on PostgreSQL are left out: {sentence}", flush=True)
    outcome: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "rows": measured_on("", quick=options.quick, people=options.people),
    }
    if needs.POSTGRESQL.is_there():
        from tests.faults.postgres import Cluster

        with tempfile.TemporaryDirectory(prefix="lectern-scale-postgres-") as folder:
            cluster = Cluster(Path(folder))
            try:
                cluster.start()
                outcome["rows"] += measured_on(cluster.url, quick=options.quick, people=options.people)
            finally:
                cluster.remove()
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "scale.json").write_text(json.dumps(outcome, indent=2) + "\n", encoding="utf-8")
    (options.results / "scale.md").write_text(table(outcome), encoding="utf-8")
    print(table(outcome))


if __name__ == "__main__":
    main()

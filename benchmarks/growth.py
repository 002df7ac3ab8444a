"""Measure what pages and exports cost as participants become many.

    python -m benchmarks.growth [--participants 100 1000 10000] [--only plan]

A lexical decision study of 58 trials with rules of exclusion is filled with participants, in SQLite in a temporary
folder and, where DATABASE_URL names one, in an empty PostgreSQL database. Every page of the study, every export and the
landing page is asked for in a process of its own, which has answered all of them once before about the few participants
that the others are copies of. Columns: processor seconds and wall seconds of that process, peak memory above what it
held before, statements, rows and bytes. Writes growth-<database>.json and .md into benchmarks/results, or into the
folder that --results names.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks import needs

ROOT = Path(__file__).resolve().parent.parent
SIZES = (100, 1_000, 10_000)
GOAL_SECONDS, GOAL_MEGABYTES = 1.0, 50.0
ARCHIVE = "archive"  # no address: what the worker does for one


def set_up(folder: str) -> None:
    """Start Django on a database in `folder`, or on the one that DATABASE_URL names."""
    os.environ.update(VAR_DIR=folder, LOG_LEVEL="ERROR", DJANGO_SETTINGS_MODULE="config.settings", ALLOWED_HOSTS="*")
    import django

    django.setup()


def addresses(study: Any) -> dict[str, str]:
    """Return the addresses that are measured, by what they are called in the table."""
    from django.urls import reverse

    from analysis.exports.sheets import sheets_of

    of_study = {
        "home": "study:home",
        "materials": "study:materials",
        "design": "study:design",
        "procedure": "study:procedure",
        "open": "study:open",
        "settings": "study:settings",
        "plan": "analysis:plan",
        "data": "analysis:data",
        "history": "study:history",
        "watch": "watch:watch",
        "participants": "watch:participants",
        "supervision": "watch:supervision",
        "analyse": "analysis:analyse",
        "export": "analysis:export",
    }
    found = {"studies": reverse("study:index")}
    found |= {name: reverse(view, args=[study.slug]) for name, view in of_study.items()}
    of_table = found["participants"]
    found |= {
        "participants, page 20": f"{of_table}?page=20",
        "participants by answers": f"{of_table}?sort=progress",
        "participants by notes": f"{of_table}?sort=-notes",
        "participants who dropped out": f"{of_table}?state=dropped",
        "participants, searched": f"{of_table}?q=G00001",
    }
    person = study.participants.order_by("pk").values_list("pseudonym", flat=True)[0]
    found["one participant"] = reverse("watch:participant", args=[study.slug, person])
    found["payment.csv"] = reverse("watch:payment", args=[study.slug])
    files = [f"{sheet.name}.csv" for sheet in sheets_of(study)]
    found |= {name: reverse("analysis:export_file", args=[study.slug, name]) for name in [*files, "codebook.csv"]}
    found["all.zip, by the worker"] = ARCHIVE
    return {**found, "landing page": f"/s/{study.slug}/"}


def asked(address: str, *, visitor: bool) -> tuple[int, int, int]:
    """Ask for an address as a researcher or as a visitor; return the status, the bytes, and the lines of a CSV file."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    if address == ARCHIVE:
        return 200, archive_of_worker(), 0
    client = Client()
    if not visitor:
        client.force_login(get_user_model().objects.get(username="growth"))
    answer: Any = client.get(address)
    size = lines = 0
    for piece in answer.streaming_content if answer.streaming else [answer.content]:
        size += len(piece)
        lines += piece.count(b"\r\n") if address.endswith(".csv") else 0
    return answer.status_code, size, lines


def archive_of_worker() -> int:
    """Make the archive of the study as a worker does in its child; return its bytes."""
    from analysis.archives.kept import ask_for_archive
    from analysis.archives.life import ClaimedArchive
    from experiments.models import Study

    study = Study.objects.get()
    asked_for = ask_for_archive(study, user=study.owner, layout="flat", variant="plain")
    claimed = ClaimedArchive.claim(asked_for.pk)
    if claimed is None:
        raise AssertionError("Somebody else makes the archive.")
    outcome = claimed.compute(lambda share, note: None)
    claimed.conclude(outcome)
    return int(outcome["size"])


def megabytes(name: str) -> float:
    """Return a line of /proc/self/status in megabytes: `VmRSS`, or `VmHWM` for the peak."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(name)


def measured(address: str, *, visitor: bool) -> dict[str, Any]:
    """Return what asking for an address costs this process, beyond what it held before."""
    from django.db import connection

    statements = 0

    def counted(execute: Any, *arguments: Any) -> Any:
        nonlocal statements
        statements += 1
        return execute(*arguments)

    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak counts from here
    before, begun, wall = megabytes("VmRSS"), time.process_time(), time.monotonic()
    with connection.execute_wrapper(counted):
        status, size, lines = asked(address, visitor=visitor)
    if status != 200:
        raise AssertionError(f"{address} answered {status}.")
    return {
        "seconds": round(time.process_time() - begun, 3),
        "wall": round(time.monotonic() - wall, 3),
        "megabytes": round(megabytes("VmHWM") - before, 1),
        "statements": statements,
        "rows": max(0, lines - 1),
        "bytes": size,
    }


def in_own_process(address: str, *, visitor: bool) -> dict[str, Any]:
    """Return what `measured` does, from a copy of this process that ends afterwards."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            outcome: dict[str, Any] = measured(address, visitor=visitor)
        except BaseException as fault:  # noqa: BLE001 - told to the process that waits
            outcome = {"fault": repr(fault)}
        os.write(writing, json.dumps(outcome).encode("utf-8"))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        outcome = json.loads(pipe.read())
    os.waitpid(child, 0)
    if "fault" in outcome:
        raise RuntimeError(f"{address}: {outcome['fault']}")
    return outcome


def measure(participants: int, only: str) -> Iterator[dict[str, Any]]:
    """Fill the study and yield a row for each address."""
    from django.core.management import call_command
    from django.db import connections

    from benchmarks.growth_data import fill, study_with_few
    from participants.session.figures import rebuild_figures

    call_command("migrate", verbosity=0)
    begun = time.monotonic()
    study = study_with_few()
    found = {name: address for name, address in addresses(study).items() if only in name}
    for name, address in found.items():  # loads code and templates
        asked(address, visitor=name == "landing page")
    fill(study, participants)
    for _ in rebuild_figures(study):  # as the end of each session keeps them
        pass
    print(f"   {participants} participants were made in {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    connections.close_all()
    gc.collect()
    gc.freeze()  # as the server does
    for name, address in found.items():
        yield {"participants": participants, "what": name, **in_own_process(address, visitor=name == "landing page")}


def table(outcome: dict[str, Any]) -> str:
    """Return the outcome as a page of Markdown."""
    sizes = sorted({row["participants"] for row in outcome["rows"]})
    by_name: dict[str, dict[int, dict[str, Any]]] = {}
    for row in outcome["rows"]:
        by_name.setdefault(row["what"], {})[row["participants"]] = row
    heads = ["", *(f"{of}, {size:,}" for of in ("s", "MB", "statements") for size in sizes), "rows/s", "MB/s"]
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "---:|" * (len(heads) - 1)]
    for name, rows in by_name.items():
        largest = rows[sizes[-1]]
        seconds = max(largest["seconds"], 0.001)
        cells = [f"{rows[size]['seconds']:.2f}" for size in sizes]
        cells += [f"{rows[size]['megabytes']:.0f}" for size in sizes]
        cells += [f"{rows[size]['statements']:,}" for size in sizes]
        is_file = name.endswith(".csv") or ".zip" in name
        cells.append(f"{largest['rows'] / seconds:,.0f}" if largest["rows"] else "")
        cells.append(f"{largest['bytes'] / seconds / 1e6:.1f}" if is_file else "")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return f"""# Pages and exports as participants become many, {outcome["database"]}

Written by `python -m benchmarks growth` on {outcome["at"][:10]}: {outcome["processors"]} processors, load of the
machine before the run {outcome["load"]}; Python {outcome["python"]}.

A study of {outcome["trials"]} trials a session. Each row is one request in a process of its own: processor seconds of
that process, peak memory above what it held before, statements; for files, rows and megabytes (as they are sent) a
processor second at the largest size. The goal at 10,000 participants is {GOAL_SECONDS:g} s and {GOAL_MEGABYTES:g} MB
a page.

{chr(10).join(lines)}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--participants", type=int, nargs="+", default=SIZES, help="the sizes of the study")
    parser.add_argument("--only", default="", help="measure only what has this in its name")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results", help="where the numbers go")
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        set_up(os.environ["VAR_DIR"])
        for row in measure(options.measure, options.only):
            print(json.dumps(row), flush=True)
        return
    needs.or_exit(needs.LINUX)
    database = "PostgreSQL" if os.environ.get("DATABASE_URL", "").startswith("postgres") else "SQLite"
    outcome: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "database": database,
        "python": platform.python_version(),
        "processors": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "rows": [],
    }
    for size in options.participants:
        outcome["rows"] += measured_at(size, options.only)
    trials = [row for row in outcome["rows"] if row["what"] == "trials.csv"]
    outcome["trials"] = trials[-1]["rows"] // trials[-1]["participants"] if trials else 58
    options.results.mkdir(parents=True, exist_ok=True)
    named = options.results / f"growth-{database.lower()}"
    named.with_suffix(".json").write_text(json.dumps(outcome, indent=2) + "\n", encoding="utf-8")
    named.with_suffix(".md").write_text(table(outcome), encoding="utf-8")
    print(table(outcome))


@contextmanager
def _database(folder: str) -> Iterator[dict[str, str]]:
    """Yield the environment of a process that measures; on PostgreSQL, a database is made for it and dropped."""
    environment = {**os.environ, "VAR_DIR": folder}
    url = urlsplit(environment.get("DATABASE_URL", ""))
    if not url.scheme.startswith("postgres"):
        environment.pop("DATABASE_URL", None)
        yield environment
        return
    import psycopg
    from psycopg import sql

    name = f"{url.path.strip('/')}_growth"
    own = sql.Identifier(name)
    with psycopg.connect(url.geturl(), autocommit=True) as server:
        server.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(own))
        server.execute(sql.SQL("CREATE DATABASE {}").format(own))
        try:
            yield {**environment, "DATABASE_URL": url._replace(path=f"/{name}").geturl()}
        finally:
            server.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(own))


def measured_at(size: int, only: str) -> list[dict[str, Any]]:
    """Return the rows of one size, measured on a database that is made for it and removed."""
    with tempfile.TemporaryDirectory(prefix="lectern-growth-") as folder, _database(folder) as environment:
        command = [sys.executable, "-m", "benchmarks.growth", "--measure", str(size), "--only", only]
        ran = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]


if __name__ == "__main__":
    main()

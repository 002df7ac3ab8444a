"""Measure data loss under faults, from planned to stored answers: Lectern and plain jsPsych.

    python -m benchmarks.loss [--sessions 10000] [--trials 20] [--seed 1] [--only CONDITION] [--results FOLDER]

Three ways to take part, each over the same lossy proxy and under the same faults, by clients that do over HTTP what the
pages do: Lectern (outbox, acknowledgement after the commit, sending again), jsPsych with the usual POST at the end, and
jsPsych with a POST after every trial to a bare endpoint. Everybody comes back after a killed page. The sessions are
divided among the conditions; with `--only` one of them has its share, and the rows of the others stay as they were
written. Counted are answers: planned, given, acknowledged to the page, stored, stored twice; *lost* is given and not
stored, *broken promises* are acknowledged and not stored. Writes `loss.json` and `loss.md` into benchmarks/results/.
Exit code 1 where Lectern lost anything.

`make drill` runs the long form.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from benchmarks.loss_people import LecternPage, Page, PlainPage, Tally  # noqa: E402 - the settings have to be named first
from benchmarks.loss_proxy import LossyProxy  # noqa: E402
from benchmarks.loss_servers import LecternServer, PeerServer, Served  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
SLUG = "loss"
CLIENTS = 8
SEVERAL = 1.0


@dataclass(frozen=True)
class Condition:
    """What goes wrong."""

    name: str
    loss: float = 0.0
    pages_killed: bool = False
    browsers_killed: bool = False
    server_killed: bool = False
    disk_full: bool = False


CONDITIONS = (
    Condition("nothing"),
    Condition("5 % of requests cut", loss=0.05),
    Condition("10 % of requests cut", loss=0.10),
    Condition("page killed", pages_killed=True),
    Condition("server killed", server_killed=True),
    Condition("disk full", disk_full=True),
    Condition("all of it, 5 % cut", loss=0.05, pages_killed=True, server_killed=True, disk_full=True),
)
ARMS = ("Lectern", "jsPsych, POST at the end", "jsPsych, POST per trial")


def run(arm: str, condition: Condition, *, sessions: int, trials: int, seed: int) -> dict[str, Any]:
    """Let people take part and return what was counted."""
    with tempfile.TemporaryDirectory(prefix="lectern-loss-") as name:
        server: Served = (
            LecternServer(Path(name), slug=SLUG, trials=trials) if arm == ARMS[0] else PeerServer(Path(name))
        )
        proxy = None
        try:
            server.start()
            proxy = LossyProxy(server.port, loss=condition.loss, seed=seed)
            tally = Tally()
            disturbed = people(arm, condition, server, proxy.port, tally, sessions=sessions, trials=trials, seed=seed)
            server.stop()
            return {**counted(tally, server.stored_answers()), "proxy": dict(proxy.faults), "faults": dict(disturbed)}
        finally:
            if proxy is not None:
                proxy.stop()
            server.end()


def people(
    arm: str, condition: Condition, server: Served, port: int, tally: Tally, *, sessions: int, trials: int, seed: int
) -> Counter[str]:
    """Let them take part, several at a time, while the server is disturbed; return how often it was."""
    numbers, lock, over = iter(range(sessions)), Lock(), Event()
    errors: list[str] = []

    def page(number: int) -> Page:
        options: dict[str, Any] = {
            "trials": trials,
            "killed": condition.pages_killed,
            "seed": f"{seed} {condition.name} {number}",
        }
        if arm == ARMS[0]:
            return LecternPage(port, tally, slug=SLUG, **options)
        return PlainPage(port, tally, at_the_end=arm == ARMS[1], **options)

    def take_turns() -> None:
        try:
            while True:
                with lock:
                    number = next(numbers, None)
                    if number is None:
                        return
                    somebody = page(number)
                somebody.run()
        except Exception as error:  # noqa: BLE001 - whatever ended a client is reported
            errors.append(repr(error))

    threads = [Thread(target=take_turns, daemon=True) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    disturbed: Counter[str] = Counter()
    rng = random.Random(f"faults {seed} {condition.name}")
    trouble = [name for name in ("server_killed", "disk_full") if getattr(condition, name)]
    while any(thread.is_alive() for thread in threads):
        time.sleep(rng.uniform(SEVERAL, 3 * SEVERAL))
        if trouble and not over.is_set():
            kind = rng.choice(trouble)
            disturbed[kind] += 1
            if kind == "server_killed":
                server.kill("both SIGKILL")
            else:
                server.fill_disk()
                time.sleep(rng.uniform(SEVERAL, 2 * SEVERAL))
                server.clear_disk()
    if errors:
        raise AssertionError(f"{arm}, {condition.name}: {errors[0]}")
    return disturbed


def counted(tally: Tally, stored: list[tuple[str, str]]) -> dict[str, Any]:
    """Compare what people did with what is stored: names of answers, with the hash where there is one."""
    times = Counter(name for name, _ in stored)
    hashes = dict(stored)
    return {
        "sessions": tally.sessions,
        "planned": tally.planned,
        "answered": len(tally.answered),
        "acknowledged": len(tally.acknowledged),
        "stored": len(times),
        "stored twice": sum(number > 1 for number in times.values()),
        "lost": len(tally.answered - set(times)),
        "broken promises": sum(hashes.get(name) != digest for name, digest in tally.acknowledged.items()),
        "not finished": tally.unfinished,
        "sent again": tally.faults["sent again"],
    }


def table(outcome: dict[str, Any]) -> str:
    """Return the outcome as a page of Markdown."""
    names = ("sessions", "planned", "answered", "acknowledged", "stored", "stored twice", "lost", "broken promises")
    return f"""# What becomes of answers when things break

Written by `python -m benchmarks loss` on {outcome["at"][:10]} (seed {outcome["seed"]}, Python {outcome["python"]}):
{outcome["sessions"]:,} sessions of {outcome["trials"]} trials for each kind of page, over HTTP, by clients that do
what the pages do. Everybody comes back after a killed page; Lectern goes on at the same trial, the others begin again,
so they have more answers than were planned. *Lost* is answered and not stored, a *broken promise* is acknowledged and
not stored.

{rows_of(outcome, names)}
"""


def rows_of(outcome: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the counts of that name, and the share that was lost, as a table of Markdown."""
    lines = [
        f"| {row['condition']} | {row['arm']} | "
        + " | ".join(f"{row[name]:,}" for name in names)
        + f" | {row['lost'] / row['answered']:.2%} |"
        for row in outcome["rows"]
    ]
    head = "| what goes wrong | page | " + " | ".join(names) + " | share lost |"
    return "\n".join([head, "|" + "---|" * (len(names) + 3), *lines])


def options_of(description: str, conditions: Sequence[Condition], *, sessions: int) -> argparse.ArgumentParser:
    """Return what may be said on the command line, with the number of sessions that is usual."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--sessions", type=int, default=sessions, help="for each kind of page, over all conditions")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=[condition.name for condition in conditions], help="one condition")
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results", help="where the numbers go")
    return parser


def compare(
    options: argparse.Namespace,
    conditions: Sequence[Condition],
    run: Callable[..., Mapping[str, Any]],
    table: Callable[[dict[str, Any]], str],
    *,
    name: str,
) -> None:
    """Run every kind of page under every condition, and write and print what came out.

    Ends the process with exit code 1 where Lectern lost anything.
    """
    each = -(-options.sessions // len(conditions))
    path = options.results / f"{name}.json"
    kept = json.loads(path.read_text(encoding="utf-8"))["rows"] if options.only and path.exists() else []
    rows = []
    for condition in conditions:
        if options.only not in (None, condition.name):
            rows += [row for row in kept if row["condition"] == condition.name]
            continue
        for arm in ARMS:
            row = run(arm, condition, sessions=each, trials=options.trials, seed=options.seed)
            rows.append({"condition": condition.name, "arm": arm, **row})
            print(json.dumps(rows[-1]), flush=True)
    outcome = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "seed": options.seed,
        "sessions": sum(row["sessions"] for row in rows if row["arm"] == ARMS[0]),
        "trials": options.trials,
        "rows": rows,
    }
    options.results.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(outcome, indent=2) + "\n", encoding="utf-8")
    (options.results / f"{name}.md").write_text(table(outcome), encoding="utf-8")
    print(table(outcome))
    if any(row["lost"] or row["broken promises"] or row["stored twice"] for row in rows if row["arm"] == ARMS[0]):
        sys.exit("Lectern lost something.")


def main() -> None:
    parser = options_of("What becomes of answers when things break.", CONDITIONS, sessions=1_400)
    compare(parser.parse_args(), CONDITIONS, run, table, name="loss")


if __name__ == "__main__":
    main()

"""Measure the speed-up of a power analysis with several workers, and check that results are byte-identical.

    python -m benchmarks.power_workers [--rounds 3] [--workers 1,2,4]
    python -m benchmarks.power_workers --large

With `--large` it times, with two workers, what takes long: a self-paced reading design of 2 × 2 × 2 with all slopes of
participants and items, 100 to 1,000 participants in ten steps; it writes benchmarks/results/power_large.md.

Starts a message broker (redis-server) and workers (`celery --app config worker --concurrency 1`, one thread each) of
its own, on a database of its own (SQLite in a temporary folder, or an empty database that DATABASE_URL names). One
round is a run with each number of workers, so that a busy machine slows down all alike. Timed is what a
researcher waits: from the request to the finished report. Writes benchmarks/results/power_workers.md.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from benchmarks import needs

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PARAMETERS = {
    "design": "order=2",
    "effect": "order=0.15",
    "sds": "participant=0.4; item=0.3; participant:order=0.2; item:order=0.15; residual=0.6",
    "method": "f1,min-f,lmm",
    "n_participants": "16,24,32,48",
    "n_items": "32",
    "simulations": "500",
}

_TERMS = ("a", "b", "c", "a:b", "a:c", "b:c", "a:b:c")
LARGE = {
    "design": "a=2; b=2; c=2",
    "effect": "a:b:c=0.05",
    "sds": "participant=0.25; item=0.1; residual=0.35; "
    + "; ".join(f"participant:{term}=0.05; item:{term}=0.03" for term in _TERMS),
    "method": "lmm",
    "n_participants": ",".join(str(people) for people in range(100, 1001, 100)),
    "n_items": "32",
    "simulations": "100",
}


@dataclass(frozen=True)
class Timed:
    """One run: with how many workers, how long it took, how busy the machine was before, and its report."""

    workers: int
    seconds: float
    load: float
    parts: int
    sha256: str


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def started(command: list[str], *, log: Path, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command in the background and end it afterwards."""
    with log.open("ab") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=10)


def wait_until(condition: Callable[[], bool], *, what: str, seconds: float = 120) -> None:
    """Wait until something is true. Raises TimeoutError, saying what did not happen."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        time.sleep(0.05)


def mentions(log: Path, words: str) -> bool:
    """Say whether a log holds some words."""
    return words in log.read_text()


@contextmanager
def workers(number: int, folder: Path) -> Iterator[None]:
    """Run so many workers, ready to work."""
    with ExitStack() as opened:
        for index in range(number):
            log = folder / f"worker-{time.monotonic_ns()}.log"
            log.touch()
            command = [sys.executable, "-m", "celery", "--app", "config", "worker", "--concurrency", "1"]
            command += ["--loglevel", "INFO", "--hostname", f"worker{index}@%h", "--without-gossip", "--without-mingle"]
            manager = started(command, log=log, environment=dict(os.environ))
            opened.enter_context(manager)
            wait_until(partial(mentions, log, " ready."), what=f"Worker {index} did not start.")
        yield


def timed(number: int, folder: Path) -> Timed:
    """Request the analysis with so many workers and wait for its report."""
    from analysis.models import AnalysisRun
    from analysis.studies.asking import request_run
    from experiments.models import Study

    study = Study.objects.get()
    AnalysisRun.objects.all().delete()
    with workers(number, folder):
        # The first child loads the libraries; afterwards they are forked.
        for seed in range(number * 2):
            warm = {**PARAMETERS, "method": "f1", "n_participants": "16", "simulations": "50", "seed": str(seed)}
            finished(request_run(study, method="power", params=warm, user=None).pk)
        load = os.getloadavg()[0]
        run = request_run(study, method="power", params=PARAMETERS, user=None)
        begun = time.monotonic()
        parts = finished(run.pk)
        seconds = time.monotonic() - begun
        run.refresh_from_db()
    return Timed(number, seconds, load, parts, hashlib.sha256(run.report.encode()).hexdigest())


def finished(run_id: int) -> int:
    """Wait until a run is done and return the largest number of parts that it was seen with."""
    from analysis.models import AnalysisPart, AnalysisRun

    parts = 0
    while True:
        status, error = AnalysisRun.objects.values_list("status", "error").get(pk=run_id)
        if status not in ("queued", "running"):
            break
        parts = max(parts, AnalysisPart.objects.filter(run_id=run_id).count())
        time.sleep(0.05)
    if status != "done":
        raise RuntimeError(f"The run ended as {status}: {error}")
    return parts


def text_of(results: list[Timed], *, database: str) -> str:
    """Return the results as a document."""
    numbers = sorted({result.workers for result in results})
    medians = {n: statistics.median(result.seconds for result in results if result.workers == n) for n in numbers}
    loads = [result.load for result in results]
    settings = " ".join(f'"{name}={value}"' for name, value in PARAMETERS.items())
    lines = [
        "# A power analysis with one worker and with more",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}, {database}, Redis; one thread per worker (OPENBLAS_NUM_THREADS=1). Load of the "
        f"machine (one minute, before each run) {min(loads):.1f} to {max(loads):.1f}.",
        "",
        f"`power` with {settings}, divided into {results[0].parts} parts. Seconds from the request to the report.",
        "",
        "| round | workers | seconds | load before |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {i // len(numbers) + 1} | {r.workers} | {r.seconds:.1f} | {r.load:.1f} |" for i, r in enumerate(results)
    ]
    equal = "the same bytes in all runs" if len({result.sha256 for result in results}) == 1 else "NOT THE SAME BYTES"
    first = medians[numbers[0]]
    lines += ["", "| workers | median, s | times as fast |", "|---|---|---|"]
    lines += [f"| {number} | {seconds:.1f} | {first / seconds:.2f} |" for number, seconds in medians.items()]
    lines += [
        "",
        f"Reports: {equal} (SHA-256 {results[0].sha256[:16]}…).",
        "",
        "More workers than cores gain nothing and cost what each of them loads; on an idle machine the limits are "
        "cores and the last part, for which the other workers wait.",
    ]
    return "\n".join(lines) + "\n"


def large_text_of(result: Timed, *, database: str) -> str:
    """Return how long the large design took, as a document."""
    settings = " ".join(f'"{name}={value}"' for name, value in PARAMETERS.items())
    return (
        "# A power analysis of a large design\n\n"
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}, {database}, Redis, two workers with one thread each; load before the run "
        f"{result.load:.1f}.\n\n`power` with {settings}, in {result.parts} parts: "
        f"**{result.seconds / 60:.1f} minutes** from the request to the report.\n"
    )


def main() -> int:
    """Measure, write the results and return 1 where reports differed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--simulations", type=int, help="of one analysis")
    parser.add_argument("--participants", help="how many, with commas between; those of the design where left out")
    parser.add_argument("--workers", default="1,2,4", help="how many, in turn")
    parser.add_argument("--large", action="store_true", help="only how long a large design takes")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the numbers go")
    options = parser.parse_args()
    PARAMETERS.update(LARGE if options.large else {})
    PARAMETERS.update({"simulations": str(options.simulations)} if options.simulations else {})
    PARAMETERS.update({"n_participants": options.participants} if options.participants else {})
    needs.or_exit(needs.REDIS)
    with tempfile.TemporaryDirectory(prefix="lectern-power-") as name:
        folder, port = Path(name), free_port()
        os.environ |= {
            "OPENBLAS_NUM_THREADS": "1",
            "VAR_DIR": name,
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0",
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", name]
        with started(command, log=folder / "redis.log", environment=dict(os.environ)) as broker:
            import django

            django.setup()
            from django.core.management import call_command
            from django.db import connection

            from experiments.models import Study

            call_command("migrate", verbosity=0)
            Study.objects.create(  # type: ignore[misc]  # the paradigm is a property, which its task keeps
                slug="planned", title="Planned", paradigm="magnitude-estimation"
            )
            if broker.poll() is not None:
                raise RuntimeError((folder / "redis.log").read_text())
            results = []
            for _ in range(1 if options.large else options.rounds):
                for number in (2,) if options.large else map(int, options.workers.split(",")):
                    results.append(timed(number, folder))
                    print(results[-1], flush=True)
            database = "PostgreSQL" if connection.vendor == "postgresql" else "SQLite"
            connection.close()
    options.results.mkdir(parents=True, exist_ok=True)
    name = "power_large.md" if options.large else "power_workers.md"
    text = large_text_of(results[0], database=database) if options.large else text_of(results, database=database)
    (options.results / name).write_text(text, encoding="utf-8")
    print(text)
    return int(len({result.sha256 for result in results}) > 1)


if __name__ == "__main__":
    sys.exit(main())

"""How many trials a second the intake takes, against the barest DRF insert in the same run; and how long a start takes.

`python -m benchmarks.intake` starts a server of its own on 127.0.0.1 with a database of its own (SQLite in a temporary
folder, or an empty database that DATABASE_URL names), sends a bounded number of requests and writes
`benchmarks/results/intake-<database>.json`. Runs alternate, so that a busy machine slows down both sides alike.
"""

from __future__ import annotations

import http.client
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
CLIENTS = 8
ROUNDS = 5
ITEMS, CONDITIONS = 144, 8

sys.path.insert(0, str(ROOT))


class Connection:
    """One keep-alive connection of one client."""

    def __init__(self, port: int) -> None:
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.cookie = ""
        self.seconds: list[float] = []

    def post(self, path: str, body: Any) -> Any:
        headers = {"Content-Type": "application/json"}
        if self.cookie:
            headers["Cookie"] = self.cookie
        begun = time.perf_counter()
        self.http.request("POST", path, json.dumps(body), headers)
        answer = self.http.getresponse()
        text = answer.read()
        self.seconds.append(time.perf_counter() - begun)
        if answer.status not in {200, 201}:
            raise RuntimeError(f"{path} answered {answer.status}: {text[:300]!r}")
        given = answer.getheader("Set-Cookie")
        if given:
            self.cookie = given.split(";")[0]
        return json.loads(text)


@contextmanager
def server(folder: Path) -> Iterator[int]:
    """Serve the platform from `folder` and yield the port; ends what it started."""
    from tests.browser.platform import free_port, wait_until_ready

    port = free_port()
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(
            [
                sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--no-control-socket",
                "--worker-class", "gthread", "--threads", "12", "--keep-alive", "75", "benchmarks.intake_server",
            ],
            cwd=ROOT,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )  # fmt: skip
    try:
        wait_until_ready(f"http://127.0.0.1:{port}/healthz")
        yield port
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


def together(jobs: list[Callable[[], None]]) -> float:
    """Run the jobs in threads at the same time; return the seconds until the last one has ended."""
    begun = time.perf_counter()
    with ThreadPoolExecutor(len(jobs)) as pool:
        for future in [pool.submit(job) for job in jobs]:
            future.result()
    return time.perf_counter() - begun


def begun_sessions(port: int, slug: str, *, clients: int, run: str) -> list[tuple[Connection, list[dict[str, Any]]]]:
    """Start and open sessions; return their connections and trials."""
    made = []
    for number in range(clients):
        connection = Connection(port)
        consent = {"version": 1, "required": [True, True]}
        connection.post(
            f"/api/studies/{slug}/sessions/", {"start_key": f"benchmark-{run}-{number:06}", "consent": consent}
        )
        start_seconds.append(connection.seconds[-1])
        opened = connection.post(f"/api/studies/{slug}/session/open/", {"tab": "benchmark"})
        connection.seconds.clear()
        made.append((connection, opened["trials"]))
    return made


start_seconds: list[float] = []


def measure(port: int, study: Any) -> dict[str, Any]:
    """Alternate between single results, the bare insert and batches; return rates and times."""
    from tests.participants.studies import result_for

    rates: dict[str, list[float]] = {"single": [], "bare": [], "batches": []}
    times: dict[str, list[float]] = {"single": [], "bare": [], "batches": []}
    results = f"/api/studies/{study.slug}/session/results/"
    for number in range(ROUNDS):
        sessions = begun_sessions(port, study.slug, clients=CLIENTS, run=str(number))

        def single(connection: Connection, trials: list[dict[str, Any]]) -> None:
            for trial in trials[:50]:
                connection.post(results, {"tab": "benchmark", "entries": [result_for(trial)]})

        def bare(connection: Connection, trials: list[dict[str, Any]]) -> None:
            for trial in trials[:50]:
                row = {"study": study.pk, "message": "x", "detail": json.dumps(result_for(trial))}
                connection.post("/bare/", row)

        def batches(connection: Connection, trials: list[dict[str, Any]]) -> None:
            for start in (50, 100):
                entries = [result_for(trial) for trial in trials[start : start + 50]]
                connection.post(results, {"tab": "benchmark", "entries": entries})

        for name, job, trials_each in (("bare", bare, 50), ("single", single, 50), ("batches", batches, 95)):
            seconds = together([lambda job=job, one=one: job(*one) for one in sessions])  # type: ignore[misc]
            rates[name].append(CLIENTS * trials_each / seconds)
            for connection, _ in sessions:
                times[name] += connection.seconds
                connection.seconds.clear()
    return {
        "trials_per_second": {name: round(statistics.median(values)) for name, values in rates.items()},
        "ratio_to_bare": round(
            statistics.median(a / b for a, b in zip(rates["single"], rates["bare"], strict=True)), 3
        ),
        "milliseconds": {
            name: {"p50": quantile(values, 0.5), "p99": quantile(values, 0.99)} for name, values in times.items()
        },
        "start_milliseconds": {"p50": quantile(start_seconds, 0.5), "p95": quantile(start_seconds, 0.95)},
        "trials_per_session": ITEMS + 2,
    }


def quantile(seconds: list[float], share: float) -> float:
    """Return a quantile in milliseconds."""
    ordered = sorted(seconds)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 1)


def main() -> None:
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
        with server(folder) as port:
            measured = measure(port, study)
        outcome = {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "database": connection.vendor,
            "python": platform.python_version(),
            "processors": os.cpu_count(),
            "load": round(os.getloadavg()[0], 1),
            **measured,
        }
        connection.close()
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"intake-{outcome['database']}.json").write_text(json.dumps(outcome, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(outcome, indent=2))


if __name__ == "__main__":
    main()

"""Redis is absent, killed, and back without its memory: participants notice nothing and every analysis is done once."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
import requests

from tests import needs
from tests.browser.platform import ROOT, free_port
from tests.faults.remote import WITH_THE_EMBEDDED_DEFAULT, RemoteBrowser, Server, serving

pytestmark = [
    pytest.mark.full("an analysis that a killed Redis loses or doubles"),
    pytest.mark.slow,
    pytest.mark.xdist_group("load"),
    WITH_THE_EMBEDDED_DEFAULT,
    needs.redis,
]

SLUG = "causes"
MAKE_DATA = f"""
from tests.analysis.studies import add_participants, make_study
from tests.participants.studies import open_study
add_participants(make_study({SLUG!r}), 4)
open_study("small-study")
"""


class Broker:
    """A Redis of this drill's own that keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no",
             "--dir", str(self.folder)],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + 20
        client = redis.Redis(port=self.port)
        while True:
            try:
                client.ping()
            except redis.ConnectionError:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            else:
                return

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            assert self.process.wait(timeout=10) == -signal.SIGKILL
            self.process = None


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    made = Broker(tmp_path)
    yield made
    made.kill()


@pytest.fixture
def server(broker: Broker, tmp_path: Path) -> Iterator[Server]:
    database = f"sqlite:///{tmp_path / 'lectern.sqlite3'}"
    with serving(tmp_path, MAKE_DATA, DATABASE_URL=database, CELERY_BROKER_URL=broker.url) as made:
        yield made


@pytest.fixture
def worker(server: Server) -> Iterator[None]:
    """A Celery worker that looks for its broker until it finds it."""
    with (server.folder / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", "--app", "config", "worker", "--beat", "--concurrency", "1",
             "--schedule", str(server.folder / "celerybeat"), "--loglevel", "WARNING"],
            cwd=ROOT,
            env={**server.environment, "C_FORCE_ROOT": "true"},
            stdout=log,
            stderr=log,
        )  # fmt: skip
    yield
    process.terminate()
    try:
        process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=10)


def request_analysis(server: Server, within: str) -> int:
    """Ask for an analysis as the page does and return the number of its run."""
    code = f"""
from analysis.studies.asking import request_run
from experiments.models import Study
params = {{"dv": "rating_z", "within": {within!r}}}
print(request_run(Study.objects.get(slug={SLUG!r}), method="rm-anova", params=params, user=None).pk)
"""
    return int(server.ask(code).split()[-1])


def wait_until_done(server: Server, run: int, seconds: float = 90) -> tuple[str, int]:
    """Wait for a run; return its status and how often it was begun."""
    code = f"""
import time
from analysis.models import AnalysisRun
deadline = time.monotonic() + {seconds}
while (run := AnalysisRun.objects.get(pk={run})).is_unfinished and time.monotonic() < deadline:
    time.sleep(0.2)
print(run.status, run.attempts)
"""
    status, attempts = server.ask(code).split()
    return status, int(attempts)


def test_every_analysis_is_done_once_whatever_happens_to_redis(broker: Broker, server: Server, worker: None) -> None:
    while_absent = request_analysis(server, "marker")
    browser = RemoteBrowser("small-study", server.address, unanswered=lambda: pytest.fail("no answer"))
    browser.begin()
    browser.answer(browser.trials[0])
    away = requests.get(f"{server.address}/readyz", timeout=30)
    assert (away.status_code, away.json()["broker"], len(away.json()["warnings"])) == (200, "unreachable", 1)
    broker.start()
    assert wait_until_done(server, while_absent) == ("done", 1)
    broker.kill()
    while_dead = request_analysis(server, "order")
    for trial in browser.trials[1:]:
        browser.answer(trial)
    browser.complete()
    # It comes back with nothing of what it held.
    broker.start()
    assert wait_until_done(server, while_dead) == ("done", 1)
    assert requests.get(f"{server.address}/readyz", timeout=30).status_code == 200
    server.run("manage.py", "check_data", "small-study")

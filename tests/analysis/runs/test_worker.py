"""The embedded worker as a real process: it survives what an analysis does to it, and an analysis survives its end."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.prepared import SET_UP, migrate

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.slow

MAKE_DATA = """
from tests.analysis.studies import add_participants, make_study
add_participants(make_study(), 4)
"""
REQUEST = """
from analysis.studies.asking import request_run
from experiments.models import Study
print(request_run(Study.objects.get(), method={method!r}, params={params!r}, user=None).pk)
"""


class Installation:
    """A database of its own in a folder, and the worker processes that a test starts on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "CELERY_BROKER_URL"}},
            "DJANGO_SETTINGS_MODULE": "tests.analysis.poison.settings",
            "VAR_DIR": str(folder),
            "LOG_LEVEL": "INFO",
        }
        self.started: list[subprocess.Popen[bytes]] = []

    def shell(self, code: str) -> str:
        """Run code in a process of its own, with Django set up, and return what it printed."""
        finished = subprocess.run(
            [sys.executable, "-c", SET_UP + code],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, finished.stderr
        return finished.stdout.strip()

    def request(self, method: str, **params: str) -> int:
        return int(self.shell(REQUEST.format(method=method, params=params)))

    def state(self, run: int) -> tuple[str, int, str, int, float]:
        """Return status, attempts, error, length of the report and progress."""
        with contextlib.closing(sqlite3.connect(self.folder / "lectern.sqlite3", timeout=20)) as database:
            question = "SELECT status, attempts, error, length(report), progress FROM analysis_analysisrun WHERE id = ?"
            status, attempts, error, length, progress = database.execute(question, [run]).fetchone()
            return status, attempts, error, length, progress

    def parts(self, run: int) -> list[tuple[str, int]]:
        """Return status and attempts of every part, in their order."""
        with contextlib.closing(sqlite3.connect(self.folder / "lectern.sqlite3", timeout=20)) as database:
            question = 'SELECT status, attempts FROM analysis_analysispart WHERE run_id = ? ORDER BY "index"'
            return database.execute(question, [run]).fetchall()

    def worker(self) -> subprocess.Popen[bytes]:
        log = (self.folder / "worker.log").open("ab")
        process = subprocess.Popen(
            [sys.executable, "manage.py", "worker"], cwd=ROOT, env=self.environment, stdout=log, stderr=log
        )
        self.started.append(process)
        return process

    def wait_for(self, run: int, *statuses: str, seconds: float = 400) -> tuple[str, int, str, int, float]:
        deadline = time.monotonic() + seconds
        while (state := self.state(run))[0] not in statuses:
            log = (self.folder / "worker.log").read_text()
            assert time.monotonic() < deadline, f"{state}\n{log}"
            time.sleep(0.1)
        return state

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Send SIGKILL to a worker that this test started, and to nothing else."""
        assert process in self.started
        assert process.poll() is None
        arguments = Path(f"/proc/{process.pid}/cmdline").read_bytes().split(b"\0")
        assert b"manage.py" in arguments
        assert b"worker" in arguments
        process.kill()
        process.wait(timeout=10)

    def stop(self) -> None:
        for process in self.started:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(timeout=15)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait(timeout=5)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A database with a study and its data, to be copied by every test."""
    installation = Installation(tmp_path_factory.mktemp("prepared"))
    database = installation.folder / "lectern.sqlite3"
    migrate(f"sqlite:///{database}")
    installation.shell(MAKE_DATA)
    return database


@pytest.fixture
def installation(tmp_path, prepared):
    path = tmp_path / "lectern.sqlite3"
    with contextlib.closing(sqlite3.connect(prepared)) as source, contextlib.closing(sqlite3.connect(path)) as copy:
        source.backup(copy)
    installation = Installation(tmp_path)
    yield installation
    installation.stop()


def children_of(pid: int) -> set[int]:
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(stat.rpartition(")")[2].split()[1]) == pid:
                found |= {int(entry.name)} | children_of(int(entry.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_an_analysis_survives_the_kill_of_its_worker_and_is_finished_once(installation):
    run = installation.request("slow")
    first = installation.worker()
    installation.wait_for(run, "running")
    descendants = children_of(first.pid)
    installation.kill(first)
    # A child that was just loading the methods when its worker was killed notices as soon as it has loaded them.
    deadline = time.monotonic() + 60
    while any(map(alive, descendants)):
        assert time.monotonic() < deadline, "a child went on computing after its worker was killed"
        time.sleep(0.1)
    assert installation.state(run)[0] == "running"
    installation.worker()
    status, attempts, error, length, progress = installation.wait_for(run, "done", "failed")
    assert (status, attempts, error, progress) == ("done", 2, "", 1.0)
    assert length > 1000


@pytest.mark.full("a worker process that loses work as it ends; one kill of a worker is always tested")
def test_a_killed_worker_loses_a_part_of_an_analysis_and_not_the_parts_that_are_done(installation):
    def wait_for_parts(*expected: tuple[str, int]) -> None:
        deadline = time.monotonic() + 90
        while (found := installation.parts(run))[: len(expected)] != list(expected):
            assert time.monotonic() < deadline, (found, (installation.folder / "worker.log").read_text())
            time.sleep(0.02)

    run = installation.request("steps")
    first = installation.worker()
    wait_for_parts(("done", 1), ("running", 1))
    installation.kill(first)
    assert installation.parts(run)[1] == ("running", 1)
    second = installation.worker()
    wait_for_parts(("done", 1), ("running", 2), ("queued", 0))
    status, attempts, error, _, progress = installation.wait_for(run, "done", "failed")
    assert (status, attempts, error, progress) == ("done", 1, "", 1.0)
    with contextlib.closing(sqlite3.connect(installation.folder / "lectern.sqlite3")) as database:
        (report,) = database.execute("SELECT report FROM analysis_analysisrun WHERE id = ?", [run]).fetchone()
    assert "rows: [1, 4, 9, 16, 25]" in report
    assert installation.parts(run) == []
    assert second.poll() is None


@pytest.mark.full("a worker process that loses work as it ends; one kill of a worker is always tested")
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_that_is_told_to_stop_gives_a_part_back(installation, told):
    run = installation.request("steps")
    worker = installation.worker()
    deadline = time.monotonic() + 90
    while ("running", 1) not in installation.parts(run)[1:]:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    time.sleep(0.5)  # a part takes two seconds
    # A keyboard interrupts every process of its terminal.
    for pid in (*(children_of(worker.pid) if told == signal.SIGINT else ()), worker.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, told)
    worker.wait(timeout=60)
    assert "Traceback" not in (installation.folder / "worker.log").read_text()
    assert {status for status, _ in installation.parts(run)} <= {"done", "queued"}
    assert all(attempts == (status == "done") for status, attempts in installation.parts(run))
    assert installation.state(run)[0] in ("running", "queued")


@pytest.mark.full("a worker process that loses work as it ends; one kill of a worker is always tested")
def test_poison_is_failed_with_a_sentence_and_the_worker_goes_on_to_the_next_analysis(installation):
    poison = {
        "hang": "longer than it may",
        "devour": "more memory",
        "crash": "The operating system ended the analysis",
        "leave": "The operating system ended the analysis",
    }
    runs = {method: installation.request(method) for method in poison}
    last = installation.request("normalise", dv="rating")
    worker = installation.worker()
    for method, sentence in poison.items():
        status, attempts, error, length, _ = installation.wait_for(runs[method], "done", "failed")
        assert (status, attempts, length) == ("failed", 1, 0), method
        assert sentence in error
    assert installation.wait_for(last, "done", "failed")[0] == "done"
    assert worker.poll() is None


@pytest.mark.full("a worker process that loses work as it ends; one kill of a worker is always tested")
def test_a_worker_that_is_told_to_stop_gives_its_analysis_back_and_ends(installation):
    run = installation.request("slow")
    worker = installation.worker()
    installation.wait_for(run, "running")
    worker.terminate()
    worker.wait(timeout=30)
    assert installation.state(run)[:3] == ("queued", 0, "")


@pytest.mark.full("a worker process that loses work as it ends; one kill of a worker is always tested")
def test_a_second_worker_on_the_same_folder_is_refused(installation):
    run = installation.request("normalise", dv="rating")
    installation.worker()
    installation.wait_for(run, "done")
    second = installation.worker()
    assert second.wait(timeout=90) == 1
    assert "Another worker is running" in (installation.folder / "worker.log").read_text()


@pytest.mark.full("a worker process that loses work as it ends; one kill of a worker is always tested")
def test_a_worker_ends_when_the_process_that_started_it_is_gone(installation):
    code = """
import os, subprocess, sys
log = open(sys.argv[1], "ab")
command = [sys.executable, "manage.py", "worker", "--parent", str(os.getpid())]
print(subprocess.Popen(command, stdout=log, stderr=log).pid)
"""
    # The parent is gone as soon as it has printed the worker's process id, long before the worker is ready.
    parent = subprocess.run(
        [sys.executable, "-c", code, str(installation.folder / "worker.log")],
        cwd=ROOT,
        env=installation.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    pid = int(parent.stdout)
    deadline = time.monotonic() + 90
    try:
        while alive(pid):
            assert time.monotonic() < deadline, "the worker outlived its parent"
            time.sleep(0.2)
    finally:
        if alive(pid) and b"worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(pid, signal.SIGKILL)

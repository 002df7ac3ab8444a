"""Web servers of a drill's own, and browsers that talk to them over HTTP and send again until there is an answer."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests

from participants.authentication import cookie_name
from tests import needs
from tests.browser.platform import ROOT, free_port, wait_until_ready
from tests.participants.studies import REQUIRED, result_for
from tests.prepared import SET_UP, migrate

# A drill brings its services itself, so it is the same beside every database.
WITH_THE_EMBEDDED_DEFAULT = needs.only_sqlite


class Server:
    """A web server in a process group of its own, on the database that `DATABASE_URL` names."""

    def __init__(
        self, folder: Path, *, application: str = "config.wsgi", config: str = "", workers: int = 1, **environment: str
    ) -> None:
        self.folder, self.application, self.config, self.workers = folder, application, config, workers
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {**os.environ, "LOG_LEVEL": "ERROR", **environment}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{self.port}",
                    "--workers", str(self.workers), "--worker-tmp-dir", str(self.folder), "--no-control-socket",
                    *(["--config", self.config] if self.config else []), self.application,
                ],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )  # fmt: skip
        wait_until_ready(f"{self.address}/healthz")

    def wait_until_dead(self) -> None:
        assert self.process is not None
        assert self.process.wait(timeout=20) == -signal.SIGKILL

    def stop(self) -> None:
        """End what this drill started, if it still lives."""
        if self.process is not None and self.process.poll() is None:
            assert os.getpgid(self.process.pid) == self.process.pid
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=20)

    def run(self, *arguments: str) -> str:
        """Run Python in this server's environment and return what it printed; fails where it failed."""
        finished = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        assert finished.returncode == 0, f"{finished.stdout}\n{finished.stderr}"
        return finished.stdout

    def ask(self, code: str) -> str:
        """Run lines of code with the models of this server's database and return what they printed."""
        return self.run("-c", SET_UP + code)


@contextmanager
def serving(folder: Path, data: str, *, config: str = "", workers: int = 1, **environment: str) -> Iterator[Server]:
    """Serve a new database with the `data` that lines of code make in it; the server ends with the block.

    With the platform's `config` of gunicorn it has threads, as where people take part; without one it has none.
    """
    var = folder / "var"
    var.mkdir(exist_ok=True)
    server = Server(
        folder,
        config=config,
        workers=workers,
        **{"VAR_DIR": str(var), "DJANGO_SETTINGS_MODULE": "config.settings", "DEBUG": "true", **environment},
    )
    try:
        migrate(server.environment.get("DATABASE_URL") or f"sqlite:///{var / 'lectern.sqlite3'}")
        server.ask(data)
        server.start()
        yield server
    finally:
        server.stop()


def an_open_study(slug: str, *, items: int, fillers: int) -> str:
    """Return the lines of code that make a study and open it."""
    return f"from tests.participants.studies import open_study; open_study({slug!r}, items={items}, fillers={fillers})"


class RemoteBrowser:
    """A browser that keeps what it has until it is acknowledged; `unanswered` is what it does before it tries again.

    No answer and the answer 503 are the same to it: it sends again. `acknowledged` is position to hash.
    """

    def __init__(self, slug: str, address: str, *, unanswered: Callable[[], None], seed: int = 0) -> None:
        self.slug, self.address, self.unanswered = slug, address, unanswered
        self.rng = random.Random(f"remote browser {seed}")
        self.start_key = str(uuid.UUID(int=self.rng.getrandbits(128)))
        self.cookies: dict[str, str] = {}
        self.headers: dict[str, str] = {}
        self.trials: list[dict[str, Any]] = []
        self.acknowledged: dict[int, str] = {}
        self.refusals = 0

    def post(self, path: str, body: Any) -> requests.Response:
        """Send until there is an answer."""
        while True:
            try:
                answer = requests.post(
                    f"{self.address}/api/studies/{self.slug}/{path}",
                    json=body,
                    cookies=self.cookies,
                    headers=self.headers,
                    timeout=30,
                )
            except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError):
                # Also where the server died in the middle of its answer.
                self.unanswered()
                continue
            if answer.status_code == 503:
                assert "results" not in answer.json(), "what was not stored may not be acknowledged"
                self.refusals += 1
                self.unanswered()
                continue
            name = cookie_name(self.slug)
            cookie = answer.cookies.get(name)
            if cookie is not None:
                self.cookies = {name: cookie}
            return answer

    def start(self) -> None:
        consent = {"version": 1, "required": [True] * len(REQUIRED)}
        started = self.post("sessions/", {"start_key": self.start_key, "consent": consent})
        assert started.status_code in {200, 201}, started.text

    def begin(self) -> None:
        self.start()
        opened = self.post("session/open/", {"tab": "tab"})
        assert opened.status_code == 200, opened.text
        self.trials = opened.json()["trials"]

    def send(self, *entries: dict[str, Any]) -> None:
        answer = self.post("session/results/", {"tab": "tab", "entries": entries})
        assert answer.status_code == 200, answer.text
        self.acknowledged |= {result["sequence"]: result["hash"] for result in answer.json()["results"]}

    def answer(self, trial: dict[str, Any], **changes: Any) -> None:
        self.send(result_for(trial, number=self.rng.randint(1, 99), **changes))

    def complete(self) -> None:
        assert self.post("session/complete/", {}).json()["complete"]

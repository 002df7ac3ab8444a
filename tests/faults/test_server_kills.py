"""The server is killed while results arrive: before it reads them, before the commit, and before the answer."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from django.db import connection

from experiments.models import Study
from participants.authentication import cookie_name
from participants.models import IntakeProblem, Response, Session
from tests.browser.platform import ROOT, free_port, wait_until_ready
from tests.participants.studies import REQUIRED, open_study, result_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.xdist_group("load")]

KILLS = 2


class Server:
    """A web server of its own on the database of this test."""

    def __init__(self, folder: Path, fail_point: str) -> None:
        self.marker = folder / "die"
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.log"
        self.environment = {
            **os.environ,
            "DATABASE_URL": database_url(),
            "DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"],
            "FAIL_POINT": fail_point,
            "FAIL_MARKER": str(self.marker),
            "LOG_LEVEL": "ERROR",
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{self.port}", "--workers", "1",
                    "--worker-tmp-dir", str(self.log.parent), "--no-control-socket", "tests.faults.failing_wsgi",
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
        """End what this test started, if it still lives."""
        if self.process is not None and self.process.poll() is None:
            assert os.getpgid(self.process.pid) == self.process.pid
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(timeout=20)


def database_url() -> str:
    """Return the address of the test database for another process."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    user = settings["USER"] + (f":{settings['PASSWORD']}" if settings["PASSWORD"] else "")
    return f"postgres://{user}@{settings['HOST']}:{settings['PORT']}/{settings['NAME']}"


@pytest.fixture(params=["parsed", "before-commit", "committed"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path, request.param)
    started.start()
    yield started
    started.stop()


class RemoteBrowser:
    """A browser that talks to the server over HTTP and sends again for as long as there is no answer."""

    def __init__(self, study: Study, server: Server) -> None:
        self.server, self.slug = server, study.slug
        self.cookies: dict[str, str] = {}
        self.acknowledged: dict[int, str] = {}

    def post(self, path: str, body: Any) -> requests.Response:
        address = f"{self.server.address}/api/studies/{self.slug}/{path}"
        answer = requests.post(address, json=body, cookies=self.cookies, timeout=20)
        name = cookie_name(self.slug)
        if name in answer.cookies:
            self.cookies = {name: answer.cookies[name]}
        return answer

    def begin(self) -> list[dict[str, Any]]:
        consent = {"version": 1, "required": [True] * len(REQUIRED)}
        assert self.post("sessions/", {"start_key": "a-start-key-of-this-drill", "consent": consent}).status_code == 201
        return list(self.post("session/open/", {"tab": "tab"}).json()["trials"])

    def send(self, entries: list[dict[str, Any]]) -> None:
        """Send until it is acknowledged; where the server died, start it again as a service manager would."""
        while True:
            try:
                answer = self.post("session/results/", {"tab": "tab", "entries": entries})
            except requests.ConnectionError:
                self.server.wait_until_dead()
                self.server.start()
                continue
            assert answer.status_code == 200, answer.text
            self.acknowledged |= {result["sequence"]: result["hash"] for result in answer.json()["results"]}
            return


def test_nothing_acknowledged_is_lost_and_nothing_is_stored_twice(
    server: Server, sound: Callable[[Study], None]
) -> None:
    study = open_study(items=8)
    browser = RemoteBrowser(study, server)
    trials = browser.begin()
    rng = random.Random(server.environment["FAIL_POINT"])
    killed_at = set(rng.sample(range(len(trials)), KILLS))
    for trial in trials:
        if trial["position"] in killed_at:
            server.marker.touch()
        browser.send([result_for(trial, number=rng.randint(1, 99))])
    assert not server.marker.exists(), "the server was to die once more and did not"
    assert browser.post("session/complete/", {}).json()["complete"]
    stored = dict(Response.objects.values_list("trial__position", "content_hash"))
    assert stored == browser.acknowledged
    assert len(stored) == len(trials)
    assert not IntakeProblem.objects.exists()
    assert Session.objects.get().status == Session.Status.COMPLETE
    sound(study)

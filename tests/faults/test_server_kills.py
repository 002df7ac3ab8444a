"""The server is killed while results arrive: before it reads them, before the commit, and before the answer."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection

from experiments.models import Study
from participants.models import IntakeProblem, Response, Session
from tests.faults.remote import RemoteBrowser, Server
from tests.participants.studies import open_study

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.xdist_group("load")]

KILLS = 2


def database_url() -> str:
    """Return the address of the test database for another process."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    user = settings["USER"] + (f":{settings['PASSWORD']}" if settings["PASSWORD"] else "")
    return f"postgres://{user}@{settings['HOST']}:{settings['PORT']}/{settings['NAME']}"


@pytest.fixture(params=["parsed", "before-commit", "committed"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    started = Server(
        tmp_path,
        application="tests.faults.failing_wsgi",
        DATABASE_URL=database_url(),
        FAIL_POINT=request.param,
        FAIL_MARKER=str(tmp_path / "die"),
    )
    started.start()
    yield started
    started.stop()


def test_nothing_acknowledged_is_lost_and_nothing_is_stored_twice(
    server: Server, sound: Callable[[Study], None]
) -> None:
    def start_again() -> None:
        """Start the server again as a service manager would."""
        server.wait_until_dead()
        server.start()

    study = open_study(items=8)
    browser = RemoteBrowser(study.slug, server.address, unanswered=start_again)
    browser.begin()
    marker = Path(server.environment["FAIL_MARKER"])
    rng = random.Random(server.environment["FAIL_POINT"])
    killed_at = set(rng.sample(range(len(browser.trials)), KILLS))
    for trial in browser.trials:
        if trial["position"] in killed_at:
            marker.touch()
        browser.answer(trial)
    assert not marker.exists(), "the server was to die once more and did not"
    browser.complete()
    stored = dict(Response.objects.values_list("trial__position", "content_hash"))
    assert stored == browser.acknowledged
    assert len(stored) == len(browser.trials)
    assert not IntakeProblem.objects.exists()
    assert Session.objects.get().status == Session.Status.COMPLETE
    sound(study)

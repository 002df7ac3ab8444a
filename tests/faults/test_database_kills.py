"""PostgreSQL is killed under load, and stopped for a while: everybody finishes, and nothing acknowledged is lost."""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from participants.sealing import digest
from tests import needs
from tests.faults.postgres import Cluster
from tests.faults.remote import WITH_THE_EMBEDDED_DEFAULT, RemoteBrowser, Server, an_open_study, serving

pytestmark = [
    pytest.mark.full("an acknowledged result that a killed PostgreSQL loses"),
    pytest.mark.slow,
    pytest.mark.xdist_group("load"),
    WITH_THE_EMBEDDED_DEFAULT,
    needs.postgresql,
    needs.processes,
]

PEOPLE = 8
# The full drill is LECTERN_DATABASE_KILLS=10 and LECTERN_DATABASE_STOP=300 (seconds).
KILLS = int(os.environ.get("LECTERN_DATABASE_KILLS", "2"))
STOPPED_FOR = float(os.environ.get("LECTERN_DATABASE_STOP", "4"))
SLUG = "small-study"


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    # Not below pytest's own folder: every pytest that starts closes it to other accounts, and to PostgreSQL's.
    with tempfile.TemporaryDirectory(prefix="lectern-postgres-") as place:
        folder = Path(place, "postgres")
        folder.mkdir()
        made = Cluster(folder)
        made.start()
        yield made
        made.remove()


@pytest.fixture
def server(cluster: Cluster, tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, an_open_study(SLUG, items=16, fillers=8), workers=2, DATABASE_URL=cluster.url) as made:
        yield made


class Person(Thread):
    """Takes part from start to end, however often the database is gone."""

    def __init__(self, address: str, seed: int) -> None:
        super().__init__(daemon=True)
        self.browser = RemoteBrowser(SLUG, address, unanswered=lambda: time.sleep(0.2), seed=seed)
        self.finished = False

    def run(self) -> None:
        self.browser.begin()
        for trial in self.browser.trials:
            self.browser.answer(trial)
            time.sleep(self.browser.rng.uniform(0.05, 0.35))
        self.browser.complete()
        self.finished = True


def test_everybody_finishes_and_nothing_acknowledged_is_lost(cluster: Cluster, server: Server) -> None:
    rng = random.Random("kills of the database")
    people = [Person(server.address, seed) for seed in range(PEOPLE)]
    for person in people:
        person.start()
    for _ in range(KILLS):
        time.sleep(rng.uniform(0.6, 1.6))
        cluster.kill()
        cluster.start()
    time.sleep(rng.uniform(0.3, 0.8))
    cluster.stop()
    unfinished = sum(not person.finished for person in people)
    time.sleep(STOPPED_FOR)
    cluster.start()
    for person in people:
        person.join(timeout=120)
    assert all(person.finished for person in people)
    assert unfinished > 0, "the faults came too late to mean anything"
    assert sum(person.browser.refusals for person in people) > 0, "nobody met a server without its database"
    stored: dict[str, dict[str, str]] = json.loads(server.ask(STORED))
    assert stored == {
        digest(person.browser.start_key): {str(at): hashed for at, hashed in person.browser.acknowledged.items()}
        for person in people
    }
    assert all(len(person.browser.acknowledged) == len(person.browser.trials) for person in people)
    server.run("manage.py", "check_data", SLUG)


def test_whoever_was_let_in_is_known_after_the_database_was_killed(cluster: Cluster, server: Server) -> None:
    rng = random.Random("kills of the database while people start")
    over = Event()
    let_in: list[str] = []

    def come_in(door: int) -> None:
        number = 0
        while not over.is_set():
            number += 1
            person = RemoteBrowser(SLUG, server.address, unanswered=lambda: time.sleep(0.05), seed=door * 1000 + number)
            person.start()
            let_in.append(digest(person.start_key))

    doors = [Thread(target=come_in, args=(door,), daemon=True) for door in range(PEOPLE)]
    for door in doors:
        door.start()
    for kill in range(KILLS + 1):
        enough, waited = 15 * (kill + 1), time.monotonic()
        while len(let_in) < enough:
            assert time.monotonic() < waited + 120, f"{len(let_in)} of {enough} were let in"
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.2))
        cluster.kill()
        cluster.start()
    over.set()
    for door in doors:
        door.join(timeout=120)
    known = json.loads(server.ask(KNOWN))
    assert len(known) == len(set(known)), "somebody was let in twice"
    assert not set(let_in) - set(known)
    server.run("manage.py", "check_data", SLUG)


KNOWN = """
import json
from participants.models import Session
print(json.dumps(list(Session.objects.values_list("start_key_hash", flat=True))))
"""
STORED = """
import json
from collections import defaultdict
from participants.models import IntakeProblem, Response
stored = defaultdict(dict)
for key, position, digest in Response.objects.values_list(
    "trial__session__start_key_hash", "trial__position", "content_hash"
):
    stored[str(key)][str(position)] = digest
assert not IntakeProblem.objects.exists()
print(json.dumps(stored))
"""

"""After a withdrawal the bytes of the database, of its log and of the log's index hold nothing of who withdrew."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.utils import timezone

from config.sqlite.log import begin_anew
from participants.erasure import traces, upkeep
from participants.erasure.identities import erase_identities
from participants.erasure.whole_studies import erase_all
from participants.erasure.withdrawal import withdraw
from participants.models import Erasure, Participant, Response, Session
from participants.sealing import digest
from tests import needs
from tests.participants.studies import Browser, open_study

pytestmark = [
    pytest.mark.django_db(transaction=True),
    needs.only_sqlite,
]

QUESTION = {"name": "remark", "label": "Anything else?", "kind": "text", "required": False}


def bytes_on_disk() -> bytes:
    path = Path(connection.settings_dict["NAME"])
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))


def log() -> bytes:
    return Path(f"{connection.settings_dict['NAME']}-wal").read_bytes()


def nobody_takes_part() -> None:
    Session.objects.update(last_seen_at=timezone.now() - traces.QUIET * 2)


def fill(number: int) -> tuple[Any, list[bytes]]:
    """Let people take part, each with words of their own in every kind of row; return the study and the words."""
    study = open_study(items=8, conditions=2)
    words = []
    for seed in range(number):
        word = f"unmistakable-{seed:03d}-"
        browser = Browser(study, seed=seed, recruitment={"PROLIFIC_PID": f"{word}recruited"})
        browser.start(client={"agent": f"{word}browser"})
        browser.open()
        for position in range(len(browser.trials)):
            events = {"kind": "events", "sequence": position, "batch": 0, "events": [{"typed": f"{word}event" * 200}]}
            browser.send(browser.result(position), events)
        browser.post("session/errors/", {"message": f"{word}error", "detail": f"{word}detail" * 300})
        session = Session.objects.get(start_key_hash=digest(browser.start_key))
        Response.objects.filter(trial__session=session).update(payload={"typed": f"{word}answer" * (seed + 1)})
        words.append(word.encode())
    return study, words


def test_a_withdrawal_leaves_no_bytes() -> None:
    _study, words = fill(12)
    before = bytes_on_disk()
    assert all(word in before for word in words)
    for number, participant in enumerate(Participant.objects.order_by("pk")):
        if number % 2 == 0:
            withdraw(participant, by_participant=True)
    assert [word for word in words[::2] if word in log()] == []
    nobody_takes_part()
    upkeep.look_after()
    after = bytes_on_disk()
    assert [word for word in words[::2] if word in after] == []
    assert all(word in after for word in words[1::2])
    assert not Erasure.objects.filter(traces_left=True).exists()


def test_the_end_of_retention_leaves_no_bytes() -> None:
    study, words = fill(6)
    study.status = "closed"
    study.save()
    erase_all(study, user=None)
    upkeep.look_after()
    after = bytes_on_disk()
    assert [word for word in words if word in after] == []


def test_erased_recruitment_ids_leave_no_bytes() -> None:
    study, words = fill(3)
    erase_identities(study, user=None)
    nobody_takes_part()
    upkeep.look_after()
    after = bytes_on_disk()
    assert [word for word in words if word + b"recruited" in after] == []
    assert all(word + b"answer" in after for word in words)


def test_the_database_is_not_written_anew_while_people_take_part() -> None:
    _study, words = fill(2)
    withdraw(Participant.objects.order_by("pk")[0], by_participant=True)
    upkeep.look_after()
    assert Erasure.objects.filter(traces_left=True).count() == 1
    assert words[0] not in log()
    nobody_takes_part()
    upkeep.look_after()
    assert not Erasure.objects.filter(traces_left=True).exists()


def test_somebody_who_reads_puts_it_off_and_the_worker_does_it_later() -> None:
    _study, words = fill(2)
    with closing(DatabaseWrapper.Database.connect(connection.settings_dict["NAME"], isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM participants_response").fetchone()
        for participant in Participant.objects.all():
            withdraw(participant, by_participant=True)
        upkeep.look_after()
        assert Erasure.objects.filter(traces_left=True).count() == 2
        reader.execute("ROLLBACK")
    upkeep.look_after()
    assert not Erasure.objects.filter(traces_left=True).exists()
    after = bytes_on_disk()
    assert [word for word in words if word in after] == []


def test_the_log_is_not_begun_anew_while_somebody_writes(tmp_path: Path) -> None:
    path = tmp_path / "one.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("CREATE TABLE words (word)")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO words VALUES ('kept')")

        class Impatient:
            OperationalError = sqlite3.OperationalError

            @staticmethod
            def connect(name: Path, *, isolation_level: None, timeout: float) -> sqlite3.Connection:
                return sqlite3.connect(name, isolation_level=isolation_level, timeout=min(timeout, 0.05))

        assert begin_anew(Impatient, path) is False
        writer.execute("COMMIT")
        assert begin_anew(sqlite3, path) is True
        assert writer.execute("SELECT word FROM words").fetchall() == [("kept",)]
        assert writer.execute("PRAGMA integrity_check").fetchone() == ("ok",)

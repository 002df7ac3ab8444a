"""While people write, a backup holds whole transactions only, and everything that was acknowledged before it began."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection, transaction

from participants.backups import archive
from participants.models import BrowserError
from tests import needs
from tests.participants.studies import open_study

pytestmark = [
    pytest.mark.django_db(transaction=True),
    needs.only_sqlite,  # pg_dump reads one snapshot by itself
]
WRITERS, BACKUPS = 3, 5


def test_copies_hold_whole_transactions(tmp_path: Path, settings) -> None:
    settings.ERASURE_JOURNAL = tmp_path / "erasures.jsonl"
    study = open_study()
    stop = threading.Event()
    acknowledged = [0] * WRITERS

    def write(number: int) -> None:
        try:
            while not stop.is_set():
                with transaction.atomic():
                    for half in ("first", "second"):
                        BrowserError.objects.create(study=study, message=half, detail=f"{number}" * 500)
                acknowledged[number] += 1
        finally:
            connection.close()

    writers = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    try:
        for number in range(BACKUPS):
            before = sum(acknowledged)
            archive.write(tmp_path / f"{number}.backup")
            with (
                archive.opened(tmp_path / f"{number}.backup", key_file=None, beside=tmp_path) as backup,
                closing(sqlite3.connect(backup.database)) as copy,
            ):
                halves = dict(copy.execute("SELECT message, count(*) FROM participants_browsererror GROUP BY message"))
            assert halves.get("first", 0) == halves.get("second", 0) >= before
            until = sum(acknowledged) + 20
            while sum(acknowledged) < until:
                assert all(writer.is_alive() for writer in writers)
                stop.wait(0.01)
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert BrowserError.objects.count() == 2 * sum(acknowledged)
    assert min(acknowledged) > 0

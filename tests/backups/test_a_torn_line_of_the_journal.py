"""A line of the journal of erasures that a power failure tore costs no other withdrawal, and stops no backup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from participants.backups import archive
from participants.backups.refusals import BackupRefusal
from participants.erasure import journal
from participants.models import Erasure


def entry(letter: str) -> journal.Entry:
    return journal.Entry(letter * 64, Erasure.Kind.WITHDRAWN, timezone.now())


def digests(path: Path) -> list[str]:
    return [each.digest[0] for each in journal.read(path)]


@pytest.fixture
def path(settings: Any, tmp_path: Path) -> Path:
    settings.ERASURE_JOURNAL = tmp_path / "erasures.jsonl"
    journal.append([entry("a")])
    return tmp_path / "erasures.jsonl"


@pytest.mark.parametrize("length", [1, 8, 40, -1])
def test_the_next_withdrawal_is_read_after_a_torn_line(path: Path, length: int) -> None:
    with path.open("a") as file:
        file.write(entry("b").line()[:length])
    expected = ["a", "b"] if length == -1 else ["a"]
    assert digests(path) == expected
    journal.append([entry("c")])
    journal.append([entry("d")])
    assert digests(path) == [*expected, "c", "d"]


@pytest.mark.parametrize("length", [1, 8, 40, -1])
def test_what_an_older_version_wrote_onto_a_torn_line_is_read(path: Path, length: int) -> None:
    path.write_text(path.read_text() + entry("b").line()[:length] + entry("c").line() + entry("d").line())
    assert digests(path) == (["a", "b", "c", "d"] if length == -1 else ["a", "c", "d"])


@pytest.mark.django_db
def test_a_line_that_is_no_entry_is_named_with_what_to_do(path: Path, tmp_path: Path) -> None:
    path.write_text(path.read_text() + "no entry\n" + entry("b").line())
    with pytest.raises(BackupRefusal, match=r"Line 2 of the journal .* take this line out .* Nothing was written"):
        archive.write(tmp_path / "one.backup")
    assert not (tmp_path / "one.backup").exists()

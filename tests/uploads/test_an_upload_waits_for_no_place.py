"""An upload that finds all places taken is answered at once, with a sentence and when to come again, on every page."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from experiments.models import AuditEntry, Item, MediaFile, Study
from experiments.study.lifecycle import create_study
from experiments.uploads import process, reading

pytestmark = pytest.mark.slow


@pytest.fixture
def study(db: None) -> Study:
    owner = get_user_model().objects.create_user("ada", password="a long password", is_staff=True)
    return create_study(slug="full", title="Full", paradigm="rating", user=owner, owner=owner)


@pytest.fixture
def owner(study: Study, client: Client) -> Client:
    assert study.owner is not None
    client.force_login(study.owner)
    return client


@pytest.fixture
def no_place() -> Iterator[None]:
    """Take all places."""
    for _place in range(reading.AT_ONCE):
        assert reading._places.acquire(blocking=False)
    yield
    for _place in range(reading.AT_ONCE):
        reading._places.release()


def file(name: str, content: bytes = b"item,text\n1,a\n") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


# A page for which an upload has to be read → what is sent.
PAGES: dict[str, Callable[[], dict[str, Any]]] = {
    "study:check_materials": lambda: {"file": file("items.csv")},
    "study:store_materials": lambda: {"table": "item,text\n1,a\n", "name": "items.csv"},
    "study:add_media": lambda: {"files": file("dog.png", b"\x89PNG")},
    "study:questions": lambda: {"action": "table", "table": file("questions.csv")},
    "study:upload_wording": lambda: {"file": file("sw.json", b"{}")},
    "study:look": lambda: {"logo": file("logo.png", b"\x89PNG"), "colour": ""},
    "analysis:scores": lambda: {"file": file("scores.csv"), "note": "made up"},
    "analysis:word_scores": lambda: {"file": file("words.csv"), "note": "made up", "together": "sum"},
}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_with_an_upload_says_that_it_is_busy(page: str, study: Study, owner: Client, no_place: None) -> None:
    before = AuditEntry.objects.count()
    began = time.monotonic()
    answer = owner.post(reverse(page, args=[study.slug]), PAGES[page]())
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "nothing was stored" in answer.content.decode()
    assert time.monotonic() - began < 30
    assert (AuditEntry.objects.count(), Item.objects.count(), MediaFile.objects.count()) == (before, 0, 0)


def test_a_study_file_and_a_pasted_table_wait_for_no_place_either(study: Study, owner: Client, no_place: None) -> None:
    given = {"way": "file", "file": file("study.toml", b'title = "x"'), "slug": ""}
    assert owner.post(reverse("study:start"), given).status_code == 503
    assert owner.post(reverse("study:check_materials", args=[study.slug]), {"pasted": "item,text"}).status_code == 503
    assert Study.objects.count() == 1


def test_a_place_is_given_back(study: Study, owner: Client) -> None:
    for _upload in range(reading.AT_ONCE + 1):
        assert owner.post(reverse("study:check_materials", args=[study.slug]), {"pasted": "item"}).status_code == 422
    with pytest.raises(reading.TooCostly):
        reading.read_in_child("os:getcwd")
    assert reading.read_in_child("experiments.formats.csvtext:guarded", "=1") == "'=1"


def test_more_files_than_places_are_refused_at_once() -> None:
    outcomes: list[str] = []

    def read() -> None:
        try:
            reading.read_in_child("experiments.design.latin_square:lists", 10**9, 50, seconds=1)
        except (reading.Busy, reading.TooCostly) as refusal:
            outcomes.append(type(refusal).__name__)

    threads = [threading.Thread(target=read) for _upload in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["Busy"] * 4 + ["TooCostly"] * 2


def test_a_reading_process_that_was_killed_is_started_again() -> None:
    assert reading.read_in_child("experiments.formats.csvtext:guarded", "a") == "a"
    assert process._reader is not None
    os.kill(process._reader.process.pid, signal.SIGKILL)
    process._reader.process.wait()
    assert reading.read_in_child("experiments.formats.csvtext:guarded", "b") == "b"


def test_the_reading_process_knows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_reader", None)
    monkeypatch.setenv("SECRET_KEY", "not for the child")
    assert reading.read_in_child("experiments.formats.csvtext:guarded", "a") == "a"
    assert process._reader is not None
    known = Path(f"/proc/{process._reader.process.pid}/environ").read_bytes()
    assert b"PATH=" in known
    assert b"SECRET" not in known

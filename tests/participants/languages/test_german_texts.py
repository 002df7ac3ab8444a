"""Participants read their study in its language; no text of their pages lacks its German."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from django.conf import settings
from django.test import Client

from config.translations import texts_in, texts_of_pages
from experiments.models import Study
from tests.participants.studies import Browser, open_study

ROOT = Path(settings.BASE_DIR)
CATALOG = ROOT / "config" / "locale" / "de" / "LC_MESSAGES" / "django.po"
# These modules speak to participants; those that speak to researchers stand in `test_pages_in_german`.
MODULES = [
    "api/base.py", "api/preview.py", "session/assignment.py", "refusals.py", "session/completing.py",
    "session/starting.py", "session/supervision.py", "session/endings.py", "session/recruitment.py",
    "views/pages.py", "views/coming_back.py", "erasure/withdrawal.py",
]  # fmt: skip
SOURCES = [
    *(ROOT / "participants" / "templates" / "participants").glob("*.html"),
    *(ROOT / "config" / "templates").glob("*.html"),
    *(ROOT / "participants" / module for module in MODULES),
]


def texts_of(source: Path) -> list[Any]:
    return [text for text, _context in texts_in(source)]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    with CATALOG.open("rb") as file:
        return read_po(file, locale="de")


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_every_text_has_its_german(source: Path, catalog: Catalog) -> None:
    for text in texts_of(source):
        message = catalog.get(text if isinstance(text, str) else text[0])
        assert message is not None, f"no German for {text!r}"
        assert message.string, f"empty German for {text!r}"
        assert not message.fuzzy


def test_placeholders_survive_the_translation(catalog: Catalog) -> None:
    for message in catalog:
        if message.id:
            originals = [message.id] if isinstance(message.id, str) else list(message.id)
            translated = [message.string] if isinstance(message.string, str) else list(message.string or ())
            for original, german in zip(originals, translated, strict=True):
                assert sorted(re.findall(r"%\(\w+\)s", original)) == sorted(re.findall(r"%\(\w+\)s", german))


def test_no_german_text_is_left_over(catalog: Catalog) -> None:
    used = texts_of_pages()
    assert [message.id for message in catalog if message.id and used.get(message.id, message.context) is None] == []


@pytest.fixture
def german(db: None) -> Study:
    return open_study(language="de", title="Sätze, die seltsam klingen")


def test_pages_speak_the_language_of_the_study_not_of_the_browser(german: Study, client: Client) -> None:
    page = client.get("/s/small-study/", headers={"Accept-Language": "en"}).content.decode()
    assert '<html lang="de" translate="no">' in page
    for words in ("Dauer", "etwa 12 Minuten", "Ich stimme zu und beginne", "einen ruhigen Ort"):
        assert words in page
    assert "Widerrufscode" in client.get("/s/small-study/withdraw/").content.decode()


def test_refusals_speak_the_language_of_the_study(german: Study, client: Client) -> None:
    assert "laufende Teilnahme" in Browser(german).open().json()["message"]
    Study.objects.update(is_paused=True)
    assert "macht gerade Pause" in Browser(german).start().json()["message"]
    assert "macht gerade Pause" in client.get("/s/small-study/").content.decode()


def test_an_english_study_stays_english_in_a_german_browser(study: Study, client: Client) -> None:
    page = client.get("/s/small-study/", headers={"Accept-Language": "de"}).content.decode()
    assert '<html lang="en" translate="no">' in page
    assert "I agree and start" in page


def test_the_start_page_speaks_the_language_of_the_browser(db: None, client: Client) -> None:
    assert (
        "Sie wurden zu einer Studie eingeladen" in client.get("/", headers={"Accept-Language": "de"}).content.decode()
    )
    assert "You were invited" in client.get("/", headers={"Accept-Language": "fr"}).content.decode()

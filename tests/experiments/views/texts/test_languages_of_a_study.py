"""The pages on which a study gets further languages, and what opening asks of them."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from experiments.models import Study
from experiments.rules.own_texts import own_texts
from experiments.study.lifecycle import open_study, save_questions, save_text
from experiments.study.opening import opening_faults, opening_warnings
from experiments.study_files import create_from_archive, study_archive

HAND = {"name": "hand", "label": "Which hand?", "kind": "choice", "choices": ["left", "right"], "required": True}


@pytest.fixture
def client(researcher, ready: Study) -> Client:
    save_questions(ready, [HAND], researcher)
    client = Client()
    client.force_login(researcher)
    return client


def said_of(study: Study, step: str = "languages") -> list[str]:
    study.refresh_from_db()
    return [str(fault) for fault in opening_faults(Study.objects.get(pk=study.pk)) if fault.step == step]


def described(archive: bytes) -> dict[str, Any]:
    with ZipFile(BytesIO(archive)) as members:
        found: dict[str, Any] = json.loads(members.read("study.json"))
    return found


def add(client: Client, study: Study, tag: str = "de") -> None:
    address = reverse("study:languages", args=[study.slug])
    assert client.post(address, {"add": tag})["Location"] == reverse("study:translations", args=[study.slug, tag])


def translate(client: Client, study: Study, **texts: str) -> None:
    study = Study.objects.get(pk=study.pk)
    every = {one.key: texts.get(one.key, f"DE {one.text}") for one in own_texts(study)}
    assert client.post(reverse("study:translations", args=[study.slug, "de"]), every).status_code == 302


def test_a_study_with_a_further_language_opens_once_everything_is_translated(client: Client, ready: Study) -> None:
    add(client, ready)
    [said] = said_of(ready)
    assert said.startswith("German: ")
    assert "6 texts are not translated: 'Causal sentences', " in said
    page = client.get(reverse("study:translations", args=[ready.slug, "de"])).content.decode()
    assert "Which hand?" in page
    assert 'name="parts.background.hand.choices.left"' in page
    assert "missing" in client.get(reverse("study:languages", args=[ready.slug])).content.decode()
    translate(client, ready)
    assert said_of(ready) == []
    assert "complete" in client.get(reverse("study:languages", args=[ready.slug])).content.decode()
    study = open_study(Study.objects.get(pk=ready.pk), None)
    kept = study.texts.filter(language="de", version=1).values_list("kind", flat=True)
    assert set(kept) == {"welcome", "consent", "instructions", "debriefing"}


def test_what_was_translated_as_two_equal_choices_is_refused_before_opening(client: Client, ready: Study) -> None:
    add(client, ready)
    same = {f"parts.background.hand.choices.{one}": "Hand" for one in ("left", "right")}
    translate(client, ready, **same)
    assert said_of(ready) == [
        "German: Part 'background': Question 'hand': two choices read “Hand”. "
        "Translate them so that they can be told apart."
    ]


def test_texts_have_versions_in_every_language(client: Client, ready: Study, researcher) -> None:
    add(client, ready)
    page = client.get(reverse("study:text", args=[ready.slug, "consent"]) + "?language=de").content.decode()
    assert "Einwilligung" in page or "freiwillig" in page
    address = reverse("study:text", args=[ready.slug, "consent"]) + "?language=de"
    given = {
        "body": "# Ihre Rechte",
        "required_boxes": "Ja",
        "optional_boxes": "",
        "markup": "markdown",
        "action": "save",
    }
    assert client.post(address, given)["Location"] == address
    assert client.post(address, {**given, "body": "# Rechte"}).status_code == 302
    versions = ready.texts.filter(kind="consent", language="de").order_by("version").values_list("version", "body")
    assert list(versions)[-1][1] == "# Rechte"
    assert ready.texts.get(kind="consent", language="").is_default
    told = [str(one) for one in opening_warnings(Study.objects.get(pk=ready.pk))]
    assert "Consent: edited in German, still the standard text in English. Check that both say the same." in told


def test_a_language_goes_with_its_texts_after_asking(client: Client, ready: Study) -> None:
    add(client, ready)
    translate(client, ready)
    address = reverse("study:languages", args=[ready.slug])
    assert "erased permanently" in client.post(address, {"remove": "de"}).content.decode()
    ready.refresh_from_db()
    assert ready.languages == ["de"]
    client.post(address, {"remove": "de", "confirmed": "yes"})
    ready.refresh_from_db()
    assert (ready.languages, ready.translations) == ([], {})


def test_an_archive_brings_languages_translations_and_texts_back(client: Client, ready: Study, researcher) -> None:
    add(client, ready)
    translate(client, ready)
    study = Study.objects.get(pk=ready.pk)
    save_text(study.said_in("de"), "debriefing", "Danke.", researcher)
    archive = study_archive(Study.objects.get(pk=ready.pk))
    made = create_from_archive(archive, user=researcher, slug="again")
    assert (made.languages, made.translations) == (["de"], study.translations)
    assert made.texts.get(kind="debriefing", language="de").body == "Danke."
    assert described(study_archive(made)) == {**described(archive), "study": described(study_archive(made))["study"]}
    assert described(archive)["languages"] == ["en", "de"]


def test_items_of_every_language_are_rotated_among_each_other(client: Client, ready: Study) -> None:
    add(client, ready)
    translate(client, ready)
    for number, item in enumerate(ready.items.filter(is_filler=False, is_practice=False)):
        item.attributes = {**item.attributes, "language": ["en", "de"][number // 2]}
        item.save()
    [said] = said_of(ready, "materials")
    assert "its lists are not balanced within each language" in said

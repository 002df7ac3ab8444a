"""Participants' pages are whole in every language that a study can have, on the server as in the browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from experiments.languages import LANGUAGES, language_choices, language_of_texts
from experiments.models import Study, StudyText
from experiments.paradigms.timed_choice.answers import answers_in
from experiments.paradigms.timed_choice.settings import DEFAULT_ANSWERS
from experiments.rules.wording import LANGUAGE
from experiments.study.lifecycle import create_study
from experiments.study.opening import opening_warnings
from tests.participants.languages.test_german_texts import ROOT, SOURCES, texts_of
from tests.participants.studies import open_study

TAGS = [tag for tag in LANGUAGES if tag != "en"]
# Errors of the platform, its first page and what judges read speak English or German.
FOR_OTHERS = {"home.html", "reading.html", "preview.py"}
TEXTS = {
    text if isinstance(text, str) else tuple(text)
    for source in SOURCES
    if source.name not in FOR_OTHERS and source.parent != ROOT / "config" / "templates"
    for text in texts_of(source)
}


def catalogue_of(tag: str) -> Catalog:
    with (ROOT / "config" / "locale" / tag / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=tag)


def values_in(text: str) -> list[str]:
    return sorted(re.findall(r"%\(\w+\)s", text))


@pytest.mark.parametrize("tag", TAGS)
def test_every_text_of_the_server_is_there_with_its_values_and_all_its_forms(tag: str) -> None:
    catalogue = catalogue_of(tag)
    for text in TEXTS:
        english = text if isinstance(text, str) else text[0]
        message = catalogue.get(english)
        assert message is not None, f"no {tag} for {english!r}"
        assert not message.fuzzy, english
        forms = [message.string] if isinstance(message.string, str) else list(message.string or ())
        assert len(forms) == (1 if isinstance(text, str) else catalogue.num_plurals), english
        assert all(form.strip() for form in forms), f"empty {tag} for {english!r}"
        assert values_in(forms[-1]) == values_in(english if isinstance(text, str) else text[-1])
        assert not any("!" in form for form in forms)


@pytest.mark.parametrize("tag", [tag for tag in TAGS if tag != "de"])
def test_nothing_is_left_over_in_a_catalogue_for_participants_alone(tag: str) -> None:
    wanted = {text if isinstance(text, str) else text[0] for text in TEXTS}
    assert {m.id if isinstance(m.id, str) else m.id[0] for m in catalogue_of(tag) if m.id} == wanted


def test_every_language_has_its_file_for_the_browser_and_no_file_is_forgotten() -> None:
    folder = Path(ROOT) / "frontend" / "src" / "languages"
    assert {path.stem for path in folder.glob("??.ts")} == set(LANGUAGES)
    assert {path.stem for path in folder.glob("*.json")} == set(TAGS)
    assert {path.stem for path in (folder / "seldom").glob("*.json")} == set(TAGS)


@pytest.mark.parametrize("tag", TAGS)
def test_pages_are_in_the_language_of_the_study(db: None, client: Client, tag: str) -> None:
    open_study(language=tag)
    page = client.get("/s/small-study/").content.decode()
    with translation.override(tag):
        direction = ' dir="rtl"' if translation.get_language_bidi() else ""
    assert f'<html lang="{tag}" translate="no"{direction}>' in page
    agree = catalogue_of(tag).get("I agree and start")
    assert agree is not None
    assert escape(str(agree.string)) in page


def test_the_choice_says_which_languages_no_native_speaker_has_read() -> None:
    choices = dict(language_choices())
    assert choices["de"] == "German"
    assert choices["es"] == "Spanish (español) – not yet read by a native speaker"


def test_questions_that_are_still_english_are_told(db: None) -> None:
    user = get_user_model().objects.create_user("ada")
    study = create_study(slug="oraciones", title="Oraciones", user=user, paradigm="rating", language="es")
    told, unread = [fault for fault in opening_warnings(study) if "still" in fault.message]
    assert told.step == "texts"
    assert unread.message == (
        "No native speaker has checked the platform's texts in Spanish yet, and these are still unchanged: the "
        "text of the landing page, the consent, the instructions, the debriefing."
    )
    assert told.message == "The pages are in Spanish, but these texts are still in English: the rating questions."
    task = study.tasks[0]
    task.settings = {
        **task.settings,
        "questions": [{"name": "naturalidad", "text": "¿Suena natural?", "kind": "scale"}],
    }
    task.save(update_fields=["settings"])
    StudyText.objects.filter(study=study).update(body="Bienvenida.", required_boxes=["Acepto."], is_default=False)
    study = Study.objects.get()
    assert not [fault for fault in opening_warnings(study) if "still" in fault.message]


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_answers_of_a_timed_choice_begin_in_the_language_of_the_study(db: None, client: Client, tag: str) -> None:
    user = get_user_model().objects.create_superuser("ada", "ada@example.org", "ada")
    client.force_login(user)
    given = {"way": "paradigm", "title": "Words", "slug": "words", "paradigm": "timed-choice", "language": tag}
    assert client.post(reverse("study:start"), given).status_code == 302
    answers = answers_in(Study.objects.get().tasks[0].settings.get("answers", DEFAULT_ANSWERS))
    assert [answer.name for answer in answers] == ["no", "yes"]
    assert [answer.key for answer in answers] == ["f", "j"]
    seen = {answer.label for answer in answers}
    assert (seen == {"no", "yes"}) == (tag == "en")
    (study,) = Study.objects.all()
    english = [fault.message for fault in opening_warnings(study) if "are still in English" in fault.message]
    assert bool(english) != LANGUAGES[tag].has_texts
    assert not any("the answers" in message for message in english)


def test_answers_that_are_still_english_are_told(db: None) -> None:
    user = get_user_model().objects.create_user("ada")
    study = create_study(slug="palabras", title="Palabras", user=user, paradigm="timed-choice", language="es")
    (told,) = [fault for fault in opening_warnings(study) if "are still in English" in fault.message]
    assert told.message == "The pages are in Spanish, but these texts are still in English: the answers."


def test_texts_that_are_not_in_the_language_of_the_interface_are_told(db: None) -> None:
    assert (language_of_texts("es"), language_of_texts("sw")) == ("es", "en")
    user = get_user_model().objects.create_user("ada")
    study = create_study(slug="sentences", title="Sentences", user=user, paradigm="maze", wording={LANGUAGE: "sw"})
    (told,) = [fault for fault in opening_warnings(study) if "still" in fault.message]
    assert told.message.endswith(
        "still in English: the text of the landing page, the consent, the instructions, the debriefing."
    )
    StudyText.objects.filter(study=study).update(body="Karibu.", required_boxes=["Ndiyo."], is_default=False)
    assert not [fault for fault in opening_warnings(study) if "still" in fault.message]

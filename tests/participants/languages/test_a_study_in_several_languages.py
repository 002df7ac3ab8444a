"""A study in several languages: its pages, its texts and its answers, from the landing page to the data."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from analysis.codebook.people import participant_columns
from analysis.exports.rows.people import participant_rows
from experiments.models import Item, Study, StudyText
from experiments.procedure.sessions import session_stimuli
from experiments.rules.own_texts import own_texts
from experiments.study.lifecycle import copy_study
from participants.models import Session, Trial
from tests.participants.studies import OPTIONAL, REQUIRED, Browser, open_study

QUESTIONS: list[dict[str, Any]] = [
    {
        "name": "hand",
        "label": "Which hand do you write with?",
        "kind": "choice",
        "choices": ["left", "right"],
        "required": True,
        "help": "",
    }
]


@pytest.fixture
def study(db: None) -> Study:
    study = open_study(
        questions=QUESTIONS,
        languages=["de", "he"],
        translations={
            "de": {
                "title": "Seltsame Sätze",
                "parts.background.hand.label": "Mit welcher Hand schreiben Sie?",
                "parts.background.hand.choices.left": "links",
                "parts.background.hand.choices.right": "rechts",
                "parts.task.settings.modulus_text": "Die Tür wurde geöffnet.",
            },
            "he": {"title": "משפטים"},
        },
    )
    for tag, body in {"de": "# Ihre Rechte\n\nSie können aufhören.", "he": "אפשר להפסיק."}.items():
        for version in (1, 2):
            StudyText.objects.create(
                study=study, kind="consent", language=tag, version=version, body=body, required_boxes=["Ja"]
            )
        StudyText.objects.create(study=study, kind="instructions", language=tag, body=f"Urteilen ({tag}).")
        StudyText.objects.create(study=study, kind="welcome", language=tag, body=f"Hallo ({tag}).")
        StudyText.objects.create(study=study, kind="debriefing", language=tag, body="Danke für {title}.")
    return study


def start(study: Study, tag: str, *, seed: int = 0, version: int = 2) -> Browser:
    browser = Browser(study, seed=seed)
    consent = {"version": version, "required": [True], "optional": {}}
    if tag == "en":
        consent = {"version": 1, "required": [True] * len(REQUIRED), "optional": {OPTIONAL[0]: True}}
    answer = browser.post(
        f"sessions/?lang={tag}", {"start_key": browser.start_key, "consent": consent, "client": {}, "recruitment": {}}
    )
    assert answer.status_code == 201, answer.content
    return browser


def opened(browser: Browser) -> dict[str, Any]:
    body: dict[str, Any] = browser.post("session/open/", {"tab": browser.tab}).json()
    return body


def test_the_landing_page_is_in_the_language_of_its_address_and_offers_the_others(study: Study) -> None:
    page = Client().get("/s/small-study/?lang=de&PROLIFIC_PID=abc").content.decode()
    assert '<html lang="de"' in page
    assert "Seltsame Sätze" in page
    assert "Ihre Rechte" in page
    assert "Hallo (de)" in page
    assert '<nav class="languages" aria-label="Sprache">' in page
    # The rest of the address stays: who somebody is must not get lost by choosing a language.
    assert 'href="?lang=en&amp;PROLIFIC_PID=abc" lang="en"' in page
    assert "/continue/?lang=de" in page
    assert '<html lang="en"' in Client().get("/s/small-study/").content.decode()
    assert '<html lang="en"' in Client().get("/s/small-study/?lang=xx").content.decode()


def test_a_language_from_the_right_has_its_direction(study: Study) -> None:
    page = Client().get("/s/small-study/?lang=he").content.decode()
    assert '<html lang="he" translate="no" dir="rtl"' in page


def test_a_study_in_one_language_offers_none(db: None) -> None:
    open_study("alone")
    assert 'class="languages"' not in Client().get("/s/alone/?lang=de").content.decode()


def test_a_session_stays_in_the_language_in_which_it_began(study: Study) -> None:
    browser = start(study, "de")
    session = Session.objects.get()
    assert (session.language, session.consent_version) == ("de", 2)
    trials = opened(browser)["trials"]
    asked = next(trial for trial in trials if trial["plugin"] == "background-questions")["params"]
    [question] = asked["questions"]
    assert asked["title"] == "Über Sie"
    assert question["label"] == "Mit welcher Hand schreiben Sie?"
    assert question["choices"] == ["left", "right"]
    assert question["said"] == {"left": "links", "right": "rechts"}
    instructions = next(trial for trial in trials if trial["plugin"] == "pages")["params"]["pages"]
    assert instructions == [[{"type": "paragraph", "text": "Urteilen (de)."}]]
    modulus = next(trial for trial in trials if trial["phase"] == "modulus")
    assert "Die Tür wurde geöffnet." in str(modulus["params"])
    for address in ("/s/small-study/run/", "/s/small-study/run/?lang=en", "/s/small-study/"):
        assert '<html lang="de"' in browser.client.get(address).content.decode()
    # Somebody else at this computer can choose another one.
    assert '<html lang="en"' in browser.client.get("/s/small-study/?lang=en").content.decode()


def test_the_consent_that_somebody_read_is_that_of_their_language(study: Study) -> None:
    browser = Browser(study)
    consent = {"version": 1, "required": [True, True], "optional": {}}
    refused = browser.post("sessions/?lang=de", {"start_key": browser.start_key, "consent": consent, "client": {}})
    assert refused.json()["code"] == "consent-changed"
    assert "Einwilligung" in refused.json()["message"]


def test_answers_are_stored_alike_and_the_language_is_a_column(study: Study) -> None:
    for number, tag in enumerate(["en", "de"]):
        browser = start(study, tag, seed=number)
        trials = opened(browser)["trials"]
        asked = next(trial for trial in trials if trial["plugin"] == "background-questions")
        entry = {
            "kind": "result",
            "sequence": asked["position"],
            "payload": {"answers": {"hand": "left"}, "times": {}},
            "rt_ms": 900.0,
            "onset_ms": 1.0,
            "clock": "none",
            "interrupted": False,
            "attempts": 1,
            "focus_losses": 0,
            "event_batches": 0,
        }
        stored = browser.post("session/results/", {"tab": browser.tab, "entries": [entry]})
        assert stored.json()["results"][0]["status"] == "stored", stored.content
    names = [column.name for column in participant_columns(study)]
    rows = [dict(zip(names, row, strict=True)) for row in participant_rows(study)]
    assert names[-1] == "language"
    assert [(row["hand"], row["language"]) for row in rows] == [("left", "en"), ("left", "de")]


def test_lists_are_balanced_within_every_language(study: Study) -> None:
    for number, tag in enumerate(["en", "de", "de", "en", "de", "de"]):
        start(study, tag, seed=number)
    lists: dict[str, list[int]] = {}
    for tag, index in Session.objects.order_by("pk").values_list("language", "list__index"):
        lists.setdefault(tag, []).append(index)
    assert sorted(lists["en"]) == [0, 1]
    assert sorted(lists["de"]) == [0, 0, 1, 1]


def test_people_see_the_items_of_their_language_alone(study: Study) -> None:
    for item, tag in zip(
        Item.objects.filter(is_filler=False).order_by("position"), ["en", "en", "de", "de"], strict=True
    ):
        item.attributes = {"language": tag}
        item.save()
    said = study.said_in("de")
    one = said.task.lists.first()
    assert {each.item for each in session_stimuli(said, one)} == {"item-3", "item-4", "filler-1", "filler-2"}
    opened(start(study, "de"))
    shown = Trial.objects.exclude(stimulus=None).values_list("stimulus__item__code", flat=True)
    assert "item-1" not in set(shown)


def test_a_study_that_is_said_in_a_further_language_is_not_stored(study: Study) -> None:
    with pytest.raises(TypeError, match="cannot be stored"):
        study.said_in("de").save()
    assert study.said_in("de").said_in("").title == "Sentences that sound odd"
    assert study.task.settings["modulus_text"] == "The door was by the porter opened."


def test_own_texts_have_keys_by_names_and_a_copy_says_them_all(study: Study) -> None:
    keys = [one.key for one in own_texts(study)]
    assert "parts.background.hand.choices.left" in keys
    copy = copy_study(study, "copy", None)
    assert copy.translations == study.translations
    read = copy.texts.filter(language="de").order_by("kind").values_list("kind", "body")
    assert dict(read)["consent"].startswith("# Ihre Rechte")

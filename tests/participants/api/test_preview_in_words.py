"""The panel of the preview speaks in labels and words; internal names are in the payload alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from experiments.models import Study
from participants.api.preview_words import stored_in_words
from tests.participants.studies import open_study

PAYLOAD = {"typed": "120", "number": 120, "modulus_number": 10, "first_key_ms": 300, "edits": 0, "refused": []}
HERE = "/api/studies/small-study/preview/"


@pytest.fixture
def reviewer(db: None, django_user_model: Any) -> Client:
    client = Client()
    client.force_login(django_user_model.objects.create_superuser("root"))
    return client


def test_every_page_says_what_it_is(reviewer: Client) -> None:
    study = open_study(labels={"order": {"label": "Word order", "levels": {"level-0": "Verb first"}}})
    opened = reviewer.get(HERE).json()
    assert len(opened["pages"]) == len(opened["trials"])
    mains = [page for page, trial in zip(opened["pages"], opened["trials"], strict=True) if trial["phase"] == "main"]
    assert [page["heading"] for page in mains] == [f"Trial {number}" for number in range(1, len(mains) + 1)]
    facts = [{fact["label"]: fact["value"] for fact in page["facts"]} for page in mains]
    name = study.lists.get(pk=opened["list"]).name
    assert {fact["List"] for fact in facts} == {name}
    assert {fact["Item"].removesuffix(" (filler)") for fact in facts} == {
        item.code for item in study.items.filter(is_practice=False)
    }
    # Fillers belong to no condition.
    assert {fact.get("Word order") for fact in facts} <= {"Verb first", "level-1", None}
    assert "Verb first" in {fact.get("Word order") for fact in facts}


def test_what_is_stored_is_told_with_its_label_and_unit(reviewer: Client) -> None:
    open_study()
    opened = reviewer.get(HERE).json()
    at = next(number for number, trial in enumerate(opened["trials"]) if trial["phase"] == "main")
    trial = opened["trials"][at]
    body = {
        "plugin": trial["plugin"], "params": trial["params"], "position": trial["position"], "list": opened["list"],
        "seed": opened["seed"], "group": "", "payload": PAYLOAD, "rt_ms": 1234.56,
    }  # fmt: skip
    judged = reviewer.post(f"{HERE}validate/", body, content_type="application/json").json()
    assert judged["valid"], judged
    told = {fact["label"]: fact["value"] for fact in judged["stored"]}
    assert told["Rating"] == "120"
    assert told["Reaction time"] == "1234.6 ms"
    refused = reviewer.post(
        f"{HERE}validate/", {**body, "payload": {**PAYLOAD, "typed": "many"}}, content_type="application/json"
    ).json()
    assert not refused["valid"]
    assert refused["stored"] == []


def test_answers_to_questions_carry_the_question() -> None:
    params = {"questions": [{"name": "hand", "label": "Which hand do you write with?"}]}
    told = stored_in_words(params, {"answers": {"hand": "left"}}, {}, rt_ms=None)
    assert told == [{"label": "Which hand do you write with?", "value": "left"}]


def test_a_list_in_an_answer_is_counted_and_nothing_is_endless() -> None:
    told = stored_in_words({}, {}, {"typed": "a" * 5000, "best": [{"x": 1}, {"x": 2}]}, rt_ms=None)
    assert [len(fact["value"]) <= 300 for fact in told] == [True, True]
    assert told[1]["value"] == "2 entries"


def test_sessions_of_participants_get_no_words_about_items(db: None) -> None:
    from tests.participants.studies import Browser

    study: Study = open_study("another")
    participant = Browser(study, seed=1)
    participant.start()
    assert "pages" not in participant.open()

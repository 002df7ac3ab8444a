"""Sessions below what the study asks for are flagged, on the page of watching and on their own, and not excluded."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from experiments.models import Stimulus, Study
from experiments.paradigms import paradigm_named
from participants.models import Session, Trial
from participants.watching.monitoring import overview
from participants.watching.session_quality import flagged_sessions, flags_of, quality_of
from tests.participants.recall_studies import open_recall_study, recall_everything, recall_of
from tests.participants.studies import Browser, open_study, payload_for, result_for

SENTENCE = "Fewer than 70 % of the arithmetic problems were answered correctly"


@pytest.fixture
def recall_study(db: None) -> Study:
    return open_recall_study()


def flags(study: Study) -> dict[str, tuple[str, ...]]:
    return {flag.label: flag.sessions for flag in overview(study, simulated=False).flags}


def test_a_session_with_too_few_right_answers_is_flagged(recall_study: Study) -> None:
    recall_everything(recall_study, seed=1)
    recall_everything(recall_study, seed=2, wrong=1)
    good, poor = Session.objects.order_by("pk")
    assert flags(recall_study) == {SENTENCE: (poor.participant.pseudonym,)}
    assert (flags_of(good), flags_of(poor)) == ([], [SENTENCE])
    assert {fact.name: fact.value for fact in quality_of(poor)}["arithmetic_accuracy"] == 0.5
    assert not poor.is_excluded


def test_the_threshold_is_that_of_the_study(recall_study: Study) -> None:
    recall_everything(recall_study, wrong=1)
    recall_study.settings["accuracy_threshold"] = 50
    recall_study.save()
    assert flags(recall_study) == {}


def test_a_session_that_still_runs_is_not_flagged(recall_study: Study) -> None:
    browser = Browser(recall_study)
    browser.start()
    browser.open()
    trial = next(trial for trial in browser.trials if trial["phase"] == "main")
    browser.send(recall_of(trial, wrong=2))
    assert flags(recall_study) == {}
    assert flags_of(Session.objects.get()) == []


def test_the_pages_name_the_flag(recall_study: Study, admin_user: Any) -> None:
    recall_everything(recall_study, wrong=2)
    client = Client()
    client.force_login(admin_user)
    pseudonym = Session.objects.get().participant.pseudonym
    assert SENTENCE in client.get(reverse("watch:watch", args=[recall_study.slug])).content.decode()
    page = client.get(reverse("watch:participant", args=[recall_study.slug, pseudonym])).content.decode()
    assert SENTENCE in page
    assert "arithmetic_accuracy" in page


def test_the_export_names_the_flag(recall_study: Study, tmp_path: Path) -> None:
    recall_everything(recall_study, seed=1)
    recall_everything(recall_study, seed=2, wrong=2)
    call_command("export_data", recall_study.slug, out=tmp_path)
    with (tmp_path / "participants.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["arithmetic_accuracy"], row["quality_flags"]) for row in rows] == [("1.0", ""), ("0.0", SENTENCE)]
    assert [row["excluded"] for row in rows] == ["false", "false"]


def test_the_pages_know_which_choice_was_right(db: None) -> None:
    # Which choice is right is in the private part of a trial, which browsers do not get.
    study = open_study(slug="reading", paradigm="self-paced-reading")
    paradigm = paradigm_named("self-paced-reading")
    study.settings = paradigm.complete_settings({"comprehension_threshold": 80})
    study.save()
    Stimulus.objects.filter(item__part__study=study).update(
        extra={"question": "Is it one?", "choices": "Yes | No", "answer": "Yes"}
    )
    good, poor = (Browser(study, seed=seed) for seed in (1, 2))
    for browser, is_right in ((good, True), (poor, False)):
        browser.start()
        browser.open()
        answers = [reading_of(study, trial, is_right=is_right) for trial in browser.trials]
        assert browser.send(*answers).status_code == 200
        assert browser.complete().json()["complete"]
    first, second = Session.objects.order_by("pk")
    sentence = "fewer than 80 % of the questions about the texts were answered correctly"
    assert {fact.name: fact.value for fact in quality_of(first)}["comprehension"] == 1.0
    assert (flags_of(first), flags_of(second)) == ([], [sentence])
    assert flags(study) == {sentence: (second.participant.pseudonym,)}


def reading_of(study: Study, trial: dict[str, Any], *, is_right: bool) -> dict[str, Any]:
    result = result_for({**trial, "plugin": "pages", "params": {"pages": []}})
    if trial["plugin"] != "self-paced-reading":
        return {**result, "payload": payload_for(trial)}
    private = Trial.objects.filter(session__study=study, position=trial["position"]).latest("pk").private
    presses = [300.0 * number for number in range(len(trial["params"]["regions"]) + 1)]
    choice = private["right_choice"] if is_right else 1 - private["right_choice"]
    return {
        **result,
        "payload": {
            "first_key_ms": 500.0,
            "presses": presses,
            "onsets": [press + 12 for press in presses[:-1]],
            "frame_interval_ms": 16.7,
            "touches": 0,
            "question": {"choice": choice, "rt_ms": 900.0},
        },
    }


def test_looking_at_flags_reads_no_answers(recall_study: Study) -> None:
    recall_everything(recall_study, seed=1, wrong=1)
    recall_everything(recall_study, seed=2)
    poor, _good = Session.objects.order_by("pk")
    with CaptureQueriesContext(connection) as statements:
        assert flagged_sessions(recall_study, simulated=False) == {SENTENCE: [poor.pk]}
    assert [one["sql"] for one in statements if "participants_response" in one["sql"]] == []
    recall_everything(recall_study, seed=3, wrong=1)
    new = Session.objects.latest("pk")
    assert flagged_sessions(recall_study, simulated=False) == {SENTENCE: [poor.pk, new.pk]}
    poor.delete()
    assert flagged_sessions(recall_study, simulated=False) == {SENTENCE: [new.pk]}
    assert flagged_sessions(recall_study, simulated=True) == {}


def test_a_paradigm_without_thresholds_flags_nobody(db: None) -> None:
    study = open_study()
    Browser(study).answer_all()
    assert flags(study) == {}
    assert flags_of(Session.objects.get()) == []

"""Sessions below what the study asks for are flagged, on the page of watching and on their own, and not excluded."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from experiments.models import Study
from participants.models import Session
from participants.monitoring import overview
from participants.session_quality import flags_of, quality_of
from tests.participants.recall_studies import open_recall_study, recall_everything, recall_of
from tests.participants.studies import Browser, open_study

SENTENCE = "Fewer than 70 % of the arithmetic problems were answered right"


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


def test_a_paradigm_without_thresholds_flags_nobody(db: None) -> None:
    study = open_study()
    Browser(study).answer_all()
    assert flags(study) == {}
    assert flags_of(Session.objects.get()) == []

"""Trials whose page stood still, or went on with a text from before a reload, are known: on pages and in exports."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from analysis.exports import stream
from experiments.models import Study
from participants.models import Response
from participants.watching.invariants import stored_as_acknowledged
from participants.watching.monitoring import _flags
from tests.participants.studies import Browser

pytestmark = pytest.mark.django_db
TOLD = {"draft_restored": True, "page_slept_ms": 8_250.0}


@pytest.fixture
def browser(study: Study) -> Browser:
    browser = Browser(study)
    browser.start()
    browser.open()
    browser.send(browser.result(0))
    browser.send(browser.result(1, **TOLD))
    return browser


def test_it_is_stored_as_it_was_sent(browser: Browser, study: Study) -> None:
    assert list(Response.objects.order_by("trial__position").values(*TOLD)) == [dict.fromkeys(TOLD), TOLD]
    assert stored_as_acknowledged(study) == []


@pytest.mark.parametrize(
    "told", [{"draft_restored": False}, {"draft_restored": "yes"}, {"page_slept_ms": -1}, {"page_slept_ms": True}]
)
def test_anything_else_is_refused(browser: Browser, told: dict[str, Any]) -> None:
    assert browser.send(browser.result(2, **told)).json()["results"][0]["status"] == "refused"


def test_researchers_are_told_under_watch(browser: Browser, study: Study) -> None:
    name = str(Response.objects.first().trial.session.participant)
    labels = {str(flag.label): flag.sessions for flag in _flags(study, simulated=False)}
    assert labels["The page stood still during a trial"] == (name,)


def test_the_file_of_trials_says_of_which_trial(browser: Browser, study: Study) -> None:
    content = b"".join(stream(study, "trials.csv")).decode("utf-8")
    rows = list(csv.DictReader(io.StringIO(content, newline="")))
    assert list(rows[0])[-2:] == list(TOLD)
    assert [float(row["page_slept_ms"]) for row in rows if row["draft_restored"] == "true"] == [8_250.0]
    assert {row["page_slept_ms"] for row in rows if row["draft_restored"] == ""} == {""}

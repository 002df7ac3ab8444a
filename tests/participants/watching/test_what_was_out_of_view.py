"""Answers that timed something that was not wholly in the window are known as such: on pages, in exports, by rules."""

from __future__ import annotations

import csv
import io

import pytest

from analysis.exports import stream
from experiments.models import Study
from participants.models import Response, Session
from participants.session.planned_exclusion import planned_exclusion_of
from participants.views.participant import trial_rows
from participants.watching.invariants import stored_as_acknowledged
from participants.watching.monitoring import _flags
from tests.participants.studies import Browser

pytestmark = pytest.mark.django_db


def exported_trials(study: Study) -> list[dict[str, str]]:
    text = b"".join(stream(study, "trials.csv", variant="plain")).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.fixture
def browser(study: Study) -> Browser:
    browser = Browser(study)
    browser.start()
    browser.open()
    browser.send(browser.result(0))
    browser.send(browser.result(1, out_of_view=0))
    browser.send(browser.result(2, out_of_view=2))
    return browser


def test_it_is_stored_as_it_was_sent(browser: Browser, study: Study) -> None:
    stored = Response.objects.order_by("trial__position").values_list("out_of_view", flat=True)
    assert list(stored) == [None, 0, 2]
    assert stored_as_acknowledged(study) == []


@pytest.mark.parametrize("value", [-1, True, 1.5, "1", 32_768, [1]])
def test_anything_but_a_number_and_nothing_is_refused(browser: Browser, value: object) -> None:
    assert browser.send(browser.result(3, out_of_view=value)).json()["results"][0]["status"] == "refused"


def test_the_same_answer_sent_again_is_a_duplicate(browser: Browser) -> None:
    assert browser.send(browser.result(2, out_of_view=2)).json()["results"][0]["status"] == "duplicate"
    assert browser.send(browser.result(2, out_of_view=1)).json()["results"][0]["status"] == "conflict"


def test_researchers_are_told_under_watch_and_beside_the_trial(browser: Browser, study: Study) -> None:
    session = Response.objects.first().trial.session
    flags = {str(flag.label): flag for flag in _flags(study, simulated=False)}
    flag = flags["A timed element was not completely in the window"]
    assert (flag.sessions, flag.detail) == ((str(session.participant),), "1 trial")
    noted = [[str(note) for note in row.notes] for row in trial_rows(session)[:3]]
    assert noted == [[], [], ["not completely in the window: 2"]]


def test_the_file_of_trials_has_the_number_or_nothing(browser: Browser, study: Study) -> None:
    assert [row["out_of_view"] for row in exported_trials(study)[:3]] == ["", "0", "2"]


def test_the_rule_of_a_plan_leaves_out_what_was_stored_so(study: Study) -> None:
    browser = Browser(study)
    browser.start()
    browser.open()
    targets = [trial["position"] for trial in browser.trials if trial["params"].get("kind") == "target"]
    sent = [
        browser.result(trial["position"], out_of_view=int(trial["position"] == targets[1])) for trial in browser.trials
    ]
    browser.send(*sent)
    assert browser.complete().json()["complete"]
    Study.objects.filter(pk=study.pk).update(plan={"exclusion_rules": [{"rule": "out-of-view-trial"}]})
    study.refresh_from_db()
    assert planned_exclusion_of(Session.objects.select_related("study").get(study=study)) == ""
    ruled = [row["position"] for row in exported_trials(study) if row["exclusion_reason"].startswith("planned rule")]
    assert ruled == [str(targets[1])]

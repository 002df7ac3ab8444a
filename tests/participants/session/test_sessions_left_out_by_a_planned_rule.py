"""A finished session that a rule of the plan leaves out is counted as such, and frees its place and the quota."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.data.frames import study_data
from participants.models import Session
from participants.session.assignment import list_counts, valid_sessions
from participants.session.facts import state_of
from participants.watching.invariants import lists_are_balanced
from participants.watching.monitoring import overview, place_condition, tally_of
from tests.participants.studies import Browser, open_study

pytestmark = pytest.mark.django_db
RULE = {"exclusion_rules": [{"rule": "fast-participant", "ms": 300, "share": 0.1}]}
REASON = "planned rule: answered more than 10 % of the trials faster than 300 ms"


@pytest.fixture
def study(owner):
    return open_study(plan=RULE, quota=2, owner=owner)


@pytest.fixture
def owner(django_user_model):
    return django_user_model.objects.create_user("owner", password="a long password", is_staff=True)


def take_part(study, *, seed, rt_ms):
    browser = Browser(study, seed=seed)
    assert browser.start().status_code == 201
    browser.open()
    browser.send(*[browser.result(trial["position"], rt_ms=rt_ms) for trial in browser.trials])
    assert browser.complete().json()["complete"]
    return Session.objects.latest("pk")


def test_the_verdict_is_stored_when_the_session_is_finished_and_is_that_of_the_export(study):
    hasty = take_part(study, seed=1, rt_ms=120.0)
    calm = take_part(study, seed=2, rt_ms=2100.0)
    assert (hasty.planned_exclusion, calm.planned_exclusion) == (REASON, "")
    rows = study_data(study).frame.groupby("session")["exclusion_reason"].unique().map(list).to_dict()
    assert rows == {str(hasty.pk): [REASON], str(calm.pk): [""]}


def test_it_frees_its_place_in_the_list_and_does_not_fill_the_quota(study):
    hasty = take_part(study, seed=1, rt_ms=120.0)
    assert sum(list_counts(study, simulated=False, now=timezone.now()).values()) == 0
    calm = take_part(study, seed=2, rt_ms=2100.0)
    assert calm.list_id == hasty.list_id, "the place that became free is taken first"
    assert state_of(study) == "open"
    take_part(study, seed=3, rt_ms=2100.0)
    assert state_of(study) == "full"
    assert Browser(study, seed=4).start().status_code == 409
    assert lists_are_balanced(study) == []


def test_it_is_counted_as_such_while_watching(study, owner, client):
    hasty = take_part(study, seed=1, rt_ms=120.0)
    take_part(study, seed=2, rt_ms=2100.0)
    tally = overview(study, simulated=False).tally
    assert (tally.started, tally.finished, tally.excluded, tally.ruled_out) == (2, 1, 0, 1)
    assert tally_of(study, simulated=False) == tally
    found = Session.objects.filter(place_condition(study, "ruled_out"))
    assert [session.pk for session in found] == [hasty.pk]
    client.force_login(owner)
    shown = client.get(reverse("watch:watch", args=[study.slug])).content.decode()
    assert "excluded by a planned rule" in shown
    person = client.get(reverse("watch:participant", args=[study.slug, hasty.participant.pseudonym])).content.decode()
    assert REASON in person


def test_a_session_that_was_stored_before_verdicts_were_is_judged_when_it_is_counted(study):
    hasty = take_part(study, seed=1, rt_ms=120.0)
    Session.objects.update(planned_exclusion=None)
    assert valid_sessions(study, simulated=False, now=timezone.now()).count() == 0
    hasty.refresh_from_db()
    assert hasty.planned_exclusion == REASON


def test_a_study_without_rules_leaves_nobody_out():
    study = open_study("without-rules")
    session = take_part(study, seed=1, rt_ms=1.0)
    assert session.planned_exclusion == ""
    assert overview(study, simulated=False).tally.finished == 1

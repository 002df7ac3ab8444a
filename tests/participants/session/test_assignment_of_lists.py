"""Which list the next participant gets."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from experiments.models import Study
from participants.models import Session
from participants.refusals import Refusal
from participants.session.assignment import assign, is_stale, list_counts, next_list, valid_sessions
from participants.watching.exclusion import exclude, readmit
from tests.participants.studies import Browser, open_study


@given(st.integers(1, 12), st.integers(0, 200))
def test_filling_lists_one_by_one_keeps_them_within_one(lists: int, starts: int) -> None:
    counts = dict.fromkeys(range(lists), 0)
    for _ in range(starts):
        counts[next_list(counts)] += 1
        assert max(counts.values()) - min(counts.values()) <= 1


@given(st.dictionaries(st.integers(), st.integers(0, 50), min_size=1))
def test_the_list_with_the_fewest_sessions_is_chosen(counts: dict[int, int]) -> None:
    assert counts[next_list(counts)] == min(counts.values())


def test_without_lists_nothing_can_be_assigned() -> None:
    with pytest.raises(ValueError, match="without lists"):
        next_list({})


def counts_of(study: Study) -> list[int]:
    return list(list_counts(study, simulated=False, now=timezone.now()).values())


def started(study: Study, number: int) -> Session:
    assert Browser(study, seed=number).start().status_code == 201
    return Session.objects.latest("pk")


def test_a_stale_session_frees_its_place(study: Study) -> None:
    first = started(study, 1)
    assert counts_of(study) == [1, 0]
    Session.objects.filter(pk=first.pk).update(last_seen_at=timezone.now() - timedelta(minutes=181))
    assert counts_of(study) == [0, 0]
    assert started(study, 2).list == first.list


def test_the_study_sets_when_a_session_is_stale(db: None) -> None:
    study = open_study(procedure={"stale_after_minutes": 10})
    first = started(study, 1)
    Session.objects.filter(pk=first.pk).update(last_seen_at=timezone.now() - timedelta(minutes=11))
    assert counts_of(study) == [0, 0]


def test_an_exclusion_frees_the_place_and_taking_it_back_fills_it(study: Study, django_user_model) -> None:
    researcher = django_user_model.objects.create_user("researcher")
    first = started(study, 1)
    exclude(first, reason="Answered the same number throughout.", user=researcher)
    assert counts_of(study) == [0, 0]
    first.refresh_from_db()
    assert first.exclusion_reason == "Answered the same number throughout."
    assert first.excluded_by == researcher
    readmit(first, user=researcher)
    assert counts_of(study) == [1, 0]
    assert [entry.action for entry in study.audit_entries.all()] == ["session readmitted", "session excluded"]


def test_an_exclusion_needs_a_reason(study: Study) -> None:
    with pytest.raises(ValueError, match="reason"):
        exclude(started(study, 1), reason="  ", user=None)


def test_simulated_and_real_sessions_are_counted_apart(study: Study) -> None:
    session = started(study, 1)
    Session.objects.filter(pk=session.pk).update(is_simulated=True)
    assert counts_of(study) == [0, 0]
    assert list(list_counts(study, simulated=True, now=timezone.now()).values()) == [1, 0]


def test_the_quota_counts_valid_sessions_and_is_never_exceeded(db: None) -> None:
    study = open_study(quota=3)
    answers = [Browser(study, seed=number).start() for number in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 409, 409]
    assert answers[-1].json()["code"] == "full"
    Session.objects.filter(pk=Session.objects.first().pk).update(last_seen_at=timezone.now() - timedelta(days=1))
    assert Browser(study, seed=9).start().status_code == 201
    assert Browser(study, seed=10).start().status_code == 409


def test_studies_beside_each_other_keep_their_lists_and_their_places(db: None) -> None:
    study, other = open_study(quota=2), open_study("other-study", quota=2)
    for number in range(2):
        assert started(other, number).list.study == other
    assert (counts_of(study), counts_of(other)) == ([0, 0], [1, 1])
    assert [started(study, number).list.study for number in (5, 6)] == [study, study]
    assert valid_sessions(study, simulated=False, now=timezone.now()).count() == 2
    assert Browser(study, seed=7).start().json()["code"] == "full"


def test_a_session_that_was_ended_early_holds_no_place(study: Study) -> None:
    session = started(study, 1)
    Session.objects.filter(pk=session.pk).update(status=Session.Status.ENDED)
    assert counts_of(study) == [0, 0]
    Session.objects.filter(pk=session.pk).update(
        status=Session.Status.COMPLETE, last_seen_at=timezone.now() - timedelta(days=30)
    )
    assert counts_of(study) == [1, 0]


def test_only_a_running_session_that_has_been_silent_too_long_is_stale(study: Study) -> None:
    session, now = started(study, 1), timezone.now()
    for minutes, status, stale in (
        (181, Session.Status.RUNNING, True),
        (179, Session.Status.RUNNING, False),
        (181, Session.Status.COMPLETE, False),
    ):
        session.status, session.last_seen_at = status, now - timedelta(minutes=minutes)
        assert is_stale(session, now=now) is stale


def test_a_study_without_lists_is_not_ready(db: None) -> None:
    study = open_study()
    study.lists.all().delete()
    with pytest.raises(Refusal) as refusal, transaction.atomic():
        assign(study, seed=1, simulated=False)
    assert refusal.value.code == "not-ready"

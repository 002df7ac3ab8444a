"""Participants per day: every day once, days without anybody among them, and nothing to draw of a single day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from participants.models import Session
from participants.watching.course import HEIGHT, MOST_DAYS, days_of, sparkline
from tests.analysis.studies import add_participants, make_study

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


def sessions_on(*days_ago: int):
    study = make_study()
    for session, days in zip(add_participants(study, len(days_ago)), days_ago, strict=True):
        at = NOW - timedelta(days=days)
        Session.objects.filter(pk=session.pk).update(started_at=at, finished_at=at + timedelta(minutes=20))
    return Session.objects.filter(study=study)


def test_days_without_anybody_stand_between_the_others() -> None:
    found = days_of(sessions_on(3, 3, 0), now=NOW)
    assert [(day.started, day.finished) for day in found] == [(2, 2), (0, 0), (0, 0), (1, 1)]
    assert [day.day for day in found] == [timezone.localdate(NOW) - timedelta(days=days) for days in (3, 2, 1, 0)]
    assert [day.started_height for day in found] == [HEIGHT, 0, 0, HEIGHT // 2]


def test_only_the_last_days_are_drawn_and_a_single_one_is_not() -> None:
    found = days_of(sessions_on(400, MOST_DAYS - 1, 1), now=NOW)
    assert len(found) == MOST_DAYS - 1
    assert sum(day.started for day in found) == 2
    Session.objects.all().delete()
    assert days_of(Session.objects.all(), now=NOW) == []


def test_a_session_that_was_not_finished_counts_as_started_alone() -> None:
    sessions = sessions_on(2, 0)
    sessions.filter(started_at=NOW).update(finished_at=None)
    assert [(day.started, day.finished) for day in days_of(sessions, now=NOW)] == [(1, 1), (0, 0), (1, 0)]


@pytest.mark.parametrize("times", [[], [None, None], [3.0], [3.0, 3.0, None]])
def test_times_that_do_not_differ_are_not_drawn(times: list[float | None]) -> None:
    assert sparkline(times) == []

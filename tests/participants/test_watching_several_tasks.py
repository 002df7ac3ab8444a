"""Watching a study of several tasks: each is held against itself, whoever meets it, and in whatever order."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from experiments.models import Part, Study
from participants.models import Response, Session
from participants.watching.monitoring import fast_sessions
from tests.participants.part_studies import study_of_parts
from tests.participants.test_sessions_of_several_parts import answer, begun

pytestmark = pytest.mark.django_db

GROUPS = [{"name": "ratings", "weight": 1}, {"name": "readings", "weight": 1}]


def _taken_part(study: Study, *, seed: int, until: tuple[str, int] | None = None) -> Session:
    """Let somebody answer everything, or stop before that many-th trial of a part and never come back."""
    browser = begun(study, seed)
    answer(browser, browser.trials)
    trials = browser.post("session/advance/", {}).json()["trials"]
    if until is not None:
        part, number = until
        trials = trials[: [place for place, trial in enumerate(trials) if trial["part"] == part][number - 1]]
    answer(browser, trials)
    session = Session.objects.latest("pk")
    if until is None:
        assert browser.complete().json()["complete"]
    else:
        Session.objects.filter(pk=session.pk).update(last_seen_at=timezone.now() - timedelta(days=1))
    return session


def test_who_answers_fast_is_judged_by_those_who_had_the_same_task() -> None:
    study = study_of_parts(groups=GROUPS)
    for name, group in (("task", "ratings"), ("second", "readings")):
        Part.objects.filter(study=study, name=name).update(groups=[group])
    for seed in range(6):
        _taken_part(Study.objects.get(pk=study.pk), seed=seed)
    responses = Response.objects.filter(trial__session__study=study)
    responses.filter(trial__part__name="task").update(rt_ms=900)
    responses.filter(trial__part__name="second").update(rt_ms=6000)
    assert fast_sessions(responses) == set()
    quick = {name: Session.objects.filter(group=name).latest("pk") for name in ("ratings", "readings")}
    responses.filter(trial__session=quick["readings"], trial__phase="main").update(rt_ms=1500)
    assert fast_sessions(responses) == {quick["readings"].pk}
    responses.filter(trial__session=quick["ratings"], trial__phase="main").update(rt_ms=200)
    assert fast_sessions(responses) == {session.pk for session in quick.values()}


def test_who_is_fast_in_one_of_several_tasks_is_named() -> None:
    study = study_of_parts()
    sessions = [_taken_part(study, seed=seed) for seed in range(3)]
    responses = Response.objects.filter(trial__session__study=study)
    responses.filter(trial__part__name="task").update(rt_ms=900)
    responses.filter(trial__part__name="second").update(rt_ms=6000)
    responses.filter(trial__part__name="task", trial__session=sessions[0]).update(rt_ms=100)
    assert fast_sessions(responses) == {sessions[0].pk}

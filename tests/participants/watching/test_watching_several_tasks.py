"""Watching a study of several tasks: each is held against itself, whoever meets it, and in whatever order."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from experiments.models import Part, Study
from participants.models import Response, Session
from participants.session.figures import rebuild_figures
from participants.watching.monitoring import fast_sessions, overview
from tests.analysis.recalls import user_named
from tests.participants.part_studies import study_of_parts
from tests.participants.session.test_sessions_of_several_parts import answer, begun

pytestmark = [pytest.mark.both, pytest.mark.django_db]

GROUPS = [{"name": "ratings", "weight": 1}, {"name": "readings", "weight": 1}]


def _taken_part(study: Study, *, seed: int, until: tuple[str, int] | None = None) -> Session:
    """Let somebody answer everything, or stop before that many-th trial of a part."""
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
    return session


def _fast(study: Study) -> set[int]:
    """Return who is fast by the answers as a test has changed them."""
    list(rebuild_figures(study))
    return fast_sessions(study, simulated=False)


def test_people_who_stop_at_the_same_trial_of_a_task_are_counted_together_in_every_order() -> None:
    study = study_of_parts(order_set="tasks", owner=user_named("owner"))
    Part.objects.filter(study=study, name="second").update(title="Judging")
    for seed in range(2):
        _taken_part(study, seed=seed, until=("second", 3))
    _taken_part(study, seed=2, until=("task", 1))
    # All at once, as whoever is away for long gives the place in the order to the next.
    Session.objects.update(last_seen_at=timezone.now() - timedelta(days=1))
    assert len(set(Session.objects.values_list("order", flat=True))) == 2
    study = Study.objects.get(pk=study.pk)
    stops = overview(study, simulated=False).stops
    assert [(stop.part, stop.position, stop.phase, stop.number) for stop in stops] == [
        ("Task", 1, "instructions", 1),
        ("Judging", 3, "main", 2),
    ]
    client = Client()
    client.force_login(user_named("owner"))
    page = client.get(reverse("watch:watch", args=[study.slug])).content.decode()
    assert '<td>Judging</td><td class="num">3</td><td>main</td><td class="num">2</td>' in page


def test_who_answers_fast_is_judged_by_those_who_had_the_same_task() -> None:
    study = study_of_parts(groups=GROUPS)
    for name, group in (("task", "ratings"), ("second", "readings")):
        Part.objects.filter(study=study, name=name).update(groups=[group])
    for seed in range(6):
        _taken_part(Study.objects.get(pk=study.pk), seed=seed)
    responses = Response.objects.filter(trial__session__study=study)
    responses.filter(trial__part__name="task").update(rt_ms=900)
    responses.filter(trial__part__name="second").update(rt_ms=6000)
    assert _fast(study) == set()
    quick = {name: Session.objects.filter(group=name).latest("pk") for name in ("ratings", "readings")}
    responses.filter(trial__session=quick["readings"], trial__phase="main").update(rt_ms=1500)
    assert _fast(study) == {quick["readings"].pk}
    responses.filter(trial__session=quick["ratings"], trial__phase="main").update(rt_ms=200)
    assert _fast(study) == {session.pk for session in quick.values()}


def test_who_is_fast_in_one_of_several_tasks_is_named() -> None:
    study = study_of_parts()
    sessions = [_taken_part(study, seed=seed) for seed in range(3)]
    responses = Response.objects.filter(trial__session__study=study)
    responses.filter(trial__part__name="task").update(rt_ms=900)
    responses.filter(trial__part__name="second").update(rt_ms=6000)
    responses.filter(trial__part__name="task", trial__session=sessions[0]).update(rt_ms=100)
    assert _fast(study) == {sessions[0].pk}

"""The list of parts says how long each took the people who finished it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from experiments.procedure.durations import durations_of
from participants.models import Response, Session
from participants.watching.durations import measured_durations
from tests.participants.part_studies import study_of_parts
from tests.participants.session.test_sessions_of_several_parts import answer, begun

pytestmark = [pytest.mark.both, pytest.mark.django_db]


def test_each_part_lasts_from_the_answer_before_it_to_its_own_last_answer() -> None:
    study = study_of_parts()
    assert measured_durations(study) == {}
    browser = begun(study)
    answer(browser, browser.trials)
    answer(browser, browser.post("session/advance/", {}).json()["trials"])
    assert browser.complete().json()["complete"] is True
    session = Session.objects.get()
    assert session.status == Session.Status.COMPLETE
    seconds = {"background": 40, "task": 300, "second": 500}
    at = session.started_at
    parts = list(dict.fromkeys(session.trials.order_by("position").values_list("part__name", flat=True)))
    assert set(parts) == set(seconds)
    for part in parts:
        at += timedelta(seconds=seconds[part])
        Response.objects.filter(trial__session=session, trial__part__name=part).update(received_at=at)
    assert measured_durations(study) == {part: (float(seconds[part]), 1) for part in seconds}
    assert durations_of(study)["task"].sessions == 1
    Session.objects.update(is_excluded=True)
    assert measured_durations(study) == {}
    assert durations_of(study)["task"].sessions == 0

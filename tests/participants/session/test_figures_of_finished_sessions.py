"""What pages show of a finished session is kept with its end, and is what its answers say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import call_command
from django.forms.models import model_to_dict

from experiments.models import Study
from participants.models import Participant, Response, Session, SessionFigures
from participants.session import figures as module
from participants.session.figures import (
    ToCome,
    figures_by_session,
    figures_for_page,
    keep_missing_figures,
    keep_some_figures,
    rebuild_figures,
    without_figures,
)
from participants.watching.monitoring import overview
from tests.participants.studies import Browser, open_study

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def study(db: None) -> Study:
    return open_study()


def kept() -> list[dict[str, Any]]:
    return [model_to_dict(one) for one in SessionFigures.objects.order_by("pk")]


def test_the_end_of_a_session_keeps_what_its_answers_say(study: Study) -> None:
    Browser(study).answer_all()
    session = Session.objects.get()
    assert session.status == Session.Status.COMPLETE
    found = session.figures
    responses = Response.objects.filter(trial__session=session)
    assert (found.trials, found.answered) == (session.trials.count(), responses.count())
    assert found.last_result_at == max(responses.values_list("received_at", flat=True))
    main = responses.filter(trial__phase="main")
    assert sum(number for *_, number in found.counted) == main.count() > 0
    before = kept()
    assert list(rebuild_figures(study)) == [1]
    assert kept() == before


def test_nothing_is_kept_of_a_session_that_goes_on(study: Study) -> None:
    browser = Browser(study)
    browser.start()
    browser.open()
    browser.send(browser.result(0))
    assert kept() == []
    assert not without_figures(study).exists()
    running = Session.objects.get()
    assert figures_by_session(study, [running.pk])[running.pk].answered == 1
    assert kept() == []


def test_a_session_ends_though_its_figures_cannot_be_made(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_given: Any, **_further: Any) -> SessionFigures:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(module, "figures_of", fails)
        Browser(study).answer_all()
    assert Session.objects.get().status == Session.Status.COMPLETE
    assert kept() == []
    assert keep_missing_figures(study) == 1
    assert len(kept()) == 1


def test_sessions_that_ended_before_there_were_figures_get_them(study: Study) -> None:
    for seed in range(3):
        Browser(study, seed=seed).answer_all()
    before = kept()
    SessionFigures.objects.all().delete()
    assert keep_missing_figures(study, most=2) == 2
    keep_some_figures()
    assert kept() == before
    SessionFigures.objects.all().delete()
    assert overview(study, simulated=False).figures_to_come is None
    assert kept() == before


def test_the_worker_makes_what_other_settings_made(study: Study) -> None:
    Browser(study).answer_all()
    before = kept()
    SessionFigures.objects.update(stamp="earlier", answered=0)
    keep_some_figures()
    assert kept() == before


def test_a_study_whose_figures_cannot_be_made_keeps_no_other_waiting(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = open_study("other")
    for each in (study, other):
        Browser(each).answer_all()
    SessionFigures.objects.all().delete()
    made = module.figures_of

    def fails_for_the_first(of: Study, *given: Any, **further: Any) -> SessionFigures:
        if of == study:
            raise ZeroDivisionError
        return made(of, *given, **further)

    monkeypatch.setattr(module, "figures_of", fails_for_the_first)
    keep_some_figures()
    assert list(SessionFigures.objects.values_list("session__study", flat=True)) == [other.pk]
    assert figures_for_page(study, simulated=False) == ToCome(sessions=1, of=1)


def test_figures_follow_the_rules_and_settings_of_the_study(study: Study) -> None:
    Browser(study).answer_all()
    Response.objects.update(rt_ms=1000)
    study.plan = {"exclusion_rules": [{"rule": "fast-trial", "ms": 2000}]}
    study.save()
    assert without_figures(study).count() == 1
    assert keep_missing_figures(study) == 1
    reasons = {rule for _part, _filler, rule, _number in SessionFigures.objects.get().counted}
    assert reasons
    assert all(reason.startswith("planned rule: ") for reason in reasons)
    assert not without_figures(study).exists()


def test_figures_go_with_their_session(study: Study) -> None:
    Browser(study).answer_all()
    Participant.objects.all().delete()
    assert kept() == []


def test_the_command_makes_them_anew(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    Browser(study).answer_all()
    before = kept()
    SessionFigures.objects.update(answered=0, quality={}, counted=json.loads("[]"))
    call_command("rebuild_figures", study.slug)
    assert kept() == before
    assert capsys.readouterr().out == f"{study.slug}: 1 finished sessions\n"
    call_command("rebuild_figures")
    assert kept() == before

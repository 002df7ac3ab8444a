"""Erasing all participants: the owner is asked twice, everything about people goes, and what stays is said."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import DatabaseError
from django.urls import reverse
from django.utils import timezone

from analysis.models import AnalysisRun
from analysis.studies.asking import request_run
from experiments.models import AuditEntry, Study
from participants.erasure import whole_studies as erasing
from participants.erasure.whole_studies import LossOfAll, StillOpen, erase_all, is_due, last_erased, loss_of_all
from participants.models import (
    BrowserError,
    EventBatch,
    IntakeProblem,
    Participant,
    RecruitmentIdentity,
    Response,
    Session,
    Tombstone,
    Trial,
)
from participants.watching.exclusion import exclude
from tests.analysis.computed import execute
from tests.participants.studies import Browser, open_study


def address(study, page="erase_all"):
    return reverse(f"watch:{page}", args=[study.slug])


def close(study, **fields):
    Study.objects.filter(pk=study.pk).update(status=Study.Status.CLOSED, **fields)
    study.refresh_from_db()


def everything_stored():
    return "\n".join(str(row) for model in apps.get_models() for row in model._default_manager.values_list())


def test_the_page_counts_what_is_lost_and_says_what_stays(study, finished, owner):
    Browser(study, seed=9).start()
    BrowserError.objects.create(study=study, message="an error")
    close(study)
    page = owner.get(address(study)).text
    assert "5 participants (4 finished)" in page
    assert f"{Response.objects.count()} answers" in page
    assert "1 browser error" in page
    assert "reports of means" in page
    assert f"short name of the study, {study.slug}" in page


@pytest.mark.parametrize("typed", ["", "something-else", "SHORT"])
def test_without_the_short_name_nothing_is_erased(study, finished, owner, typed):
    close(study)
    answer = owner.post(address(study), {"short_name": typed})
    assert answer.status_code == 422
    assert Participant.objects.count() == 4


def test_with_the_short_name_everybody_goes_and_the_study_stays(study, finished, owner):
    other = Browser(open_study("another-study"), seed=3)
    other.answer_all()
    names = [(person.pseudonym, person.withdrawal_code) for person in Participant.objects.filter(study=study)]
    close(study)
    texts = study.texts.count()
    answer = owner.post(address(study), {"short_name": f" {study.slug} "}, follow=True)
    assert "4 participants were erased." in answer.text
    assert "All participants were erased" in answer.text
    assert not Participant.objects.filter(study=study).exists()
    assert not Session.objects.filter(study=study).exists()
    assert not Trial.objects.filter(session__study=study).exists()
    stored = everything_stored()
    assert not [secret for pair in names for secret in pair if secret in stored]
    assert Participant.objects.count() == 1
    assert study.items.exists()
    assert study.texts.count() == texts
    entry = AuditEntry.objects.get(study=study, action=erasing.ACTION)
    assert (entry.user.username, entry.detail.split(";")[0]) == ("the-owner", "Participants: 4")
    assert not Tombstone.objects.exists()


def test_participants_of_other_studies_are_neither_counted_nor_erased(study):
    for number, each in enumerate((study, open_study("another-study"))):
        browser = Browser(each, seed=number, recruitment={"PROLIFIC_PID": f"person-{number}"})
        browser.start()
        browser.open()
        browser.send(
            browser.result(1),
            {**browser.result(2), "sequence": 99},
            {"kind": "events", "sequence": 1, "batch": 0, "events": [{"x": 1}]},
        )
        browser.post("session/errors/", {"message": "TypeError"})
    Session.objects.exclude(study=study).update(status=Session.Status.COMPLETE, is_simulated=True)
    kept = {
        model: set(model._default_manager.filter(**{where: "another-study"}).values_list("pk", flat=True))
        for model, where in {
            Participant: "study__slug", Session: "study__slug", BrowserError: "study__slug",
            RecruitmentIdentity: "participant__study__slug", IntakeProblem: "session__study__slug",
            Trial: "session__study__slug", Response: "trial__session__study__slug",
            EventBatch: "trial__session__study__slug",
        }.items()
    }  # fmt: skip
    assert all(kept.values())
    close(study)
    one = LossOfAll(
        participants=1, simulated=0, finished=0, responses=1, event_batches=1, problems=1, browser_errors=1,
        recruitment_ids=1,
    )  # fmt: skip
    assert loss_of_all(study) == one
    assert erase_all(study, user=None) == one
    assert {model: set(model._default_manager.values_list("pk", flat=True)) for model in kept} == kept


def test_recruitment_ids_go_too(study, owner):
    Browser(study, seed=1, recruitment={"PROLIFIC_PID": "5f3c2a9be1d04c0011223344"}).answer_all()
    close(study)
    assert "1 recruitment id" in owner.get(address(study)).text
    owner.post(address(study), {"short_name": study.slug})
    assert not RecruitmentIdentity.objects.exists()
    assert "5f3c2a9be1d04c0011223344" not in everything_stored()


def test_an_open_study_is_closed_first(study, finished, owner):
    assert (
        "The study is open, so somebody may be taking part right now. Close it first;" in owner.get(address(study)).text
    )
    answer = owner.post(address(study), {"short_name": study.slug})
    assert answer.status_code == 409
    with pytest.raises(StillOpen):
        erase_all(study, user=None)
    assert Participant.objects.count() == 4


def test_where_something_fails_nobody_is_erased(study, finished, monkeypatch):
    close(study)

    def fails(*arguments, **given):
        raise DatabaseError("disk full")

    monkeypatch.setattr(erasing, "record", fails)
    with pytest.raises(DatabaseError):
        erase_all(study, user=None)
    assert Participant.objects.count() == 4
    assert Response.objects.exists()


def test_reports_that_name_people_go_and_reports_of_means_stay(study, finished, owner):
    means = request_run(study, method="condition-means", params={"measures": "rating"}, user=None)
    execute(means.pk)
    means.refresh_from_db()
    assert means.report, means.error
    named = json.dumps({"participant": Participant.objects.first().pseudonym})
    listing = AnalysisRun.objects.create(study=study, method="normalise", status="done", report=named)
    close(study)
    erase_all(study, user=None)
    listing.refresh_from_db()
    assert (listing.report, listing.status) == ("", "failed")
    assert AnalysisRun.objects.get(pk=means.pk).report == means.report


@pytest.mark.parametrize("role", ["editor", "viewer"])
def test_only_the_owner_finds_the_page(study, finished, people, role):
    close(study)
    assert people[role].get(address(study)).status_code == 404
    assert people[role].post(address(study), {"short_name": study.slug}).status_code == 403
    assert Participant.objects.count() == 4


def test_where_there_is_nobody_the_page_says_so(study, owner):
    close(study)
    assert "There is nobody to erase" in owner.get(address(study)).text


def test_a_reason_that_was_written_stays_in_the_history(study, finished):
    exclude(Session.objects.all()[0], reason="slept", user=None)
    close(study)
    erase_all(study, user=None)
    assert AuditEntry.objects.filter(study=study, detail__contains="slept").exists()


def test_the_day_is_due_when_it_has_come_and_there_are_still_data(study, finished):
    today = timezone.localdate()
    for days, due in ((-1, True), (0, True), (1, False)):
        study.retention_until = today + timedelta(days=days)
        assert is_due(study) is due
    study.retention_until = None
    assert not is_due(study)
    Browser(open_study("another-study"), seed=3).start()
    close(study, retention_until=today)
    erase_all(study, user=None)
    assert not is_due(study)


def test_the_last_time_that_everybody_was_erased_is_told(study, finished):
    assert last_erased(study) is None
    close(study)
    erase_all(study, user=None)
    first = last_erased(study)
    assert first.detail.startswith("Participants: 4; finished: 4; ")
    Study.objects.filter(pk=study.pk).update(status=Study.Status.OPEN)
    Browser(study, seed=8).start()
    close(study)
    erase_all(study, user=None)
    assert last_erased(study).detail == "Participants: 1; finished: 0; answers: 0."
    assert last_erased(study).at > first.at


def test_watch_says_that_the_data_are_due_and_leads_the_owner_there(study, finished, people):
    close(study, retention_until=timezone.localdate() - timedelta(days=3))
    page = people["owner"].get(address(study, "watch")).text
    assert "were to be deleted on" in page
    assert page.count(address(study)) == 2
    page = people["viewer"].get(address(study, "watch")).text
    assert "The owner of the study can erase the participants here." in page
    assert address(study) not in page


def test_watch_names_a_day_that_is_still_to_come(study, finished, owner):
    close(study, retention_until=timezone.localdate() + timedelta(days=300))
    page = owner.get(address(study, "watch")).text
    assert "The data are to be deleted on" in page
    assert "were to be deleted" not in page

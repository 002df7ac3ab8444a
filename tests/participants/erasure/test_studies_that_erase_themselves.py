"""A study that is set so erases its participants on the day, after its owner was told; any other never does."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from experiments.models import AuditEntry, Membership, Study
from experiments.study.lifecycle import copy_study
from participants.erasure.retention import erase_what_is_due, give_notices, keep_promises
from participants.models import Participant, Response, Tombstone
from tests.participants.studies import Browser, open_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("owner", "owner@example.org", is_staff=True)


@pytest.fixture
def day() -> date:
    return timezone.localdate() + timedelta(days=100)


@pytest.fixture
def study(owner: Any, day: date) -> Study:
    made = open_study(owner=owner, retention_until=day, erases_itself=True, data_protection_note="On our server.")
    Browser(made, seed=1).answer_all()
    Browser(made, seed=2).start()
    return made


def at(study: Study, when: date) -> None:
    """Let it be a day: what is done then, at its time."""
    give_notices(today=when)
    noticed = Study.objects.get(pk=study.pk).retention_noticed_at
    if noticed and noticed.date() == timezone.localdate():
        then = datetime.combine(when, datetime.min.time(), tzinfo=noticed.tzinfo)
        Study.objects.filter(pk=study.pk).update(retention_noticed_at=then)
    erase_what_is_due(today=when)


def test_the_owner_is_told_thirty_days_before_and_everybody_is_erased_on_the_day(study: Study, day: date) -> None:
    at(study, day - timedelta(days=31))
    study.refresh_from_db()
    assert (study.erasure_day, AuditEntry.objects.filter(action="erasure announced").count()) == (None, 0)
    for days in (30, 29, 1):
        at(study, day - timedelta(days=days))
        study.refresh_from_db()
        assert study.erasure_day == day
    assert AuditEntry.objects.filter(action="erasure announced").count() == 1
    assert Participant.objects.count() == 2
    assert study.status == "open"
    at(study, day)
    study.refresh_from_db()
    assert (Participant.objects.count(), Response.objects.count(), Tombstone.objects.count()) == (0, 0, 0)
    assert (study.status, study.erasure_day) == ("closed", None)
    assert AuditEntry.objects.filter(study=study, action="all participants erased").count() == 1
    keep_promises(today=day + timedelta(days=1))
    assert AuditEntry.objects.filter(study=study, action="all participants erased").count() == 1


def test_a_study_that_is_not_set_so_keeps_its_data(study: Study, day: date) -> None:
    Study.objects.update(erases_itself=False)
    for days in (-30, 0, 1, 400):
        at(study, day + timedelta(days=days))
    assert Participant.objects.count() == 2
    assert not Study.objects.exclude(retention_noticed_for=None).exists()


def test_whoever_is_told_late_still_has_a_week(study: Study, day: date) -> None:
    late = day + timedelta(days=20)  # the server was off
    at(study, late)
    assert Participant.objects.count() == 2
    at(study, late + timedelta(days=6))
    assert Participant.objects.count() == 2
    at(study, late + timedelta(days=7))
    assert not Participant.objects.exists()


def test_another_day_is_announced_anew(study: Study, day: date) -> None:
    at(study, day - timedelta(days=10))
    Study.objects.update(retention_until=day + timedelta(days=200))
    at(study, day)
    study.refresh_from_db()
    assert (Participant.objects.count(), study.erasure_day) == (2, None)
    at(study, day + timedelta(days=170))
    study.refresh_from_db()
    assert study.erasure_day == day + timedelta(days=200)


def test_the_owner_gets_one_letter_where_mail_is_set_up(study: Study, day: date, settings: Any) -> None:
    settings.MAIL_IS_SET_UP = True
    at(study, day - timedelta(days=30))
    at(study, day - timedelta(days=29))
    assert [letter.to for letter in mail.outbox] == [["owner@example.org"]]
    assert study.title in mail.outbox[0].body
    mail.outbox.clear()
    settings.MAIL_IS_SET_UP = False
    Study.objects.update(retention_noticed_for=None)
    at(study, day - timedelta(days=29))
    assert mail.outbox == []


def test_a_mail_server_that_is_away_stops_nothing(study: Study, day: date, settings: Any) -> None:
    settings.MAIL_IS_SET_UP = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    at(study, day - timedelta(days=30))
    study.refresh_from_db()
    assert study.erasure_day == day


def test_the_pages_show_the_notice(study: Study, day: date, owner: Any) -> None:
    client = Client()
    client.force_login(owner)
    for page in ("", "watch/"):
        assert "permanently erase" not in client.get(f"/admin/studies/{study.slug}/{page}").text
    at(study, day - timedelta(days=30))
    for page in ("", "watch/"):
        assert "permanently erase" in client.get(f"/admin/studies/{study.slug}/{page}").text


def save(client: Client, study: Study, **changes: Any) -> Any:
    fields = {
        "title": study.title, "description": "", "language": "en", "responsible": study.responsible,
        "contact": study.contact, "estimated_minutes": "12", "data_protection_note": "On our server.",
        "retention_until": study.retention_until or "", **changes,
    }  # fmt: skip
    return client.post(f"/admin/studies/{study.slug}/settings/", fields)


def test_the_day_must_be_far_enough_to_be_told_before(study: Study, owner: Any) -> None:
    Study.objects.update(erases_itself=False)
    client = Client()
    client.force_login(owner)
    soon = timezone.localdate() + timedelta(days=29)
    refused = save(client, study, retention_until=soon, erases_itself="on")
    assert refused.status_code == 422
    assert "told 30 days before" in refused.text
    assert not Study.objects.get().erases_itself
    assert save(client, study, retention_until="", erases_itself="on").status_code == 422
    assert save(client, study, retention_until=soon + timedelta(days=1), erases_itself="on").status_code == 302
    assert Study.objects.get().erases_itself
    # What has nothing to do with it can be saved on any day.
    Study.objects.update(retention_until=soon)
    study.retention_until = soon
    assert save(client, study, responsible="Somebody else", erases_itself="on").status_code == 302


def test_only_the_owner_can_set_it_and_move_the_day(study: Study, day: date, django_user_model: Any) -> None:
    editor = django_user_model.objects.create_user("editor", is_staff=True)
    Membership.objects.create(study=study, user=editor, role="editor")
    client = Client()
    client.force_login(editor)
    assert save(client, study, retention_until=day + timedelta(days=1), responsible="Else").status_code == 302
    stored = Study.objects.get()
    assert (stored.responsible, stored.retention_until, stored.erases_itself) == ("Else", day, True)
    Study.objects.update(erases_itself=False)
    assert save(client, study, erases_itself="on").status_code == 302
    assert not Study.objects.get().erases_itself


def test_a_copy_does_not_inherit_it(study: Study, owner: Any) -> None:
    assert not copy_study(study, "a-copy", owner).erases_itself


def test_the_worker_is_told_of_it_every_minute(settings: Any) -> None:
    from config.celery import app
    from participants.erasure import tasks

    planned = settings.CELERY_BEAT_SCHEDULE["look-after-participants"]
    assert app.tasks[planned["task"]].name == tasks.look_after_participants.name
    assert planned["schedule"] <= 60


def test_the_embedded_worker_looks_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from analysis.management.commands import worker
    from analysis.runs.isolation import stopping
    from participants.erasure import upkeep

    looked: list[bool] = []
    stop = iter([False, False, True])
    monkeypatch.setattr(upkeep, "EVERY_SECONDS", 0.0)
    monkeypatch.setattr(upkeep, "look_after", lambda: looked.append(True))
    monkeypatch.setattr(stopping, "wait", lambda seconds: next(stop))
    monkeypatch.setattr(worker, "has_died", lambda parent: False)
    worker.accompany(parent=1)
    assert looked == [True, True]


def test_a_line_break_in_a_title_keeps_no_letter_back(study: Study, day: date, settings: Any) -> None:
    settings.MAIL_IS_SET_UP = True
    Study.objects.filter(pk=study.pk).update(title="One\r\nBcc: two@example.org")
    assert give_notices(today=day - timedelta(days=30)) == 1
    assert "One Bcc: two@example.org" in mail.outbox[0].subject
    assert mail.outbox[0].recipients() == ["owner@example.org"]


def test_a_letter_that_fails_keeps_nothing_from_being_erased(
    study: Study, day: date, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_IS_SET_UP = True

    def broken(*_arguments: Any) -> None:
        raise RuntimeError("the server of mail answers strangely")

    monkeypatch.setattr("participants.erasure.retention.send_mail", broken)
    assert give_notices(today=day - timedelta(days=30)) == 1


def test_without_an_owner_editors_are_told_and_without_editors_administrators(
    study: Study, day: date, settings: Any, django_user_model: Any
) -> None:
    settings.MAIL_IS_SET_UP = True
    django_user_model.objects.create_superuser("root", "root@example.org", "a long password")
    Study.objects.filter(pk=study.pk).update(owner=None)
    assert give_notices(today=day - timedelta(days=30)) == 1
    editor = django_user_model.objects.create_user("editor", "editor@example.org", is_staff=True)
    Membership.objects.create(study=study, user=editor, role="editor")
    Study.objects.filter(pk=study.pk).update(retention_noticed_for=None)
    assert give_notices(today=day - timedelta(days=30)) == 1
    assert [letter.recipients() for letter in mail.outbox] == [["root@example.org"], ["editor@example.org"]]

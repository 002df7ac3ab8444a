"""Everybody is told what they asked for, once; requests of participants do nothing for it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from experiments.models import Membership, Study
from participants.models import BrowserError, Notification, Session, Subscription
from participants.watching.notifications import notifications_for, sentence_of, tell_some, unread_for
from tests.participants.studies import Browser, open_study


@pytest.fixture
def study(db: None) -> Study:
    return open_study()


@pytest.fixture
def colleague(study: Study, django_user_model: Any) -> Any:
    user = django_user_model.objects.create_user("colleague", "colleague@example.org", is_staff=True)
    Membership.objects.create(study=study, user=user, role="data")
    return user


def people(study: Study, number: int, *, seed: int = 1, **changes: Any) -> None:
    for at in range(number):
        participant = Browser(study, seed=seed + at)
        participant.start()
    newest = Session.objects.filter(study=study).order_by("-pk").values_list("pk", flat=True)[:number]
    Session.objects.filter(pk__in=list(newest)).update(**changes)


def finished(study: Study, number: int, *, seed: int = 1) -> None:
    people(study, number, seed=seed, status=Session.Status.COMPLETE, finished_at=timezone.now())


def subscribed(study: Study, user: Any, **chosen: Any) -> Subscription:
    return Subscription.objects.create(study=study, user=user, changed_at=timezone.now(), **chosen)


def told(user: Any) -> list[tuple[str, str]]:
    return list(Notification.objects.filter(user=user).order_by("pk").values_list("kind", "key"))


def test_each_number_of_finished_people_is_told_once(study: Study, colleague: Any) -> None:
    subscribed(study, colleague, every_finished=2)
    finished(study, 1)
    tell_some()
    assert told(colleague) == []
    finished(study, 2, seed=10)
    for _again in range(3):
        tell_some()
    assert told(colleague) == [("finished", "2")]
    finished(study, 1, seed=20)
    tell_some()
    assert told(colleague) == [("finished", "2"), ("finished", "4")]
    assert sentence_of(Notification.objects.latest("pk")) == "4 people have finished."


def test_what_was_there_before_is_no_news(study: Study, colleague: Any) -> None:
    finished(study, 4)
    subscribed(study, colleague, every_finished=2, finished_before=4)
    tell_some()
    assert told(colleague) == []


def test_a_full_quota_errors_and_drop_outs_are_told(study: Study, colleague: Any) -> None:
    subscribed(study, colleague, quota_full=True, errors=True, dropouts_above=30)
    BrowserError.objects.create(study=study, message="Old")
    BrowserError.objects.update(at=timezone.now() - timedelta(days=3))
    finished(study, 6)
    tell_some()
    assert told(colleague) == []
    Study.objects.filter(pk=study.pk).update(quota=6)
    people(study, 0)
    BrowserError.objects.create(study=study, message="New")
    tell_some()
    assert {kind for kind, _key in told(colleague)} == {"quota", "errors"}
    Study.objects.filter(pk=study.pk).update(quota=None)
    people(study, 4, seed=40, last_seen_at=timezone.now() - timedelta(days=1))
    tell_some()
    tell_some()
    assert told(colleague)[-1] == ("dropouts", "30")
    assert len(told(colleague)) == 3
    assert "40 %" in sentence_of(Notification.objects.latest("pk"))


def test_two_workers_tell_and_mail_once(
    study: Study, colleague: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_IS_SET_UP = True
    subscribed(study, colleague, every_finished=1, by_mail=True)
    finished(study, 1)
    whole = Notification.objects.get_or_create
    inside: list[bool] = []

    def at_the_same_time(**given: Any) -> Any:
        if not inside:
            inside.append(True)
            tell_some()
        return whole(**given)

    monkeypatch.setattr(Notification.objects, "get_or_create", at_the_same_time)
    tell_some()
    assert told(colleague) == [("finished", "1")]
    assert [message.to for message in mail.outbox] == [["colleague@example.org"]]
    assert "\n" not in mail.outbox[0].subject


def test_without_mail_the_page_has_it(study: Study, colleague: Any, settings: Any) -> None:
    settings.MAIL_IS_SET_UP = False
    subscribed(study, colleague, every_finished=1, by_mail=True)
    finished(study, 1)
    tell_some()
    assert mail.outbox == []
    client = Client()
    client.force_login(colleague)
    assert unread_for(colleague) == 1
    page = client.get("/admin/notifications/").content.decode()
    assert study.title in page
    assert "1 person has finished." in page
    client.post("/admin/notifications/")
    assert unread_for(colleague) == 0


def test_a_failed_mail_stops_nothing(
    study: Study, colleague: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_IS_SET_UP = True

    def broken(*_given: Any, **_further: Any) -> None:
        raise OSError("no server")

    monkeypatch.setattr("participants.watching.notifications.send_mail", broken)
    subscribed(study, colleague, every_finished=1, by_mail=True, errors=True)
    finished(study, 1)
    BrowserError.objects.create(study=study, message="New")
    tell_some()
    assert len(told(colleague)) == 2


def test_who_lost_the_role_is_told_nothing_and_sees_nothing(study: Study, colleague: Any) -> None:
    subscribed(study, colleague, every_finished=1)
    finished(study, 1)
    tell_some()
    assert notifications_for(colleague).count() == 1
    Membership.objects.all().delete()
    finished(study, 1, seed=10)
    tell_some()
    assert len(told(colleague)) == 1
    assert notifications_for(colleague).count() == 0


def test_the_page_stores_a_choice_for_its_reader_alone(study: Study, colleague: Any) -> None:
    client = Client()
    client.force_login(colleague)
    address = f"/admin/studies/{study.slug}/watch/notifications/"
    finished(study, 3)
    assert client.post(address, {"every_finished": "2", "errors": "on"}).status_code == 302
    stored = Subscription.objects.get()
    assert (stored.user, stored.every_finished, stored.errors, stored.finished_before) == (colleague, 2, True, 3)
    assert client.post(address, {"every_finished": "0"}).status_code == 422
    assert client.post(address, {"dropouts_above": "101"}).status_code == 422
    assert client.post(address, {}).status_code == 302
    assert not Subscription.objects.exists()

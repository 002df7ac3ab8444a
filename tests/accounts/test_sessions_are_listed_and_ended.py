"""Everybody sees where they are logged in and ends their own sessions, never somebody else's."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from experiments.models import AuditEntry
from tests.accounts.conftest import is_in, log_in

pytestmark = pytest.mark.django_db
PAGE = "/admin/account/sessions/"


def browser(name: str, user: str = "ada") -> Client:
    client = Client(headers={"user-agent": name})
    log_in(client, user)
    return client


def test_each_session_can_be_ended(researcher: Any) -> None:
    here, phone, lab = browser("Desk"), browser("Telephone"), browser("Laboratory")
    page = here.get(PAGE).text
    assert all(name in page for name in ("Desk", "Telephone", "Laboratory"))
    here.post(PAGE, {"session": UserSession.objects.get(user_agent="Telephone").pk})
    assert [is_in(client) for client in (here, phone, lab)] == [True, False, True]
    here.post(PAGE)
    assert [is_in(client) for client in (here, phone, lab)] == [True, False, False]
    assert AuditEntry.objects.filter(action="sessions ended").count() == 2
    assert here.get(PAGE).text.count("<time") == 1


def test_a_stranger_s_session_is_not_ended(researcher: Any, administrator: Any) -> None:
    theirs, mine = browser("Theirs", "root"), browser("Mine")
    assert "Theirs" not in mine.get(PAGE).text
    for given in (UserSession.objects.get(user_agent="Theirs").pk, "0", "x", "1e3"):
        assert mine.post(PAGE, {"session": given}).status_code == 404
    mine.post(PAGE)
    assert is_in(theirs)


def test_the_page_needs_a_log_in(client: Client) -> None:
    assert client.get(PAGE)["Location"].startswith("/admin/login/")


def test_log_ins_stand_in_the_history_of_administrators_alone(researcher: Any, administrator: Any) -> None:
    history = "/admin/experiments/auditentry/"
    mine, theirs = browser("Desk"), browser("Desk", "root")
    assert "ada. password" in theirs.get(history).text
    assert "ada. password" not in mine.get(history).text


def test_a_change_of_role_is_recorded(researcher: Any, administrator: Any) -> None:
    client = browser("Desk", "root")
    fields = {"username": "ada", "first_name": "Ada", "email": "ada@example.org", "role": "administrator"}
    answer = client.post(f"/admin/auth/user/{researcher.pk}/change/", fields)
    assert answer.status_code == 302, answer.context["errors"]
    entry = AuditEntry.objects.get(action="role changed")
    assert (entry.user, entry.detail) == (administrator, "ada. researcher → administrator")

"""The last administrator stays, and so does whoever answers for data: neither is closed or deleted by a slip."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from config.accounts.roles import role_of
from experiments.models import Study
from participants.models import Participant

pytestmark = [pytest.mark.both, pytest.mark.django_db]
GONE = {"post": "yes"}


@pytest.fixture
def root(client: Client, administrator: Any) -> Client:
    client.force_login(administrator)
    return client


def of(account: Any, what: str) -> str:
    return f"/admin/auth/user/{account.pk}/{what}/"


def in_bulk(root: Client, *accounts: Any) -> Any:
    chosen = [str(account.pk) for account in accounts]
    return root.post("/admin/auth/user/", {"action": "delete_selected", "_selected_action": chosen, **GONE})


@pytest.mark.parametrize("role", ["closed", "researcher", "guest"])
def test_the_last_administrator_keeps_the_role(root: Client, administrator: Any, role: str) -> None:
    given = {"username": "root", "first_name": "", "email": "root@example.org", "role": role}
    assert "the last administrator" in root.post(of(administrator, "change"), given).text
    assert role_of(User.objects.get(pk=administrator.pk)) == "administrator"
    User.objects.create_superuser("second", "second@example.org", "a long password")
    assert root.post(of(administrator, "change"), given).status_code == 302
    assert role_of(User.objects.get(pk=administrator.pk)) == role


def test_the_last_administrator_is_not_deleted(root: Client, administrator: Any, researcher: Any) -> None:
    assert "This is the last administrator" in root.post(of(administrator, "delete"), GONE, follow=True).text
    in_bulk(root, administrator, researcher)
    assert User.objects.count() == 2
    assert root.post(of(researcher, "delete"), GONE).status_code == 302
    assert User.objects.count() == 1


def test_the_owner_of_data_is_not_deleted(root: Client, researcher: Any) -> None:
    study = Study.objects.create(  # type: ignore[misc]  # the paradigm is a property, which its task keeps
        slug="kettles", title="Kettles", paradigm="magnitude-estimation", owner=researcher
    )
    person = Participant.objects.create(study=study, pseudonym="P-1")
    assert "owns studies with data: “Kettles”" in root.post(of(researcher, "delete"), GONE, follow=True).text
    assert "Kettles" in in_bulk(root, researcher).text
    assert User.objects.filter(pk=researcher.pk).exists()
    person.delete()
    assert root.post(of(researcher, "delete"), GONE).status_code == 302
    assert not User.objects.filter(pk=researcher.pk).exists()

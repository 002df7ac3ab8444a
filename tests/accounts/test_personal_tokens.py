"""People make and revoke tokens of their own; a token is shown once and stored as a digest."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from config.accounts.models import PersonalToken
from config.accounts.tokens.made import NOTED_EVERY, find_token, note_use
from config.accounts.tokens.secrets import is_token, new_token
from experiments.models import AuditEntry, Study
from tests.accounts.conftest import PASSWORD, log_in
from tests.participants.studies import open_study

pytestmark = pytest.mark.django_db
NEW = {"name": "nightly export", "scopes": ["read", "data"], "days": "30"}


@pytest.fixture
def client(researcher: Any) -> Client:
    return confirmed()


def confirmed(name: str = "ada") -> Client:
    """Somebody who is logged in and has just confirmed who they are."""
    made = Client()
    log_in(made, name)
    made.post("/admin/account/confirm/", {"password": PASSWORD})
    return made


def made_by(client: Client, **changes: Any) -> str:
    answer = client.post("/admin/account/tokens/new/", {**NEW, **changes})
    assert answer.status_code == 200, answer.content
    [token] = set(re.findall(r"lectern_pat_[0-9A-Za-z]{46}", answer.content.decode()))
    return str(token)


def asked_with(token: str) -> Any:
    return Client().get("/api/v1/tokens/self/", headers={"Authorization": f"Bearer {token}"})


def test_a_token_is_shown_once_and_never_stored(client: Client, researcher: Any) -> None:
    token = made_by(client)
    stored = PersonalToken.objects.get()
    assert is_token(token)
    assert (stored.user, stored.scopes) == (researcher, ["read", "data"])
    assert token not in repr(PersonalToken.objects.values().get())
    assert stored.digest != token
    page = client.get("/admin/account/tokens/").content.decode()
    assert "nightly export" in page
    assert token not in page
    assert token[:18] in page
    assert asked_with(token).json()["scopes"] == ["read", "data"]
    told = AuditEntry.objects.get(action="token made").detail
    assert "nightly export" in told
    assert token not in told


def test_a_token_is_valid_for_some_studies_alone(client: Client, researcher: Any) -> None:
    mine = open_study("mine", owner=researcher)
    foreign = open_study("foreign")
    token = made_by(client, studies=[mine.pk])
    assert asked_with(token).json()["studies"] == ["mine"]
    Study.objects.filter(pk=mine.pk).delete()
    assert asked_with(token).json()["studies"] == []
    answer = client.post("/admin/account/tokens/new/", {**NEW, "studies": [foreign.pk]})
    assert answer.status_code == 422


def test_a_revoked_token_opens_nothing(client: Client) -> None:
    token = made_by(client)
    address = f"/admin/account/tokens/{PersonalToken.objects.get().pk}/revoke/"
    assert "nightly export" in client.get(address).content.decode()
    assert asked_with(token).status_code == 200
    assert client.post(address).status_code == 302
    answer = asked_with(token)
    assert answer.status_code == 401
    assert "revoked" in answer.json()["detail"]
    assert AuditEntry.objects.filter(action="token revoked").count() == 1
    client.post(address)
    assert AuditEntry.objects.filter(action="token revoked").count() == 1


def test_administrators_see_that_tokens_exist_and_revoke_them(client: Client, administrator: Any) -> None:
    token = made_by(client)
    root = Client()
    log_in(root, "root")
    page = root.get("/admin/account/tokens/everybody/").content.decode()
    assert "nightly export" in page
    assert token not in page
    pk = PersonalToken.objects.get().pk
    assert client.get("/admin/account/tokens/everybody/").status_code == 403
    assert root.post(f"/admin/account/tokens/{pk}/revoke/").status_code == 302
    assert asked_with(token).status_code == 401
    entry = AuditEntry.objects.get(action="token revoked")
    assert (entry.user, entry.detail.split(".")[0]) == (administrator, "ada")


def test_nobody_revokes_a_token_of_others(client: Client, administrator: Any) -> None:
    token = made_by(confirmed("root"))
    assert client.post(f"/admin/account/tokens/{PersonalToken.objects.get().pk}/revoke/").status_code == 404
    assert asked_with(token).status_code == 200


def test_people_confirm_who_they_are_before_they_make_one(researcher: Any) -> None:
    client = Client()
    log_in(client)
    for answer in (client.get("/admin/account/tokens/new/"), client.post("/admin/account/tokens/new/", NEW)):
        assert answer.status_code == 302
        assert answer["Location"].startswith("/admin/account/confirm/")
    assert not PersonalToken.objects.exists()
    client.post("/admin/account/confirm/", {"password": PASSWORD})
    assert is_token(made_by(client))


def test_people_have_a_bounded_number_of_tokens(client: Client, researcher: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr("config.accounts.tokens.made.MOST", 1)
    made_by(client)
    answer = client.post("/admin/account/tokens/new/", NEW)
    assert answer.status_code == 422
    assert PersonalToken.objects.count() == 1


def test_a_token_that_was_mistyped_costs_no_query(django_assert_num_queries: Any) -> None:
    token = new_token()
    wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
    with django_assert_num_queries(0):
        assert find_token(wrong) is None
        assert find_token("") is None
        assert find_token("x" * 100_000) is None


def test_the_last_use_is_written_now_and_then(client: Client, django_assert_num_queries: Any) -> None:
    made_by(client)
    token = PersonalToken.objects.get()
    note_use(token)
    token.refresh_from_db()
    assert token.last_used_at is not None
    with django_assert_num_queries(0):
        note_use(token)
    token.last_used_at = timezone.now() - NOTED_EVERY - timedelta(seconds=1)
    with django_assert_num_queries(1):
        note_use(token)

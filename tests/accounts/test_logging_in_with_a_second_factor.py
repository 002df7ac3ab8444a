"""Who has a second factor is not in before it was shown; who has none notices nothing of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from experiments.models import AuditEntry
from tests.accounts.conftest import PASSWORD, code_of, is_in, log_in

pytestmark = pytest.mark.django_db
BASE = "/admin/account/second-factor"


@pytest.fixture
def secret(researcher: Any, client: Client) -> str:
    """Set up an authenticator app as a person would, and log out."""
    log_in(client)
    asked = client.get(f"{BASE}/totp/activate/")
    assert asked["Location"].startswith("/admin/account/confirm/")
    assert client.post("/admin/account/confirm/", {"password": "wrong"}).status_code == 200
    assert client.post("/admin/account/confirm/", {"password": PASSWORD}).status_code == 302
    page = client.get(f"{BASE}/totp/activate/").text
    found = re.search(r'value="([A-Z2-7]{32})"', page)
    assert found, page
    answer = client.post(f"{BASE}/totp/activate/", {"code": code_of(found[1])})
    assert answer.status_code == 302, answer.content
    client.post("/admin/logout/")
    assert not is_in(client)
    return str(found[1])


def test_without_a_second_factor_the_password_is_enough(researcher: Any, client: Client) -> None:
    answer = log_in(client, next="/admin/studies/")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/studies/")
    assert is_in(client)
    assert AuditEntry.objects.values_list("action", "detail", "user__username").get() == (
        "logged in", "ada. password", "ada",
    )  # fmt: skip


def test_the_password_alone_does_not_let_in(secret: str, client: Client) -> None:
    AuditEntry.objects.all().delete()
    answer = log_in(client, next="/admin/studies/")
    assert answer["Location"] == f"{BASE}/authenticate/"
    assert not is_in(client)
    for address in (
        "/admin/",
        "/admin/account/sessions/",
        f"{BASE}/",
        f"{BASE}/totp/deactivate/",
        f"{BASE}/recovery-codes/",
    ):
        assert client.get(address).status_code == 302, address
    assert not AuditEntry.objects.exists()
    assert client.post(f"{BASE}/authenticate/", {"code": "000000"}).status_code == 200
    assert not is_in(client)
    answer = client.post(f"{BASE}/authenticate/", {"code": code_of(secret, steps=1)})
    assert (answer.status_code, answer["Location"]) == (302, "/admin/studies/")
    assert is_in(client)
    assert AuditEntry.objects.get().detail == "ada. password, mfa"


def test_a_code_that_was_used_works_no_more(secret: str, client: Client) -> None:
    code = code_of(secret, steps=1)
    log_in(client)
    client.post(f"{BASE}/authenticate/", {"code": code})
    assert is_in(client)
    other = Client()
    log_in(other)
    other.post(f"{BASE}/authenticate/", {"code": code})
    assert not is_in(other)


def test_guessing_codes_is_stopped(secret: str, client: Client) -> None:
    log_in(client)
    for _ in range(12):
        client.post(f"{BASE}/authenticate/", {"code": "000000"})
    client.post(f"{BASE}/authenticate/", {"code": code_of(secret, steps=1)})
    assert not is_in(client)


def test_a_recovery_code_lets_in_once(secret: str, researcher: Any, client: Client) -> None:
    codes = Authenticator.objects.get(user=researcher, type="recovery_codes").wrap().get_unused_codes()
    assert len(codes) == 10
    log_in(client)
    client.post(f"{BASE}/authenticate/", {"code": codes[0]})
    assert is_in(client)
    other = Client()
    log_in(other)
    other.post(f"{BASE}/authenticate/", {"code": codes[0]})
    assert not is_in(other)


def test_the_secret_is_not_readable_in_the_database(secret: str, researcher: Any) -> None:
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert not [
        code for code in Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes() if code in stored
    ]


def test_an_administrator_removes_a_lost_second_factor(
    secret: str, researcher: Any, administrator: Any, client: Client
) -> None:
    address = f"/admin/auth/user/{researcher.pk}/second-factor/"
    log_in(client, "root")
    assert "Remove the second factor" in client.get(f"/admin/auth/user/{researcher.pk}/change/").text
    client.post(address)
    assert AuditEntry.objects.filter(action="second factor removed", user=administrator).count() == 1
    own = Client()
    log_in(own)
    assert is_in(own)


def test_nobody_else_removes_it(secret: str, researcher: Any, django_user_model: Any, client: Client) -> None:
    django_user_model.objects.create_user("eve", "", PASSWORD, is_staff=True)
    log_in(client, "eve")
    assert client.post(f"/admin/auth/user/{researcher.pk}/second-factor/").status_code == 403
    assert Authenticator.objects.filter(user=researcher).count() == 2


def test_an_account_without_staff_status_does_not_get_in(django_user_model: Any, client: Client) -> None:
    django_user_model.objects.create_user("guest", "", PASSWORD)
    assert log_in(client, "guest").status_code == 200
    assert "_auth_user_id" not in client.session


def test_another_site_is_not_where_the_log_in_leads(researcher: Any, client: Client) -> None:
    assert log_in(client, next="https://evil.example/")["Location"] == "/admin/"


def test_eight_wrong_passwords_still_lock(researcher: Any, client: Client, settings: Any) -> None:
    settings.AXES_ENABLED = True
    for _ in range(8):
        answer = log_in(client, password="wrong")
    assert answer.status_code == 429
    assert log_in(client).status_code == 429
    assert not is_in(client)

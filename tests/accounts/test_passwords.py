"""Passwords are long, uncommon and unlike the name; a new one is set by a link that works once."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client

from config.accounts.admin import new_password_path
from experiments.models import AuditEntry
from tests.accounts.conftest import PASSWORD, is_in, log_in

pytestmark = [pytest.mark.both, pytest.mark.django_db]
NEW = "seven quiet otters"


@pytest.mark.parametrize("password", ["eleven-char", "password1234", "ada@example.org"])
def test_weak_passwords_are_refused(researcher: Any, password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password, researcher)


@pytest.mark.parametrize(
    "password", ["aaaabbbbccccdddd", "seven quiet otters", "ein langer satz ohne ziffern", "ü" * 12]
)
def test_no_rule_asks_for_kinds_of_characters(researcher: Any, password: str) -> None:
    validate_password(password, researcher)


def set_password(client: Client, address: str, password: str = NEW) -> Any:
    form = client.get(address, follow=True)
    where = form.redirect_chain[-1][0] if form.redirect_chain else address
    return client.post(where, {"new_password1": password, "new_password2": password})


def link_by_administrator(researcher: Any) -> str:
    page = Client()
    log_in(page, "root")
    made = page.post(f"/admin/auth/user/{researcher.pk}/password-link/")
    found = re.search(r"http://testserver(/admin/account/password/\S+?/\S+?/)<", made.text)
    assert found, made.text
    return found[1]


def test_a_link_by_an_administrator_works_once(researcher: Any, administrator: Any, client: Client) -> None:
    address = link_by_administrator(researcher)
    assert AuditEntry.objects.filter(action="password link made", user=administrator).count() == 1
    assert set_password(client, address, "short").status_code == 200
    assert set_password(client, address).status_code == 302
    assert AuditEntry.objects.filter(action="password set", detail__startswith="ada").count() == 1
    log_in(client, password=PASSWORD)
    assert not is_in(client)
    log_in(client, password=NEW)
    assert is_in(client)
    again = Client().get(address, follow=True)
    assert "This link no longer works" in again.text


def test_a_link_works_for_a_day(researcher: Any, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.contrib.auth.tokens import PasswordResetTokenGenerator

    address = new_password_path(researcher)
    later = datetime.now() + timedelta(hours=24, minutes=1)
    monkeypatch.setattr(PasswordResetTokenGenerator, "_now", lambda self: later)
    assert "This link no longer works" in client.get(address, follow=True).text


@pytest.mark.parametrize("is_staff", [True, False])
def test_only_administrators_make_links(
    researcher: Any, administrator: Any, django_user_model: Any, client: Client, is_staff: bool
) -> None:
    if is_staff:
        log_in(client)
    answer = client.post(f"/admin/auth/user/{administrator.pk}/password-link/")
    assert answer.status_code == (403 if is_staff else 302)
    assert "/admin/account/password/" not in answer.text


def test_by_mail_where_mail_is_set_up(researcher: Any, client: Client, settings: Any) -> None:
    settings.MAIL_IS_SET_UP = True
    for address in ("ada@example.org", "nobody@example.org"):
        answer = client.post("/admin/account/password/", {"email": address})
        assert answer["Location"] == "/admin/account/password/sent/"
    assert [letter.to for letter in mail.outbox] == [["ada@example.org"]]
    found = re.search(r"http://testserver(/admin/account/password/\S+/)", str(mail.outbox[0].body))
    assert found
    assert set_password(client, found[1]).status_code == 302
    log_in(client, password=NEW)
    assert is_in(client)


def test_one_address_gets_few_letters(researcher: Any, client: Client, settings: Any) -> None:
    settings.MAIL_IS_SET_UP = True
    for _ in range(20):
        assert client.post("/admin/account/password/", {"email": "ada@example.org"}).status_code == 302
    assert 1 <= len(mail.outbox) <= 5


def test_without_mail_the_page_says_whom_to_ask(researcher: Any, client: Client) -> None:
    assert "This platform sends no e-mail" in client.get("/admin/account/password/").text
    client.post("/admin/account/password/", {"email": "ada@example.org"})
    assert mail.outbox == []


def test_a_new_password_ends_all_sessions(researcher: Any, administrator: Any, client: Client) -> None:
    log_in(client)
    assert is_in(client)
    set_password(Client(), link_by_administrator(researcher))
    assert not is_in(client)

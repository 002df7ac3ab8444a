"""Every address of accounts, asked by everybody: an address without a row here fails."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from config.accounts.urls import urlpatterns
from tests.accounts.conftest import log_in

pytestmark = pytest.mark.django_db
OUTSIDE = "anonymous"
# What anonymous people, researchers and administrators get by GET. 302 leads to the log-in page, or, for who is logged
# in, to the page that asks for the password again or to where they can go on.
ALL, INSIDE, ASKED_AGAIN = (200, 200, 200), (302, 200, 200), (302, 302, 302)
# Who has no second factor has none to take away and no codes to see.
NOTHING_YET = (302, 404, 404)
ROWS: dict[str, tuple[int, int, int]] = {
    "account_login": (200, 302, 302),
    "invitation": (410, 410, 410),
    "welcome": INSIDE,
    "language": ALL,
    "people": (302, 403, 200),
    "history": INSIDE,
    "notifications": INSIDE,
    "teams": INSIDE,
    "team": (302, 404, 404),
    "leave_team": (302, 404, 404),
    "delete_team": (302, 404, 404),
    "invite": (302, 403, 200),
    "take_back": ASKED_AGAIN,
    "invite_to_study": (302, 404, 404),
    "tokens": INSIDE,
    "make_token": ASKED_AGAIN,
    "tokens_of_everybody": (302, 403, 200),
    "revoke_token": NOTHING_YET,
    "account_logout": (302, 200, 200),
    "account_reauthenticate": INSIDE,
    "admin_password_reset": ALL,
    "password_reset_done": ALL,
    "password_reset_complete": ALL,
    "password_reset_confirm": ALL,
    "mfa_index": INSIDE,
    "mfa_authenticate": ASKED_AGAIN,
    "mfa_reauthenticate": ASKED_AGAIN,
    "mfa_activate_totp": ASKED_AGAIN,
    "mfa_deactivate_totp": NOTHING_YET,
    "mfa_view_recovery_codes": NOTHING_YET,
    "mfa_generate_recovery_codes": ASKED_AGAIN,
    "mfa_download_recovery_codes": NOTHING_YET,
    "mfa_list_webauthn": INSIDE,
    "mfa_add_webauthn": ASKED_AGAIN,
    "mfa_reauthenticate_webauthn": ASKED_AGAIN,
    "mfa_remove_webauthn": ASKED_AGAIN,
    "mfa_edit_webauthn": ASKED_AGAIN,
    "usersessions_list": INSIDE,
    "socialaccount_connections": INSIDE,
    "socialaccount_login_cancelled": ALL,
    "socialaccount_login_error": (401, 401, 401),
    "openid_connect_login": (404, 404, 404),
    "openid_connect_callback": (404, 404, 404),
    "admin:account_password_link": (302, 403, 302),
    "admin:account_second_factor": (302, 403, 302),
}
PARAMETERS: dict[str, list[str | int]] = {
    "invitation": [1, "no-token"], "revoke_token": [1], "take_back": [1], "invite_to_study": ["no-study"],
    "password_reset_confirm": ["MQ", "no-token"], "mfa_remove_webauthn": [1], "mfa_edit_webauthn": [1],
    "team": [0], "leave_team": [0, 0], "delete_team": [0],
    "openid_connect_login": ["home"], "openid_connect_callback": ["home"],
    "admin:account_password_link": ["researcher"], "admin:account_second_factor": ["researcher"],
}  # fmt: skip


def address_of(name: str, researcher: Any) -> str:
    return reverse(name, args=[researcher.pk if given == "researcher" else given for given in PARAMETERS.get(name, [])])


def names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern.url_patterns)
        else:
            yield str(pattern.name)


def test_every_address_has_a_row() -> None:
    assert set(names(urlpatterns)) == {name for name in ROWS if ":" not in name}


@pytest.mark.parametrize("name", ROWS)
def test_everybody_gets_what_they_may(researcher: Any, administrator: Any, name: str) -> None:
    address = address_of(name, researcher)
    assert address.startswith("/admin/")
    got = []
    for who in (OUTSIDE, "ada", "root"):
        client = Client()
        if who != OUTSIDE:
            log_in(client, who)
        answer = client.get(address)
        got.append(answer.status_code)
        if answer.status_code == 302:
            assert answer["Location"].startswith("/admin/"), answer["Location"]
    assert tuple(got) == ROWS[name]


@pytest.mark.parametrize("name", [name for name in ROWS if name not in {"account_login", "account_logout"}])
def test_nothing_is_changed_from_outside_without_a_token(researcher: Any, name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(researcher)
    answer = client.post(address_of(name, researcher))
    assert answer.status_code in {302, 403, 404, 405}

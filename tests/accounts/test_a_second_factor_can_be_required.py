"""Where a second factor is required, who has none is led to set one up and sees nothing else meanwhile."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings as platform
from django.test import Client
from django.urls import reverse

from tests.accounts.conftest import PASSWORD, code_of, is_in, log_in

pytestmark = pytest.mark.django_db
HOME = "/admin/account/second-factor/"
NAVIGATES = {"sec-fetch-mode": "navigate"}


@pytest.fixture(params=["administrators", "everybody"])
def required(request: pytest.FixtureRequest, settings: Any) -> str:
    settings.SECOND_FACTOR_REQUIRED = request.param
    return str(request.param)


def set_up(client: Client, password: str = PASSWORD) -> None:
    """Set up an authenticator app from the page that somebody is led to."""
    client.get(f"{HOME}totp/activate/")
    client.post("/admin/account/confirm/", {"password": password})
    found = re.search(r'value="([A-Z2-7]{32})"', client.get(f"{HOME}totp/activate/").text)
    assert found
    assert client.post(f"{HOME}totp/activate/", {"code": code_of(found[1])}).status_code == 302


def test_an_administrator_without_one_is_led_to_it_and_then_in(
    required: str, administrator: Any, client: Client
) -> None:
    log_in(client, "root")
    for page in (
        "/admin/",
        "/admin/studies/",
        "/admin/auth/user/",
        "/admin/account/sessions/",
        "/admin/account/invite/",
    ):
        led = client.get(page, headers=NAVIGATES)
        assert (led.status_code, led["Location"]) == (302, HOME), page
    shown = client.get("/admin/studies/", headers=NAVIGATES, follow=True)
    assert shown.status_code == 200
    assert "This platform requires a second factor" in shown.text
    set_up(client)
    assert is_in(client)


def test_nothing_is_done_or_told_without_it(required: str, administrator: Any, researcher: Any, client: Client) -> None:
    log_in(client, "root")
    answer = client.post(f"/admin/auth/user/{researcher.pk}/password-link/")
    assert (answer.status_code, answer["Location"]) == (302, HOME)
    told = client.get("/admin/studies/", headers={"sec-fetch-mode": "cors"})
    assert told.status_code == 403
    assert told.headers["Content-Type"].startswith("text/plain")


def test_one_can_still_leave_and_choose_a_language(required: str, administrator: Any, client: Client) -> None:
    log_in(client, "root")
    assert client.get("/admin/account/language/").status_code == 200
    client.post("/admin/logout/")
    assert "_auth_user_id" not in client.session


def test_researchers_have_to_where_everybody_has_to(required: str, researcher: Any, client: Client) -> None:
    log_in(client)
    assert is_in(client) is (required == "administrators")


def test_who_gives_up_the_last_one_is_led_back(required: str, administrator: Any, client: Client) -> None:
    log_in(client, "root")
    set_up(client)
    Authenticator.objects.all().delete()
    assert client.get("/admin/studies/", headers=NAVIGATES)["Location"] == HOME


def test_outside_of_the_admin_who_has_none_counts_as_logged_out(
    required: str, administrator: Any, client: Client
) -> None:
    from tests.participants.studies import open_study

    preview = reverse("participants:preview", args=[open_study().slug])
    log_in(client, "root")
    assert client.get(preview).status_code == 302
    set_up(client)
    assert client.get(preview).status_code == 200


def test_nobody_is_asked_where_it_is_not_required(administrator: Any, client: Client) -> None:
    log_in(client, "root")
    assert is_in(client)


def test_another_word_is_refused_at_the_start() -> None:
    finished = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        cwd=platform.BASE_DIR,
        env={**os.environ, "SECOND_FACTOR_REQUIRED": "admins"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode != 0
    assert "SECOND_FACTOR_REQUIRED must be nobody, administrators or everybody" in finished.stderr

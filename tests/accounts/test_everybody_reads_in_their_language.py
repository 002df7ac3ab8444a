"""Everybody reads the platform's own pages in one language: that of their browser, or the one that they chose."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from config.accounts.models import Preference

pytestmark = pytest.mark.django_db

ADDRESS = "/admin/account/language/"


@pytest.fixture
def somebody(django_user_model: Any) -> Any:
    return django_user_model.objects.create_user("somebody", password="a long password", is_staff=True)


def heading(client: Client, **headers: str) -> str:
    page = client.get("/admin/login/", headers=headers).content.decode()
    return page.partition("<h1>")[2].partition("</h1>")[0]


@pytest.mark.parametrize(("browser", "shown"), [("de-AT,de;q=0.9,en;q=0.5", "Anmelden"), ("fr,en;q=0.5", "Log in")])
def test_without_a_choice_it_is_that_of_the_browser(client: Client, browser: str, shown: str) -> None:
    assert heading(client, accept_language=browser) == shown


def test_a_choice_before_the_log_in_holds_in_this_browser(client: Client) -> None:
    answer = client.post(ADDRESS, {"language": "de", "next": "/admin/login/"})
    assert answer.headers["Location"] == "/admin/login/"
    assert heading(client, accept_language="en") == "Anmelden"
    assert not Preference.objects.exists()


def test_a_choice_goes_with_the_account_to_every_computer(client: Client, somebody: Any) -> None:
    client.force_login(somebody)
    client.post(ADDRESS, {"language": "de"})
    assert Preference.objects.get().language == "de"
    elsewhere = Client(headers={"Accept-Language": "en"})
    elsewhere.post("/admin/login/", {"username": "somebody", "password": "a long password"})
    assert 'lang="de"' in elsewhere.get("/admin/studies/").content.decode()[:300]


def test_the_choice_can_be_changed_again(client: Client, somebody: Any) -> None:
    client.force_login(somebody)
    for tag in ("de", "en-gb"):
        client.post(ADDRESS, {"language": tag})
    assert Preference.objects.get().language == "en-gb"
    assert 'lang="en' in client.get("/admin/studies/", headers={"accept-language": "de"}).content.decode()[:300]


def test_an_unknown_language_changes_nothing(client: Client, somebody: Any) -> None:
    client.force_login(somebody)
    answer = client.post(ADDRESS, {"language": "tlh"})
    assert answer.status_code == 200
    assert "django_language" not in answer.cookies
    assert not Preference.objects.exists()


@pytest.mark.parametrize("then", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_nobody_is_led_away_by_a_choice(client: Client, then: str) -> None:
    assert client.post(ADDRESS, {"language": "de", "next": then}).headers["Location"] == "/admin/"


def test_the_page_says_which_language_is_read_and_names_each_as_its_speakers_do(client: Client) -> None:
    page = client.get(ADDRESS, headers={"accept-language": "de"}).content.decode()
    assert "Deutsch</button>" in page
    assert 'value="de" lang="de" aria-current="true"' in page

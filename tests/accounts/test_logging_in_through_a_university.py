"""A university's log-in: researchers come in by what the university says about them, and nobody else does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.test import Client

from config.accounts.university import values_of
from experiments.models import AuditEntry
from tests.accounts.conftest import PASSWORD, code_of, is_in, log_in
from tests.accounts.provider import CLIENT_ID, CLIENT_SECRET, Provider

pytestmark = [pytest.mark.both, pytest.mark.django_db]
START = "/admin/account/university/home/"
BACK = f"{START}back/"


@pytest.fixture(scope="module")
def server() -> Iterator[Provider]:
    started = Provider()
    yield started
    started.stop()


@pytest.fixture
def university(server: Provider, settings: Any) -> Provider:
    settings.OIDC_IS_SET_UP = True
    settings.OIDC_NAME = "University of Examples"
    settings.OIDC_ADMINISTRATORS = ["lectern-admins"]
    app = {
        "provider_id": "home", "name": "University of Examples", "client_id": CLIENT_ID, "secret": CLIENT_SECRET,
        "settings": {"server_url": server.url},
    }  # fmt: skip
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}
    server.person = person("staff")
    return server


def person(*affiliations: str, **more: Any) -> dict[str, Any]:
    return {
        "sub": "u-1", "preferred_username": "grace", "email": "grace@example.org", "email_verified": True,
        "given_name": "Grace", "family_name": "Example", "eduperson_affiliation": list(affiliations), **more,
    }  # fmt: skip


def come_in(client: Client, university: Provider, address: str = START) -> Any:
    led = client.get(address)
    assert led.status_code == 302, led.content
    return client.get(BACK, university.authorise(led["Location"]))


def test_a_researcher_gets_an_account_and_is_led_on(
    university: Provider, client: Client, django_user_model: Any
) -> None:
    page = client.get("/admin/login/?next=/admin/studies/")
    assert "Log in with University of Examples" in page.text
    assert f'href="{START}?next=/admin/studies/"' in page.text
    answer = come_in(client, university, f"{START}?next=/admin/studies/")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/studies/")
    assert is_in(client)
    user = django_user_model.objects.get()
    assert (user.username, user.email, user.is_staff, user.is_superuser) == ("grace", "grace@example.org", True, False)
    assert not user.has_usable_password()
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == ["account made", "logged in"]
    assert not SocialToken.objects.exists()
    again = Client()
    come_in(again, university)
    assert is_in(again)
    assert django_user_model.objects.count() == 1


@pytest.mark.parametrize("affiliations", [[], ["student"], ["Staff"], ["staffer"]])
def test_who_is_no_researcher_stays_outside(
    university: Provider, client: Client, django_user_model: Any, affiliations: list[str]
) -> None:
    university.person = person(*affiliations)
    answer = come_in(client, university)
    assert answer.status_code == 403
    assert "does not list you as a researcher" in answer.text
    assert not is_in(client)
    assert not django_user_model.objects.exists()


def test_who_is_a_researcher_no_more_stays_outside(university: Provider, client: Client) -> None:
    come_in(client, university)
    university.person = person("alum")
    later = Client()
    assert come_in(later, university).status_code == 403
    assert not is_in(later)


def test_administrators_are_named_by_the_university_at_every_log_in(
    university: Provider, django_user_model: Any
) -> None:
    django_user_model.objects.create_superuser("root", password="a long enough word")
    university.person = person("lectern-admins")
    come_in(Client(), university)
    grace = django_user_model.objects.get(username="grace")
    assert grace.is_superuser
    university.person = person("staff")
    come_in(Client(), university)
    grace.refresh_from_db()
    assert not grace.is_superuser
    assert AuditEntry.objects.get(action="role changed").detail.startswith("grace. no administrator any more")


def test_the_last_administrator_stays_one_whatever_the_university_says(
    university: Provider, client: Client, django_user_model: Any
) -> None:
    university.person = person("lectern-admins")
    come_in(client, university)
    university.person = person("staff")
    come_in(Client(), university)
    assert django_user_model.objects.get().is_superuser
    assert not AuditEntry.objects.filter(action="role changed").exists()


def test_a_role_that_was_taken_away_here_does_not_come_back(
    university: Provider, client: Client, django_user_model: Any
) -> None:
    come_in(Client(), university)
    for change in ({"is_active": False}, {"is_active": True, "is_staff": False}):
        django_user_model.objects.update(**change)
        assert come_in(client, university).status_code == 403
        assert not is_in(client)


def test_an_account_is_not_taken_over_by_its_address_or_its_name(
    university: Provider, client: Client, django_user_model: Any
) -> None:
    local = django_user_model.objects.create_superuser("grace", "grace@example.org", PASSWORD)
    answer = come_in(client, university)
    assert answer.status_code == 403
    assert "connect it under" in answer.text
    assert not is_in(client)
    university.person = person("staff", email="other@example.org")
    come_in(client, university)
    assert is_in(client)
    assert int(client.session["_auth_user_id"]) != local.pk
    assert not SocialAccount.objects.filter(user=local).exists()


def test_an_account_of_a_password_is_connected_by_its_owner(
    university: Provider, researcher: Any, client: Client
) -> None:
    university.person = person("staff", email="ada@example.org")
    log_in(client)
    assert f"{START}?process=connect" in client.get("/admin/account/university/").text
    for elsewhere in ({}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "none"}):
        answer = client.get(f"{START}?process=connect", headers=elsewhere)
        assert answer["Location"] == "/admin/account/university/"
    client.defaults["HTTP_SEC_FETCH_SITE"] = "same-origin"
    come_in(client, university, f"{START}?process=connect")
    assert "Disconnect" in client.get("/admin/account/university/").text
    assert SocialAccount.objects.get().user == researcher
    later = Client()
    come_in(later, university)
    assert int(later.session["_auth_user_id"]) == researcher.pk


def test_an_answer_that_nobody_asked_for_is_refused(university: Provider, client: Client) -> None:
    led = client.get(START)
    answer = university.authorise(led["Location"])
    stranger = Client()
    stranger.get(BACK, answer)
    assert not is_in(stranger)
    client.get(BACK, {**answer, "state": "another"})
    assert not is_in(client)


def test_the_second_factor_is_asked_for_here_too(university: Provider, researcher: Any, django_user_model: Any) -> None:
    client = Client()
    log_in(client)
    client.post("/admin/account/confirm/", {"password": PASSWORD})
    secret = client.get("/admin/account/second-factor/totp/activate/").context["form"].secret
    client.post("/admin/account/second-factor/totp/activate/", {"code": code_of(secret)})
    SocialAccount.objects.create(user=researcher, provider="home", uid="u-1")
    other = Client()
    assert come_in(other, university)["Location"] == "/admin/account/second-factor/authenticate/"
    assert not is_in(other)


def test_a_university_that_is_away_gives_a_sentence(university: Provider, client: Client, settings: Any) -> None:
    settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"]["server_url"] = "http://127.0.0.1:9"
    answer = client.get(START)
    assert answer.status_code == 503
    assert "does not answer" in answer.text


def test_without_a_university_there_is_nothing_of_it(client: Client) -> None:
    assert client.get(START).status_code == 404
    assert "Log in with" not in client.get("/admin/login/").text


def test_claims_are_texts_lists_or_parts() -> None:
    assert values_of({"groups": ("a", "b")}, "groups") == {"a", "b"}
    assert values_of({"https://example.org/role": "x"}, "https://example.org/role") == {"x"}
    assert values_of({"realm": "x"}, "realm.roles") == set()

"""Whom the university names no more is out within an hour; everybody else hardly notices that it was asked."""

from __future__ import annotations

import time
from typing import Any

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from config.accounts import staying
from experiments.models import AuditEntry
from tests.accounts.conftest import PASSWORD, is_in, log_in
from tests.accounts.provider import Provider
from tests.accounts.test_logging_in_through_a_university import (  # noqa: F401 - fixtures
    BACK,
    START,
    come_in,
    person,
    server,
    university,
)

pytestmark = [pytest.mark.both, pytest.mark.django_db]
PAGE = "/admin/studies/"
NAVIGATES = {"sec-fetch-mode": "navigate", "accept": "text/html"}
MINUTE = 60


def later(client: Client, minutes: float) -> None:
    """Let time pass for a session."""
    session = client.session
    for name in (staying.CONFIRMED_AT, staying.ASKED_AT):
        if name in session:
            session[name] -= minutes * MINUTE
    session.save()


def opened(client: Client, page: str = PAGE) -> Any:
    return client.get(page, headers=NAVIGATES)


def confirmed(client: Client, university: Provider, led: Any) -> Any:  # noqa: F811
    """Go to the university and back, as a browser does that is still logged in there."""
    assert led["Location"].startswith(f"{START}?next="), led["Location"]
    there = client.get(led["Location"])
    return client.get(BACK, university.authorise(there["Location"]))


def test_a_session_is_confirmed_after_half_an_hour_and_goes_on(university: Provider, client: Client) -> None:  # noqa: F811
    come_in(client, university)
    later(client, 29)
    assert opened(client).status_code == 200
    later(client, 2)
    key = client.session.session_key
    back = confirmed(client, university, opened(client, f"{PAGE}?order=title"))
    assert (back.status_code, back["Location"]) == (302, f"{PAGE}?order=title")
    assert opened(client).status_code == 200
    assert client.session.session_key == key
    later(client, 29)
    assert opened(client).status_code == 200
    assert AuditEntry.objects.filter(action="logged in").count() == 1


def test_whom_the_university_names_no_more_is_out_of_every_session(university: Provider, client: Client) -> None:  # noqa: F811
    other = Client()
    come_in(client, university)
    come_in(other, university)
    assert is_in(other)
    university.person = person("alum")
    later(client, 31)
    refused = confirmed(client, university, opened(client))
    assert refused.status_code == 403
    assert "does not list you as a researcher" in refused.text
    assert not is_in(client)
    assert not is_in(other)
    assert AuditEntry.objects.get(action="sessions ended").detail.endswith("by the university")


@pytest.mark.parametrize("method", ["get", "post"])
def test_without_being_confirmed_it_ends_after_an_hour(university: Provider, client: Client, method: str) -> None:  # noqa: F811
    come_in(client, university)
    later(client, 59)
    assert getattr(client, method)(PAGE).status_code != 302
    later(client, 2)
    answer = getattr(client, method)(PAGE)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/admin/login/")
    assert not is_in(client)


def test_a_page_that_is_opened_after_an_hour_comes_back_by_itself(university: Provider, client: Client) -> None:  # noqa: F811
    come_in(client, university)
    later(client, 600)
    back = confirmed(client, university, opened(client))
    assert back["Location"] == PAGE
    assert is_in(client)


def test_a_session_that_ended_is_one_outside_of_the_admin_too(
    university: Provider,  # noqa: F811
    client: Client,
    django_user_model: Any,
) -> None:
    from tests.participants.studies import open_study

    study = open_study()
    come_in(client, university)
    study.owner = django_user_model.objects.get(username="grace")
    study.save()
    preview = reverse("participants:preview", args=[study.slug])
    assert client.get(preview).status_code == 200
    later(client, 61)
    assert client.get(preview).status_code == 302


def test_a_university_that_does_not_answer_is_asked_again_after_some_minutes(
    university: Provider,  # noqa: F811
    client: Client,
) -> None:
    come_in(client, university)
    later(client, 31)
    assert opened(client).status_code == 302
    # It did not answer; the next pages are shown.
    assert opened(client).status_code == 200
    later(client, 6)
    assert opened(client).status_code == 302


def test_scripts_and_forms_are_not_led_away_before_the_hour(university: Provider, client: Client) -> None:  # noqa: F811
    come_in(client, university)
    later(client, 45)
    assert client.get(PAGE, headers={"sec-fetch-mode": "cors", "accept": "*/*"}).status_code == 200
    assert client.post("/admin/account/language/", {"language": "de"}, headers=NAVIGATES).status_code == 302


def test_a_second_factor_is_not_asked_for_again(
    university: Provider,  # noqa: F811
    client: Client,
    django_user_model: Any,
) -> None:
    come_in(client, university)
    data = {"secret": get_adapter().encrypt("JBSWY3DPEHPK3PXP")}
    Authenticator.objects.create(user=django_user_model.objects.get(), type=Authenticator.Type.TOTP, data=data)
    later(client, 31)
    assert confirmed(client, university, opened(client))["Location"] == PAGE
    assert is_in(client)


def test_a_session_by_a_password_stays(university: Provider, researcher: Any, client: Client) -> None:  # noqa: F811
    log_in(client, password=PASSWORD)
    assert staying.CONFIRMED_AT not in client.session
    assert opened(client).status_code == 200


def test_a_session_from_before_this_was_noted_is_confirmed_at_once(university: Provider, client: Client) -> None:  # noqa: F811
    come_in(client, university)
    session = client.session
    del session[staying.CONFIRMED_AT]
    session.save()
    assert confirmed(client, university, opened(client))["Location"] == PAGE
    assert time.time() - client.session[staying.CONFIRMED_AT] < MINUTE


def test_rights_of_an_administrator_go_when_a_session_is_confirmed(
    university: Provider,  # noqa: F811
    client: Client,
    administrator: Any,
    django_user_model: Any,
) -> None:
    university.person = person("lectern-admins")
    come_in(client, university)
    assert django_user_model.objects.get(username="grace").is_superuser
    university.person = person("staff")
    later(client, 31)
    confirmed(client, university, opened(client))
    assert not django_user_model.objects.get(username="grace").is_superuser

"""Whoever sends a form after the log-in has run out learns that it was not saved, and comes back to its page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from experiments.models import Study
from tests.analysis.studies import make_study

pytestmark = pytest.mark.django_db
SAID = "You are logged out, so your changes on the page were not saved. Log in and enter them again."


@pytest.fixture
def page() -> str:
    return reverse("study:settings", args=[make_study().slug])


def sent(client: Client, page: str, **headers: str) -> Any:
    return client.post(page, {"title": "Another title"}, headers=headers, follow=True)


def test_the_log_in_page_says_that_nothing_was_saved_and_leads_back(client: Client, page: str) -> None:
    answer = sent(client, page, referer=f"http://testserver{page}?tab=2")
    assert SAID in answer.text
    assert answer.redirect_chain == [(f"/admin/login/?next={page}%3Ftab%3D2", 302)]
    assert Study.objects.get().title != "Another title"


@pytest.mark.parametrize("before", ["", "https://example.org/elsewhere", "nonsense", "http://[x"])
def test_nobody_is_led_elsewhere(client: Client, page: str, before: str) -> None:
    answer = sent(client, page, **({"referer": before} if before else {}))
    assert SAID in answer.text
    assert answer.redirect_chain == [("/admin/login/?next=/", 302)]


def test_whoever_only_opens_a_page_is_asked_to_log_in_and_told_nothing_else(client: Client, page: str) -> None:
    answer = client.get(page, follow=True)
    assert answer.redirect_chain == [(f"/admin/login/?next={page}", 302)]
    assert SAID not in answer.text

"""Opening any address creates nothing: link previews, prefetching browsers and monitors may come first."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from experiments.models import Study
from participants.models import WriteProbe
from tests.participants.studies import Browser

BOTS = [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126 Safari/537.36",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "WhatsApp/2.23.20.0",
    "facebookexternalhit/1.1",
    "Mozilla/5.0 (compatible; Googlebot/2.1)",
    "",
]
ADDRESSES = [
    "/", "/healthz", "/readyz", "/api/schema/", "/s/small-study/", "/s/small-study/?PROLIFIC_PID=abc&SESSION_ID=x",
    "/s/small-study/run/", "/s/small-study/preview/", "/s/small-study/withdraw/", "/s/small-study/continue/",
    "/api/studies/small-study/", "/api/studies/small-study/session/resume/",
    "/api/studies/small-study/sessions/", "/api/studies/small-study/session/open/",
    "/api/studies/small-study/session/results/", "/api/studies/small-study/session/complete/",
    "/api/studies/small-study/session/errors/", "/api/studies/small-study/withdraw/",
    "/api/studies/small-study/preview/", "/api/studies/small-study/preview/validate/",
]  # fmt: skip


def rows() -> dict[str, list[tuple[Any, ...]]]:
    # The one row with which readiness is found out is nobody's.
    models = [model for model in apps.get_models() if model is not WriteProbe]
    return {model._meta.label: sorted(model._default_manager.values_list(), key=str) for model in models}


@pytest.mark.parametrize("address", ADDRESSES)
def test_looking_changes_no_row(study: Study, client: Client, address: str) -> None:
    before = rows()
    for bot in BOTS:
        for method in ("get", "head", "options"):
            answer = getattr(client, method)(address, headers={"User-Agent": bot, "Purpose": "prefetch"})
            assert answer.status_code < 500
    assert rows() == before


@pytest.mark.parametrize("address", ADDRESSES)
def test_looking_with_a_session_changes_no_row_either(browser: Browser, address: str) -> None:
    before = rows()
    browser.client.get(address)
    browser.client.head(address)
    assert rows() == before

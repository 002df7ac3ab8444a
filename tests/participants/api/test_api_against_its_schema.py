"""Schemathesis makes requests from the schema, right ones and wrong ones; each gets an answer, and none a 5xx."""

from __future__ import annotations

from typing import Any

import pytest
import requests
import schemathesis
import yaml
from django.test import Client
from hypothesis import HealthCheck, Phase, settings

from experiments.models import Membership
from tests.participants.studies import Browser, open_study

schema = schemathesis.openapi.from_dict(yaml.safe_load(Client(SERVER_NAME="localhost").get("/api/schema/").content))
pytestmark = pytest.mark.django_db


@pytest.fixture
def cookies(django_user_model: Any) -> dict[str, str]:
    """The cookies of a participant who has begun, and of a researcher who may look at the study."""
    study = open_study()
    browser = Browser(study)
    browser.start()
    browser.open()
    viewer = django_user_model.objects.create_user("viewer", is_staff=True)
    Membership.objects.create(study=study, user=viewer, role="viewer")
    client = Client()
    client.force_login(viewer)
    return {name: morsel.value for of in (browser.client, client) for name, morsel in of.cookies.items()}


@schema.parametrize()
@settings(
    max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, phases=[Phase.generate]
)
def test_no_request_is_answered_with_an_error_of_the_server(case: Any, cookies: dict[str, str]) -> None:
    if "slug" in (case.path_parameters or {}):
        case.path_parameters["slug"] = "small-study"
    # Through Django's own client, whose requests stay within the transaction of the test.
    asked = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
    client = Client()
    client.cookies.load(cookies)
    kind = str(asked.headers.get("Content-Type", "application/json"))
    answer = client.generic(str(asked.method), str(asked.path_url), asked.body or b"", kind)
    assert answer.status_code < 500 or (answer.status_code == 503 and answer.headers["Retry-After"]), answer.content

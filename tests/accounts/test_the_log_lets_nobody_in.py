"""Whoever reads the server's log finds no address there by which they could come in."""

from __future__ import annotations

import io
import logging
import logging.config
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from config.accounts import invitations

pytestmark = pytest.mark.django_db


@pytest.fixture
def log() -> Any:
    """The log as the settings make it, written to memory."""
    stream = io.StringIO()
    configured: dict[str, Any] = dict(settings.LOGGING)
    configurator = logging.config.DictConfigurator(configured)
    configurator.config["filters"] = {
        name: configurator.configure_filter(dict(filter_)) for name, filter_ in configured["filters"].items()
    }
    handler = logging.StreamHandler(stream)
    configurator.add_filters(handler, configured["handlers"]["console"]["filters"])
    root = logging.getLogger()
    root.addHandler(handler)
    yield stream
    root.removeHandler(handler)


def test_an_invitation_that_was_filled_in_wrongly_is_logged_without_its_secret(administrator: Any, log: Any) -> None:
    path = invitations.invite(by=administrator, role="researcher")
    token = path.rstrip("/").rsplit("/", 1)[-1]
    answer = Client().post(path, {"name": "Ada", "email": "ada@example.org", "password": "123", "again": "123"})
    assert answer.status_code == 422
    assert "Unprocessable" in log.getvalue()
    assert token not in log.getvalue()


@pytest.mark.parametrize(
    "path",
    [
        lambda: "/s/no-such-study/preview/link/x7Qm_secret/",
        lambda: "/admin/account/invitation/1/x7Qm_secret/",
        lambda: "/admin/account/password/MQ/x7Qm_secret/",
    ],
)
def test_no_address_with_a_secret_is_logged_as_it_is(path: Any, log: Any) -> None:
    logging.getLogger("django.request").warning("Not Found: %s", path())
    assert "Not Found: /" in log.getvalue()
    assert "x7Qm_secret" not in log.getvalue()

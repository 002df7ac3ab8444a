"""People in every role of one study, and clients that are logged in as them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from experiments.models import Study
from experiments.study.lifecycle import save_member

ROLES = ("owner", "editor", "viewer", "stranger", "superuser", "anonymous")


@pytest.fixture
def client_of(researcher, db) -> Callable[..., Client]:
    """Return a client for a role in a study; `owner` is the researcher of the other fixtures."""

    def client_for(role: str, study: Study | None = None) -> Client:
        client = Client()
        if role == "anonymous":
            return client
        accounts = get_user_model().objects
        if role == "owner":
            client.force_login(researcher)
            return client
        if role == "superuser":
            client.force_login(accounts.create_superuser("root", "root@example.org", "a long password"))
            return client
        user = accounts.create_user(f"the-{role}", f"{role}@example.org", "a long password", is_staff=True)
        if role in ("editor", "viewer", "data", "coder"):
            assert study is not None
            save_member(study, user, role, researcher)
        client.force_login(user)
        return client

    return client_for


@pytest.fixture
def owner(client_of: Callable[..., Client]) -> Client:
    """A browser in which the owner of the study is logged in."""
    return client_of("owner")

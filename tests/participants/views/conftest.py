"""A small open study with an owner and other researchers, each with a browser in which they are logged in."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from experiments.models import Membership, Study
from tests.participants.studies import Browser


@pytest.fixture
def people(study: Study) -> dict[str, Client]:
    """Return clients by role in the study."""
    clients = {}
    for role in ("owner", "editor", "viewer", "stranger"):
        user = get_user_model().objects.create_user(f"the-{role}", password="a long password", is_staff=True)
        if role == "owner":
            study.owner = user
            study.save(update_fields=["owner"])
        elif role != "stranger":
            Membership.objects.create(study=study, user=user, role=role)
        clients[role] = Client()
        clients[role].force_login(user)
    return clients


@pytest.fixture
def owner(people: dict[str, Client]) -> Client:
    return people["owner"]


@pytest.fixture
def finished(study: Study) -> list[Browser]:
    """Four participants who finished."""
    browsers = [Browser(study, seed=seed) for seed in range(4)]
    for browser in browsers:
        browser.answer_all()
    return browsers

"""A recall study with a coder, and clients that are logged in as everybody who has something to do with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from analysis.coding.queues import create_queue
from analysis.models import CodingQueue
from experiments.models import Study
from experiments.study.lifecycle import save_member
from tests.analysis.recalls import add_recalls, make_recall_study, user_named
from tests.analysis.views.coding.coder import Coder


@pytest.fixture
def study(db: None) -> Study:
    """Return a study of four participants with four recalls each."""
    study = make_recall_study()
    add_recalls(study, 4)
    return study


@pytest.fixture
def queue_of(study: Study) -> Callable[..., CodingQueue]:
    """Give somebody who may only code a queue."""

    def made(name: str, **queue: Any) -> CodingQueue:
        save_member(study, user_named(name), "coder", study.owner)
        return create_queue(study, coder=user_named(name), user=study.owner, **queue)

    return made


@pytest.fixture
def coder_named(study: Study, queue_of: Callable[..., CodingQueue]) -> Callable[..., Coder]:
    """Return a coder with a queue, in a browser of their own."""

    def made(name: str, **queue: Any) -> Coder:
        queue_of(name, **queue)
        return Coder(study, name)

    return made


@pytest.fixture
def anna(coder_named: Callable[..., Coder]) -> Coder:
    return coder_named("anna")


@pytest.fixture
def client_named(study: Study) -> Callable[[str], Client]:
    """Return a client that is logged in as the owner, an editor, a viewer, a coder without a queue, or a stranger."""

    def made(name: str) -> Client:
        client = Client()
        if name == "anonymous":
            return client
        user = user_named(name)
        if name in ("editor", "viewer", "coder"):
            save_member(study, user, name, study.owner)
        client.force_login(user)
        return client

    return made


@pytest.fixture
def owner(client_named: Callable[[str], Client]) -> Client:
    return client_named("owner")

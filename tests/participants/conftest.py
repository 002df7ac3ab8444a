"""Fixtures of the participants' tests."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from experiments.models import Study
from participants.limits import counting
from tests.participants.studies import Browser, open_study


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Every test begins with unused request limits."""
    cache.clear()
    counting.clear()


@pytest.fixture
def study(db: None) -> Study:
    return open_study()


@pytest.fixture
def browser(study: Study) -> Browser:
    """A browser that has started and opened a session."""
    started = Browser(study)
    assert started.start().status_code == 201
    assert started.open().status_code == 200
    return started

"""Fixtures of the fault drills. Every drill is seeded and runs on this machine alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.cache import cache

from experiments.models import Study
from participants.limits import counting
from participants.watching.invariants import violations


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    """Every drill begins with unused request limits."""
    cache.clear()
    counting.clear()


@pytest.fixture
def sound() -> Callable[[Study], None]:
    """Assert that no invariant of a study is violated."""

    def check(study: Study) -> None:
        found = {name: sentences for name, sentences in violations(study).items() if sentences}
        assert found == {}

    return check

"""Fixtures of the fault drills. Every drill is seeded and runs on this machine alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from playwright.sync_api import Playwright

from experiments.models import Study
from participants.limits import counting
from participants.watching.invariants import violations
from tests.browser.own_browser import OwnBrowser


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


@pytest.fixture
def own_browser(playwright: Playwright, launch_options: dict[str, Any], tmp_path: Path) -> Iterator[OwnBrowser]:
    started = OwnBrowser(playwright, launch_options, tmp_path / "profile")
    yield started
    if started.context is not None:
        started.context.close()

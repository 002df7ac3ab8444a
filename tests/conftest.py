"""Fixtures of all tests. Browser tests drive a real Chromium against a platform as a laboratory would run it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.platform import ROOT, Platform

# The same examples at every run, so that a failure is somebody's change; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# Run by gunicorn in a process of its own, never imported by a test.
collect_ignore = ["faults/failing_wsgi.py"]

# Chromium without its own traffic, which a closed network would refuse many times a second.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Tests of these folders start processes that use the database, though they ask pytest for none.
WITH_DATABASE = ("contract", "end_to_end", "faults", "participants")


def needs_database(item: pytest.Item) -> bool:
    """Say whether a test meets a database; what does not is the same on every one and runs once."""
    fixtures = set(getattr(item, "fixturenames", ()))
    room = item.path.relative_to(ROOT).parts
    return (
        bool(fixtures & {"db", "transactional_db", "live_server", "django_db_setup"})
        or item.get_closest_marker("django_db") is not None
        or (room[0] == "tests" and room[1] in WITH_DATABASE)
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if needs_database(item):
            item.add_marker(pytest.mark.database)
        if "browser" in getattr(item, "fixturenames", ()) or "launch_options" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            # One platform and one browser for all of them, on one worker.
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def chromium_path() -> str:
    given = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if given:
        return given
    found = subprocess.run(["tests/browser/find_chromium.sh"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def launch_options(chromium_path: str) -> dict[str, Any]:
    return {"executable_path": chromium_path, "args": ARGUMENTS, "headless": True}


@pytest.fixture(scope="session")
def browser(playwright: Playwright, launch_options: dict[str, Any]) -> Iterator[Browser]:
    started = playwright.chromium.launch(**launch_options)
    yield started
    started.close()


@pytest.fixture(scope="session")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    started = Platform(tmp_path_factory.mktemp("platform"))
    started.start()
    yield started
    started.stop()

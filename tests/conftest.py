"""Fixtures of all tests. Browser tests drive a real Chromium against a platform as a laboratory would run it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.platform import PATIENCE_MS, ROOT, Platform
from tests.prepared import migrate

# The same examples at every run, so that a failure is somebody's change; HYPOTHESIS_PROFILE=explore looks for new ones.
# A busy machine is slow at making examples too: that is no fault of what is tested.
settings.register_profile("repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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


@pytest.fixture(scope="session", autouse=True)
def _analyses_in_the_process_of_the_test() -> Iterator[None]:
    from tests.analysis.computed import compute_here

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("analysis.runs.isolation.compute_in_child", compute_here)
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if needs_database(item):
            item.add_marker(pytest.mark.database)
        # A fixture of another kind is called browser where participants talk to the interface.
        if "launch_options" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        # One worker takes all tests of a file, which share what they have made. Every worker has a platform and a
        # browser of its own; tests that show something for a time stay one after the other.
        if item.get_closest_marker("timing") is not None:
            item.add_marker(pytest.mark.xdist_group("timing"))
        elif item.get_closest_marker("xdist_group") is None and item.path.is_relative_to(ROOT / "tests"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Take the database as `django_db_modify_db_settings` has put it there."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Copy a migrated database for this process: migrations take as long as a hundred tests."""
    if connection.vendor == "sqlite":
        migrate(f"sqlite:///{connection.settings_dict['TEST']['NAME']}")


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


def patient(make: Callable[..., Any]) -> Callable[..., Any]:
    """Let what `make` makes, a page or a context, wait as long as a busy machine needs and not Playwright's 30 s."""

    def made(**options: Any) -> Any:
        page_or_context = make(**options)
        page_or_context.set_default_timeout(PATIENCE_MS)
        return page_or_context

    return made


@pytest.fixture(scope="session")
def browser(playwright: Playwright, launch_options: dict[str, Any]) -> Iterator[Browser]:
    started = playwright.chromium.launch(**launch_options)
    started.new_context, started.new_page = patient(started.new_context), patient(started.new_page)
    yield started
    started.close()


@pytest.fixture(scope="session")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    started = Platform(tmp_path_factory.mktemp("platform"))
    started.start()
    yield started
    started.stop()

"""Fixtures of all tests. Browser tests drive a real Chromium against a platform as a laboratory would run it."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import pytest
from django.db import connection
from django.utils.translation import deactivate
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.platform import PATIENCE_MS, ROOT, Platform
from tests.prepared import migrate
from tests.selection import EXHAUSTIVE, leave_out

pytest_plugins = ["tests.budget", "tests.skipped"]

# Ten thousand tests and all that they import are no garbage; looking for some among them takes long, again and again.
gc.disable()

# The same examples at every run, so that a failure is somebody's change; HYPOTHESIS_PROFILE=explore looks for new ones.
# A busy machine is slow at making examples too: that is no fault of what is tested.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=100 if EXHAUSTIVE else 30,
)
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


# Tests of these folders are about what happens within databases: migrations, and requests that get in each other's way.
WITH_BOTH = ("faults", "upgrade")


def depends_on_database(item: pytest.Item) -> bool:
    """Say whether a test is about what a database does itself: it commits, waits for locks, or migrates."""
    marker = item.get_closest_marker("django_db")
    return (
        bool({"transactional_db", "live_server"} & set(getattr(item, "fixturenames", ())))
        or (marker is not None and bool(marker.kwargs.get("transaction")))
        or item.path.relative_to(ROOT).parts[1] in WITH_BOTH
    )


@pytest.fixture(autouse=True)
def _english_unless_a_test_says_otherwise() -> None:
    """A page that an earlier test read in German leaves its language in this thread."""
    deactivate()


@pytest.fixture(scope="session", autouse=True)
def _analyses_in_the_process_of_the_test() -> Iterator[None]:
    from tests.analysis.computed import compute_here

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("analysis.runs.isolation.compute_in_child", compute_here)
        yield


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist, which reads the groups in the same hook
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    leave_out(config, items)
    for item in items:
        if needs_database(item):
            item.add_marker(pytest.mark.database)
            if depends_on_database(item):
                item.add_marker(pytest.mark.both)
        # A fixture of another kind is called browser where participants talk to the interface.
        if "launch_options" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
        # One worker takes all tests of a file, which share what they have made. Every worker has a platform and a
        # browser of its own; tests that show something for a time stay one after the other.
        if item.get_closest_marker("timing") is not None:
            if "browser" in getattr(item, "fixturenames", ()):
                raise pytest.UsageError(f"{item.nodeid}: what is timed takes the fixture `chromium`.")
            item.add_marker(pytest.mark.xdist_group("timing"))
        elif item.get_closest_marker("xdist_group") is None and item.path.is_relative_to(ROOT / "tests"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    if hasattr(config, "workerinput"):
        items[:] = spread(items)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name what is long by how long it is: an archive holds the time, and all processes have to use the same names."""
    if (isinstance(val, (str, bytes)) and len(val) > 200) or (isinstance(val, bytes) and val.startswith(b"PK")):
        return f"{len(val)} {'characters' if isinstance(val, str) else 'bytes'}"
    return None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: list[str]) -> None:
    """Refuse to run where groups say nothing, as with a pytest whose names of tests pytest-xdist cannot change."""
    if node.config.getoption("dist") == "loadgroup" and any(i.startswith("tests/") and "@" not in i for i in ids):
        pytest.exit("pytest-xdist keeps no groups together with this pytest; install tests/requirements.lock.", 3)


def spread(items: list[pytest.Item]) -> list[pytest.Item]:
    """Put the files with tests that take long, most of which wait for browsers and servers, evenly among the others.

    There are more processes than processors, so that somebody computes while others wait. Tests of one file stay
    together and in their order. What shows something for a time is one group and begins first.
    """
    files: dict[str, list[pytest.Item]] = {}
    long = set()
    for item in items:
        group = item.get_closest_marker("xdist_group")
        name = group.args[0] if group else item.nodeid
        files.setdefault(name, []).append(item)
        if any(item.get_closest_marker(mark) for mark in ("browser", "timing", "slow")):
            long.add(name)
    places: dict[str, float] = {}
    passed = 0
    for name in files:
        if name not in long:
            places[name] = passed
            passed += len(files[name])
    for place, name in enumerate(sorted((name for name in files if name in long), key=lambda name: name != "timing")):
        # The last of them begins while there is enough left to do beside it.
        places[name] = 0.75 * passed * place / len(long) - 0.5
    return [item for name in sorted(files, key=places.__getitem__) for item in files[name]]


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
    # Playwright's event loop stays in this thread, where other tests then ask the database. It rests meanwhile, and
    # Django, which refuses the database where a loop runs, must not see it.
    with pytest.MonkeyPatch.context() as patched, sync_playwright() as started:
        patched.setattr("django.utils.asyncio.get_running_loop", _no_loop)
        yield started


def _no_loop() -> NoReturn:
    raise RuntimeError("no running event loop")


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


def launched(playwright: Playwright, options: dict[str, Any]) -> Iterator[Browser]:
    started = playwright.chromium.launch(**options)
    vars(started).update(new_context=patient(started.new_context), new_page=patient(started.new_page))
    yield started
    started.close()


@pytest.fixture(scope="session")
def browser(playwright: Playwright, launch_options: dict[str, Any]) -> Iterator[Browser]:
    """Chromium without its window, where it is installed so: a page costs a quarter of the processor time."""
    shell = os.environ.get("HEADLESS_SHELL") or shutil.which("chromium-headless-shell")
    yield from launched(playwright, {**launch_options, "executable_path": shell} if shell else launch_options)


@pytest.fixture(scope="session")
def chromium(playwright: Playwright, launch_options: dict[str, Any]) -> Iterator[Browser]:
    """Chromium as participants have it, for what is timed."""
    yield from launched(playwright, launch_options)


@pytest.fixture(scope="session")
def platform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    started = Platform(tmp_path_factory.mktemp("platform"))
    started.start()
    yield started
    started.stop()

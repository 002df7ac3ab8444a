"""Somebody with Firefox, or with a browser of WebKit, goes through a session of every paradigm and loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments.paradigms import BUILT_IN
from tests.browser.exported import trials_of
from tests.browser.other_browsers.drivers import Driver
from tests.browser.other_browsers.page import Page
from tests.browser.other_browsers.sessions import SESSIONS, begin
from tests.browser.platform import Platform
from tests.selection import only_in_full

pytestmark = [pytest.mark.browser, pytest.mark.timing]


# Whatever breaks every page of another browser breaks this one.
IN_SHORT = "rating"


def test_there_is_a_session_of_every_paradigm() -> None:
    assert set(SESSIONS) == {paradigm.slug for paradigm in BUILT_IN}


@pytest.mark.parametrize(
    "paradigm",
    [
        paradigm if paradigm == IN_SHORT else only_in_full("a paradigm that another browser breaks", paradigm)
        for paradigm in SESSIONS
    ],
)
def test_a_session_is_stored_and_exported_as_it_was_answered(
    platform: Platform, driver: Driver, tmp_path: Path, paradigm: str
) -> None:
    session = SESSIONS[paradigm]
    slug = f"{paradigm}-in-{type(driver).__name__.lower()}"
    path = session.write(tmp_path / "study", slug)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = Page(driver)
    typist = begin(session, page, f"{platform.base_url}/s/{slug}/")
    given = session.take_part(typist)
    page.locator("body").filter(has_text=session.code).wait_for()

    assert page.problems() == []
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == paradigm]
    rows = [row for row in rows if row["phase"] != "modulus"]
    assert given
    assert [session.stored(row) for row in rows] == given
    assert {(row["answered"], row["interrupted"]) for row in rows} == {("true", "false")}
    assert all(float(row["rt_ms"]) >= 0 for row in rows)
    platform.manage("check_data", slug)  # ends with an error where an invariant is violated

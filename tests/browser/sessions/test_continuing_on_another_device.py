"""Somebody begins on one device and continues on another with the resume code; an id alone leads nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.platform import Platform
from tests.browser.sessions.test_sources_in_one_study import look, write_study
from tests.browser.typist import Typist
from tests.selection import only_in_full

pytestmark = pytest.mark.full(
    "a resume code that the page does not show, or a page of it that a telephone shows otherwise"
)


@pytest.mark.parametrize(
    ("language", "width"),
    [("en", 390), only_in_full("a page from right to left, or a wide one, that does not fit", "he", 1280)],
)
def test_the_resume_code_leads_to_the_same_session_on_another_device_and_the_id_does_not(
    platform: Platform, browser: Browser, tmp_path: Path, language: str, width: int
) -> None:
    slug = f"two-devices-{language}"
    path = write_study(tmp_path / "study", slug, language)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    link = f"{platform.base_url}/s/{slug}/?PROLIFIC_PID=p-1&STUDY_ID=s&SESSION_ID=v"
    found: list[str] = []

    first, second = (browser.new_context(viewport={"width": width, "height": 844}).new_page() for _ in range(2))
    for page in (first, second):
        page.set_default_timeout(60_000)
    typist = Typist(first)
    typist.begin(link)
    shown = first.locator("footer .resume-code")
    expect(shown).to_be_visible()
    code = shown.inner_text()
    look(first, f"first-page-{language}", found)

    second.goto(link)
    look(second, f"continue-{language}", found)
    expect(second.locator("#agree")).to_have_count(0)
    second.fill("#resume-code", "CCCCC-22222")
    second.click("#resume-form button")
    expect(second.locator("#resume-fault")).to_be_visible()
    look(second, f"wrong-code-{language}", found)
    second.fill("#resume-code", code.lower().replace("-", " "))
    second.click("#resume-form button")
    # The first device was there within the minute.
    second.locator("#lectern .sheet.page button").click()
    expect(second.locator("footer .resume-code")).to_have_text(code)

    # Its first page shows the code, by the link as well, and the id in a third browser shows nothing.
    second.goto(link)
    expect(second.locator(".resume-code")).to_have_text(code)
    look(second, f"landing-{language}", found)
    third = browser.new_context().new_page()
    third.goto(link)
    expect(third.locator("#resume-code")).to_be_visible()
    assert code not in third.content()
    assert found == []

"""In the laboratory: a session starts with a code, runs in full screen, and goes on after a pause when the experimenter
says so, on their own page or with the release code.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in
from tests.browser.typist import Typist, wait_for_check
from tests.browser.waiting import press_until, wait_until

SLUG = "in-the-laboratory"


@pytest.fixture
def laboratory(platform: Platform, tmp_path: Path) -> str:
    """An open supervised study of eight sentences."""
    path = write_study(tmp_path, slug=SLUG, items=8, settings="line_length_training = false\nbreak_every = 0")
    text = path.read_text(encoding="utf-8")
    assert "[procedure]" in text
    path.write_text(text.replace("[procedure]", "[procedure]\nsupervised = true"), encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    return f"{platform.base_url}/s/{SLUG}/"


def leave_full_screen(page: Page) -> None:
    page.evaluate("document.exitFullscreen()")
    wait_until(page, "document.fullscreenElement === null")


def go_to_full_screen(page: Page) -> None:
    button = page.get_by_role("button", name="Go to full screen")
    expect(button).to_be_focused()
    # The browser may refuse a press while the page before is still on the screen; people press again.
    press_until(page, "Enter", "document.fullscreenElement !== null")


def test_an_experimenter_lets_a_session_begin_and_go_on(platform: Platform, browser: Browser, laboratory: str) -> None:
    desk = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    log_in(desk, platform)
    desk.goto(f"{platform.base_url}/admin/studies/{SLUG}/watch/supervision/")
    expect(desk.get_by_text("No session yet")).to_be_visible()
    desk.get_by_role("button", name="New session code").click()
    row = desk.locator("#live tbody tr").first
    code, release = row.locator("th").inner_text(), row.locator("td").first.inner_text()

    page = browser.new_context().new_page()
    page.goto(laboratory)
    page.click("#landing [data-next]")
    wait_for_check(page)
    page.click("#check [data-next]")
    for box in page.locator("#consent input[data-required]").all():
        box.check()
    page.fill("#session-code", "WRONG1")
    page.click("#agree")
    expect(page.locator("#consent-message")).to_contain_text("not valid")
    assert violations(page, "consent", [*WCAG, "best-practice"]) == []
    page.fill("#session-code", code.lower())
    page.click("#agree")
    page.wait_for_url("**/run/")
    go_to_full_screen(page)

    typist = Typist(page)
    while typist.kind() != "magnitude-estimation":
        typist.answer("10")
    typist.answer("10")
    leave_full_screen(page)
    # The sentence that is on the screen is not covered; the pause comes before the next one.
    typist.answer("20")
    expect(page.get_by_role("heading", name="The study is paused")).to_be_visible()
    assert violations(page, "pause", [*WCAG, "best-practice"]) == []
    desk.reload()
    expect(desk.get_by_text("Full screen was left")).to_be_visible()

    page.fill("#release-code", "GUESS1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("This is not the release code")).to_be_visible()
    page.fill("#release-code", release)
    page.keyboard.press("Enter")
    go_to_full_screen(page)
    typist.answer("30")

    leave_full_screen(page)
    typist.answer("40")
    expect(page.get_by_role("heading", name="The study is paused")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="The study is paused")).to_be_visible()
    desk.reload()
    desk.get_by_role("button", name="End the pause").click()
    go_to_full_screen(page)
    typist.finish(["50"])
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert len(typist.typed) == 9
    desk.context.close()
    page.context.close()

"""A cookie that is lost during a session comes back in the same tab; refused site data is said and is not an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from tests.browser.paper_study import write_study
from tests.browser.platform import Platform
from tests.browser.typist import Typist

SLUG = "lost-cookies"
# What Chromium's setting "do not allow sites to save data on your device" writes into a profile.
REFUSED = {"profile": {"default_content_setting_values": {"cookies": 2}}}


@pytest.fixture(scope="module")
def study(platform: Platform, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = write_study(tmp_path_factory.mktemp("study") / "study", slug=SLUG, items=8)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    return f"{platform.base_url}/s/{SLUG}/"


def faults_of(page: Page) -> list[str]:
    """Return the list into which the errors of a page will be written that nobody handled."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    return faults


def test_a_lost_cookie_is_recovered_in_the_same_tab(browser: Browser, study: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    faults = faults_of(page)
    typist = Typist(page)
    typist.begin(study)
    for _ in range(3):
        typist.answer("50")
        context.clear_cookies()  # while the session runs: the page gets it back when it sends the next answer
    typist.kind()
    for _ in range(2):
        context.clear_cookies()  # and on the way back, more than once in one tab
        page.goto(f"{study}run/")
        page.locator("#landing a.primary").click()
        typist.kind()
    typist.finish(["50"] * 40)
    expect(page.get_by_text("C0DE-FOR-TESTS")).to_be_visible(timeout=30_000)
    assert faults == []
    context.close()


def test_refused_site_data_is_said_and_no_error_is_left_unhandled(
    playwright: Playwright, launch_options: dict[str, Any], study: str, tmp_path: Path
) -> None:
    profile = tmp_path / "profile"
    (profile / "Default").mkdir(parents=True)
    (profile / "Default" / "Preferences").write_text(json.dumps(REFUSED))
    context = playwright.chromium.launch_persistent_context(str(profile), **launch_options)
    page = context.new_page()
    faults = faults_of(page)
    page.goto(study)
    assert page.evaluate(
        "() => { try { return String(window.sessionStorage) } catch (error) { return error.name } }"
    ) == ("SecurityError"), "the browser does not refuse site data"
    page.locator("#landing [data-next]").click()
    expect(page.locator("#check-storage")).to_have_attribute("data-state", "failed")
    expect(page.locator("#check-storage")).to_contain_text("private mode")
    page.locator(".again button").click()
    expect(page.locator("#check-storage")).to_have_attribute("data-state", "failed")
    page.wait_for_timeout(500)
    assert faults == []
    context.close()

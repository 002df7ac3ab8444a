"""axe finds nothing on any page of a sentence recall trial, on a desktop in English and on a telephone in German."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.languages_and_widths import in_languages_at_widths
from tests.browser.platform import Platform
from tests.browser.recall_study import write_recall_study
from tests.browser.recall_typist import RecallTypist

pytestmark = pytest.mark.full(
    "a state of a recall trial that axe objects to; every page with its own styles is tested elsewhere"
)

SLOW = "ms_per_word = 1000\nfixation_ms = 3000\nblank_ms = 3000\ntime_limit_ms = 20000\nfull_screen = true"
RULES = [*WCAG, "best-practice"]


@in_languages_at_widths
def test_axe_finds_nothing_in_any_state_of_a_trial(
    platform: Platform, browser: Browser, tmp_path: Path, language: str, width: int, height: int
) -> None:
    slug = f"recall-accessible-{language}-{width}"
    path = write_recall_study(tmp_path, slug=slug, items=2, language=language, settings=SLOW)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = browser.new_page(viewport={"width": width, "height": height})
    typist = RecallTypist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    found: list[str] = []

    def look(state: str) -> None:
        found.extend(violations(page, state, RULES))
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{state} scrolls sideways"

    typist.until("full-screen")
    look("full screen")
    typist.step()
    for state, selector in (("cross", ".fixation"), ("sentence", ".recall-sentence")):
        page.locator(selector).wait_for()
        look(state)
    page.locator(".recall-display .recall-blank").wait_for(state="attached")
    look("blank")
    assert typist.kind() == "recall-problem"
    look("problem")
    page.keyboard.type("six")
    page.keyboard.press("Enter")
    expect(page.locator("#answer-message")).not_to_be_empty()
    look("refused answer")
    page.locator("#answer").fill("")
    page.keyboard.type("-1")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).not_to_be_empty()
    look("feedback")
    typist.mark()
    page.keyboard.press("Enter")
    assert typist.kind() == "recall-problem"
    expect(page.locator(".verdict")).not_to_be_empty()
    look("time over")
    typist.mark()
    page.keyboard.press("Enter")
    assert typist.kind() == "recall"
    look("recall")
    page.keyboard.press("Enter")
    expect(page.locator("#recall-message")).not_to_be_empty()
    look("nothing recalled")
    page.locator("#recall").dispatch_event("paste")
    look("refused paste")
    page.close()
    assert found == []

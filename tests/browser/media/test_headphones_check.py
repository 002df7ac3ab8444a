"""The headphones check in Chromium: its tones play, its answers arrive, and axe finds nothing on its page."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import TimeoutError as NotThere

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.exported import trials_of
from tests.browser.media.picture_study import begin
from tests.browser.platform import PATIENCE_MS, Platform
from tests.browser.waiting import wait_for_screen

pytestmark = pytest.mark.full(
    "tones that Chromium does not play; the check itself is tested in the code of the browser"
)


def test_the_quietest_of_three_tones_is_named_six_times_before_the_first_trial(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    slug = "tones-with-headphones"
    path = write_example(
        tmp_path / "study", slug=slug, name="tone-ratings", changes={"sound_check": "false\nheadphones_check = true"}
    )
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    with page.expect_response("**/session/open/") as opened:
        begin(page, f"{platform.base_url}/s/{slug}/")
    (check,) = [trial for trial in opened.value.json()["trials"] if trial["plugin"] == "headphones-check"]
    orders = check["params"]["rounds"][0]
    play = page.get_by_role("button", name="Play the three tones")
    instructions = page.locator(".sheet:not(.sound-check) button.primary")
    while not play.count():
        instructions.or_(play).first.wait_for(timeout=PATIENCE_MS)
        # The page may have gone on since it was looked at; then there is nothing to press on it.
        with suppress(NotThere):
            if instructions.count():
                instructions.first.click(timeout=1_000)
    found = violations(page, "headphones", [*WCAG, "best-practice"])
    for number, order in enumerate(orders):
        expect(page.locator(".sound-check .where")).to_have_text(f"{number + 1} of 6")
        play.click()
        choices = page.locator(".sound-choices button")
        expect(choices).to_have_count(3, timeout=PATIENCE_MS)
        if number == 0:
            found += violations(page, "headphones, asked", [*WCAG, "best-practice"])
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        # Once wrong, as may be.
        wanted = "turned" if number == 0 else "quiet"
        choices.nth(order.index(wanted)).click()
    expect(page.get_by_text("♪ Listen")).to_be_visible(timeout=PATIENCE_MS)
    for _sound in range(7):
        shown = page.locator(".sheet .where").inner_text()
        wait_for_screen(page)
        page.keyboard.press("5")
        page.keyboard.press("Enter")
        expect(page.locator(".sheet .where").or_(page.get_by_text("TONES-EXAMPLE")).first).not_to_have_text(shown)
    expect(page.get_by_text("TONES-EXAMPLE")).to_be_visible()
    context.close()

    assert problems == []
    assert found == []
    rows = trials_of(platform, slug, tmp_path / "data")
    (row,) = [row for row in rows if row["plugin"] == "headphones-check"]
    assert (row["headphones_right"], row["headphones_passed"], row["headphones_rounds"]) == ("5", "true", "1")
    assert float(row["rt_ms"]) > 6 * 4_000
    platform.manage("check_data", slug)

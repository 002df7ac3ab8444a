"""A session with sounds in Chromium: the check, sounds that begin with their trial, replays, a page loaded again."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.example_studies import write_example
from tests.browser.exported import trials_of
from tests.browser.media.picture_study import begin
from tests.browser.platform import Platform

pytestmark = [pytest.mark.full("sounds that do not begin with their trial in a real audio system"), pytest.mark.timing]


def pass_sound_check(page: Page) -> int:
    """Count the tones: two is right in one of the three rounds or in none. Return how many answers were given."""
    play = page.get_by_role("button", name="Play the tones")
    while not play.count():
        page.locator("button.primary:visible").first.click()
        page.wait_for_timeout(100)
    tries = 0
    while play.count():
        play.click()
        page.get_by_role("button", name="2", exact=True).click()
        tries += 1
        page.wait_for_timeout(300)
        if play.count():
            expect(page.get_by_role("alert")).to_contain_text("That was not the number")
            expect(play).to_be_enabled()
    return tries


def rate(page: Page, *, again: bool = False) -> None:
    trial = page.locator(".sheet:not([data-seen])").filter(has_text="♪ Listen")
    expect(trial).to_be_visible()
    page.wait_for_timeout(300)
    if again:
        page.get_by_role("button", name="Play again").click()
        page.wait_for_timeout(100)
    # So that the next trial can be told from this one.
    trial.evaluate("sheet => { sheet.dataset.seen = 'yes'; }")
    page.keyboard.press("5")
    page.keyboard.press("Enter")


def test_sounds_are_heard_counted_and_go_on_after_a_reload(
    platform: Platform, chromium: Browser, tmp_path: Path
) -> None:
    slug = "tones-heard"
    path = write_example(tmp_path / "study", slug=slug, name="tone-ratings")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = chromium.new_context()
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    begin(page, f"{platform.base_url}/s/{slug}/")
    tries = pass_sound_check(page)
    rate(page)
    rate(page, again=True)
    page.reload()
    # Nothing was pressed on this page yet: whether it may be heard all the same, the browser decides.
    button = page.get_by_role("button", name="Go on with sound")
    expect(button.or_(page.get_by_text("♪ Listen"))).to_be_visible()
    if button.count():
        button.click()
    for _rest in range(5):
        rate(page)
    expect(page.get_by_text("TONES-EXAMPLE")).to_be_visible()
    context.close()

    assert problems == []
    rows = trials_of(platform, slug, tmp_path / "data")
    (check,) = [row for row in rows if row["plugin"] == "sound-check"]
    assert int(check["sound_check_tries"]) == tries
    assert check["sound_check_passed"] in {"true", "false"}
    heard = [row for row in rows if row["plugin"] == "rating"]
    assert [row["plays"] for row in heard] == ["1", "2", "1", "1", "1", "1", "1"]
    for row in heard:
        # A busy machine shows a trial later than the 30 ms after which its sound begins.
        assert -500 < float(row["audio_onset_ms"]) < float(row["rt_ms"])
        assert float(row["audio_latency_ms"]) >= 0
        assert row["text"].endswith(".wav")

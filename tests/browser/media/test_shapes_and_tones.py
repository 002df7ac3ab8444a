"""The example of pictures with sounds in Chromium: what was heard, seen and pressed is what is exported."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.exported import trials_of
from tests.browser.media.picture_study import begin
from tests.browser.media.test_session_with_sounds import pass_sound_check
from tests.browser.platform import Platform
from tests.browser.waiting import wait_until

pytestmark = pytest.mark.full("sounds and pictures of one example from first page to export")

SLUG = "shapes-and-tones-rated"


def begun(browser: Browser, platform: Platform, problems: list[str]) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    begin(page, f"{platform.base_url}/s/{SLUG}/")
    return page


def answer_about_sound(page: Page, answer: str) -> None:
    page.get_by_label(answer, exact=True).check()
    page.locator("button.primary").click()


def test_shapes_with_tones_are_rated_after_a_sound_check(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    path = write_example(tmp_path / "study", slug=SLUG, name="shapes-and-tones")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    problems: list[str] = []
    deaf = begun(browser, platform, problems)
    answer_about_sound(deaf, "neither")
    expect(deaf.get_by_role("heading", name="this study is not for you")).to_be_visible()
    deaf.context.close()

    page = begun(browser, platform, problems)
    answer_about_sound(page, "headphones")
    # The page before is gone once the instructions are there; their button leads on to the check.
    page.get_by_text("You see a shape and hear a sound with it.").wait_for()
    tries = pass_sound_check(page)
    found: list[str] = []
    given: list[tuple[str, str, int]] = []
    for number in range(5):
        picture = page.locator("img.picture")
        expect(picture).to_be_visible()
        page.wait_for_timeout(400)
        again = number == 2
        if again:
            page.get_by_role("button", name="Play again").click()
            page.wait_for_timeout(200)
        if number == 0:
            found += violations(page, "rating of a picture with a sound", WCAG)
        address = picture.get_attribute("src") or ""
        key = str(1 + (3 * number) % 7)
        given.append((picture.get_attribute("alt") or "", key, 1 + again))
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        wait_until(
            page, "address => document.querySelector('img.picture')?.getAttribute('src') !== address", arg=address
        )
    page.get_by_label("By what did you decide?").fill("By how rough both were.")
    page.locator("button.primary").click()
    expect(page.get_by_text("PICTURES-EXAMPLE")).to_be_visible()
    page.context.close()
    assert problems == []
    assert found == [], "\n".join(found)

    data = tmp_path / "data"
    rows = trials_of(platform, SLUG, data)
    (check,) = [row for row in rows if row["plugin"] == "sound-check"]
    assert int(check["sound_check_tries"]) == tries
    rated = [row for row in rows if row["plugin"] == "rating"]
    assert [(row["fit"], int(row["plays"])) for row in rated] == [(key, plays) for _alt, key, plays in given]
    for row, (alt, _key, _plays) in zip(rated, given, strict=True):
        if row["item"] != "practice":
            assert row["item"] in alt
            assert row["spectrum"] in {"pure", "rich"}
        assert abs(float(row["audio_onset_ms"])) < 500
    assert {row["part"] for row in rated} == {"ratings"}
    with (data / "participants.csv").open(encoding="utf-8", newline="") as file:
        answers = {row["through"]: row["strategy"] for row in csv.DictReader(file)}
    assert answers == {"neither": "", "headphones": "By how rough both were."}
    platform.manage("check_data", SLUG)

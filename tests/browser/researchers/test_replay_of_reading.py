"""The replay of a text opens its areas as they were open, by clock, keyboard and click, and is accessible."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.platform import Platform, log_in

SLUG = "replayed-reading"
# One study for all tests here: made by the first of them.
prepared: list[str] = []


@pytest.fixture
def replay(platform: Platform, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    if not prepared:
        path = write_example(tmp_path / "replay", slug=SLUG, name="mouse-reading")
        platform.manage("create_study", str(path), "--owner", "researcher", "--open")
        platform.manage("simulate", SLUG, "--participants", "1", "--seed", "9", "--base-url", platform.base_url)
        prepared.append(SLUG)
    page = browser.new_page()
    log_in(page, platform)
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/watch/participants/")
    page.locator("a[href*='watch/participants/SIM']").first.click()
    page.get_by_role("link", name="Replay").first.click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    yield page
    page.close()


def visits(page: Page) -> list[dict[str, float]]:
    made: list[dict[str, float]] = json.loads(page.locator("#replay-data").text_content() or "")["visits"]
    return made


def open_areas(page: Page) -> list[int]:
    """Return the areas that are clear, counted from 1."""
    found: list[int] = page.locator(".replay-area").evaluate_all(
        "areas => areas.flatMap((area, place) => area.classList.contains('open') ? [place + 1] : [])"
    )
    return found


@pytest.mark.full("a replay whose keys miss a visit")
def test_the_arrow_keys_go_from_visit_to_visit_and_one_area_is_open_in_each(replay: Page) -> None:
    told = visits(replay)
    replay.get_by_role("button", name="Play").focus()
    for visit in told:
        replay.keyboard.press("ArrowRight")
        assert open_areas(replay) == [visit["aoi"]]
        assert replay.locator("tr.replayed").count() == 1
    replay.keyboard.press("End")
    assert open_areas(replay) == []
    replay.keyboard.press("Home")
    assert open_areas(replay) == []
    replay.keyboard.press("ArrowRight")
    assert open_areas(replay) == [told[0]["aoi"]]


@pytest.mark.full("a replay that does not play by itself")
def test_playing_moves_on_by_itself_and_stops_at_the_end(replay: Page) -> None:
    replay.get_by_role("combobox").select_option("8")
    replay.get_by_role("button", name="Play").press("Space")
    expect(replay.get_by_role("button", name="Pause")).to_be_visible()
    expect(replay.get_by_role("button", name="Play")).to_be_visible()
    status = replay.locator("[data-status]").text_content() or ""
    now, end = status.split(" s")[0].split(" of ")
    assert now == end


def test_a_click_into_the_scan_path_goes_to_that_time(replay: Page) -> None:
    picture = replay.locator("[data-path]")
    told = visits(replay)
    longest = max(range(len(told)), key=lambda place: told[place]["leave_ms"] - told[place]["enter_ms"])
    bar = picture.locator("rect.stay").nth(longest).bounding_box()
    assert bar is not None
    replay.mouse.click(bar["x"] + bar["width"] / 2, bar["y"] + bar["height"] / 2)
    assert open_areas(replay) == [told[longest]["aoi"]]


@pytest.mark.full("a replay that does not play by itself")
def test_the_page_is_accessible_and_says_nothing_in_the_console(replay: Page) -> None:
    said: list[str] = []
    replay.on("console", lambda message: said.append(message.text))
    replay.on("pageerror", lambda error: said.append(str(error)))
    replay.reload()
    expect(replay.get_by_role("button", name="Play")).to_be_visible()
    replay.keyboard.press("Tab")
    assert violations(replay, "replay", WCAG) == []
    assert said == []

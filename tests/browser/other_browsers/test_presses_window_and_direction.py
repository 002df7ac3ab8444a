"""In Firefox and WebKit, too: a press acts on one page, what is timed is in the window, words stand in their order."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.browser.exported import trials_of
from tests.browser.mouse_contingent_reading.test_order_in_both_directions import (
    CHARACTERS,
    TEXTS,
    UNCOVERED,
    assert_as_in_plain_text,
)
from tests.browser.other_browsers.drivers import Driver
from tests.browser.other_browsers.page import Page
from tests.browser.other_browsers.sessions import SESSIONS, begin
from tests.browser.platform import Platform
from tests.browser.sessions.test_long_texts_in_the_window import STUDY
from tests.browser.sessions.test_one_press_acts_on_one_page import BOUNCE
from tests.browser.waiting import press_until, wait_for_screen

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timing,
    pytest.mark.full("presses, windows and directions of writing that another browser has otherwise"),
]

MIXED = TEXTS["an English name behind a Hebrew article"]
LONG = "|".join(" ".join(f"Word{number} of this story goes on quietly." for number in range(3)) for _ in range(12))
HELD_MS = 500
SHOWN = "[...document.querySelectorAll('.word:not(.covered)')].map((word) => word.textContent).join('')"
INSIDE = """() => [...document.querySelectorAll(".word:not(.covered)")].every((word) => {
  const { top, bottom, left, right } = word.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
})"""


def hold(page: Page, key: str) -> None:
    """Press a key and keep it down while the next page comes."""
    steps = [{"type": "keyDown", "value": key}, {"type": "pause", "duration": HELD_MS}, {"type": "keyUp", "value": key}]
    page.driver.perform([{"type": "key", "id": "keyboard", "actions": steps}])


def read(page: Any, text: str, *, bounces_at: int) -> int:
    """Read a text; return how many presses were too early, besides the one of a key that bounces at one region."""
    early = 0
    found: list[Any] = []
    parts = text.split("|")
    for number, part in enumerate(parts, start=1):
        shown = part.replace(" ", "")
        if number == bounces_at:
            wait_for_screen(page)
            page.evaluate(f"() => ({BOUNCE})(' ')")
        early += press_until(page, "Space", f"shown => {SHOWN} === shown", arg=shown) if number != bounces_at else 0
        page.wait_until(lambda shown=shown: page.evaluate(SHOWN) == shown, shown)
        assert page.evaluate(INSIDE), (number, part)
        found += page.evaluate(UNCOVERED)
    if text == MIXED:
        plain = text.replace("|", " ")
        assert_as_in_plain_text(page, "mixed", {plain: found}, selector=".window", measure=".window")
    wait_for_screen(page)
    hold(page, " ")
    return early


def test_one_session(platform: Platform, driver: Driver, tmp_path: Path) -> None:
    slug = f"presses-in-{type(driver).__name__.lower()}"
    folder = tmp_path / "study"
    folder.mkdir()
    with (folder / "materials.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["item", "text"], ["mixed", MIXED], ["long", LONG]])
    settings = STUDY.format(slug=slug, window="moving").replace("break_every = 0", "break_every = 1")
    (folder / "study.toml").write_text(settings, encoding="utf-8")
    platform.manage("create_study", str(folder / "study.toml"), "--owner", "researcher", "--open")
    page = Page(driver)
    page.add_init_script(CHARACTERS)
    typist: Any = begin(SESSIONS["self-paced-reading"], page, f"{platform.base_url}/s/{slug}/")
    early: dict[str, int] = {}
    breaks = 0
    for _ in range(30):
        kind = typist.kind()
        if kind == "page":
            break
        if kind == "self-paced-reading":
            typist.mark()
            long = page.evaluate("document.querySelectorAll('.word').length") > 40
            early["long" if long else "mixed"] = read(page, LONG if long else MIXED, bounces_at=3)
            continue
        if kind == "break":
            # The key that ended the text was held for a long time, and the page is still there.
            breaks += 1
            page.wait_for_timeout(HELD_MS)
            assert typist.kind() == "break"
        typist.answer("5")
    page.locator("body").filter(has_text="READ-TO-THE-END").wait_for()
    assert page.problems() == []
    assert breaks == 1
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "self-paced-reading"]
    assert {row["item"]: (row["out_of_view"], row["early_presses"]) for row in rows} == {
        item: ("0", str(number + 1)) for item, number in early.items()
    }
    platform.manage("check_data", slug)

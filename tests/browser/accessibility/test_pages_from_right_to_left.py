"""Participants' pages in a language that is written from right to left begin at the right and fit a telephone."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.example_studies import write_example
from tests.browser.platform import Platform
from tests.browser.typist import wait_for_check

SLUG = "from-the-right"
OUTSIDE = """() => [...document.querySelectorAll("main *")]
  .filter(element => !element.closest(".only-read-out"))
  .map(element => [element.getBoundingClientRect(), element.outerHTML.slice(0, 80)])
  .filter(([box]) => box.width > 1 && (box.left < 0 || box.right > window.innerWidth)).map(([, html]) => html)"""
SHOTS = os.environ.get("SHOTS_OF_RIGHT_TO_LEFT")


def look(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)
    assert page.evaluate("getComputedStyle(document.body).direction") == "rtl"
    assert page.evaluate(OUTSIDE) == []


def test_an_arabic_study_begins_at_the_right(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    path = write_example(tmp_path / "study", slug=SLUG, name="system-ratings", changes={"language": '"ar"'})
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{platform.base_url}/s/{SLUG}/")
    assert page.locator("html").get_attribute("lang") == "ar"
    look(page, "landing")
    button = page.locator("#landing [data-next]")
    box, around = button.bounding_box(), page.locator("#landing h1").bounding_box()
    assert box is not None
    assert around is not None
    assert abs(box["x"] + box["width"] - around["x"] - around["width"]) < 2
    button.click()
    wait_for_check(page)
    look(page, "check")
    page.click("#check [data-next]")
    page.wait_for_selector("#consent", state="visible")
    look(page, "consent")
    for tick in page.locator("#consent input[type=checkbox]").all():
        tick.check()
    page.click("#agree")
    page.wait_for_selector(".sheet")
    look(page, "first")
    page.close()

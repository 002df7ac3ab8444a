"""No page of a participant is wider than a telephone of 320 pixels, however long the words of the title are."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.paper_study import write_study
from tests.browser.platform import Platform
from tests.browser.typist import wait_for_check

SLUG = "narrow"
TITLE = "Wie wirkt Informationsstrukturverarbeitungsgeschwindigkeit?"
TOO_WIDE = """() => [...document.querySelectorAll("main *")]
  .filter(element => element.getBoundingClientRect().right > window.innerWidth)
  .map(element => element.outerHTML.slice(0, 80))"""


def test_a_title_of_a_long_word_widens_no_page(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    path = write_study(tmp_path, slug=SLUG, items=8, language="de")
    path.write_text(path.read_text(encoding="utf-8").replace("How sentences sound", TITLE), encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = browser.new_page(viewport={"width": 320, "height": 640})
    page.goto(f"{platform.base_url}/s/{SLUG}/")
    assert page.locator("h1").first.inner_text() == TITLE
    assert page.evaluate(TOO_WIDE) == []
    page.click("#landing [data-next]")
    wait_for_check(page)
    assert page.evaluate(TOO_WIDE) == []
    page.click("#check [data-next]")
    page.wait_for_selector("#consent", state="visible")
    assert page.evaluate(TOO_WIDE) == []
    page.goto(f"{platform.base_url}/s/{SLUG}/withdraw/")
    assert page.evaluate(TOO_WIDE) == []
    page.close()

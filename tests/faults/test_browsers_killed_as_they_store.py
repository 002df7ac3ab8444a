"""The browser is killed as it stores an answer: what the page took is there, and anything else is asked again."""

from __future__ import annotations

import os
import random
from collections import Counter
from contextlib import suppress
from pathlib import Path
from threading import Timer

import pytest
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import expect

from tests import needs
from tests.browser.exported import trials_of
from tests.browser.own_browser import OwnBrowser
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform
from tests.browser.shown import Shown
from tests.browser.typist import Typist

pytestmark = pytest.mark.full("an answer that a browser loses when it is killed as it stores")

# The full drill is 60 kills: LECTERN_BROWSER_KILLS=60.
KILLS = int(os.environ.get("LECTERN_BROWSER_KILLS", "6"))
SEED = 5
# Seconds after Enter in which an answer is on its way to the disk.
STORING = 0.06
PATIENCE = 60_000


def press_enter_and_kill(typist: Typist, browser: OwnBrowser, shown: Shown, delay: float | None) -> bool:
    """Kill the browser so long after Enter, or as soon as the page has gone on; return whether it had gone on."""
    before = shown.number
    killer = Timer(delay or 0, browser.kill_every_process)
    if delay is not None:
        killer.start()
    with suppress(BrowserError):
        typist.page.keyboard.press("Enter")
    if delay is None:
        while shown.number == before:
            typist.page.wait_for_timeout(1)
        killer.start()
    killer.join()
    # What the page still told is heard now.
    with suppress(BrowserError):
        typist.page.wait_for_timeout(1)
    return shown.number > before


@needs.processes
def test_what_the_page_took_outlives_a_browser_that_is_killed_as_it_stores(
    platform: Platform, own_browser: OwnBrowser, tmp_path: Path
) -> None:
    slug = "killed-as-they-store"
    path = write_study(tmp_path / "study", slug=slug, items=8 * ((KILLS + 7) // 8))
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    chance = random.Random(SEED)
    context = own_browser.open()
    shown = Shown(context, "#lectern .sheet")
    typist = Typist(context.new_page())
    typist.begin(f"{platform.base_url}/s/{slug}/")
    typist.typed = {}
    while typist.kind() != "magnitude-estimation" or not typist.page.locator(".modulus-number").count():
        typist.answer("50")

    for number in range(101, 101 + KILLS):
        text = typist.page.locator(".stimulus").inner_text()
        typist.page.locator("#number:focus").wait_for()
        typist.page.keyboard.type(str(number))
        delay = chance.uniform(0, STORING) if number % 2 else None
        went_on = press_enter_and_kill(typist, own_browser, shown, delay)
        context = own_browser.open()
        shown = Shown(context, "#lectern .sheet")
        typist.page = context.new_page()
        typist.page.goto(f"{platform.base_url}/s/{slug}/")
        typist.page.locator("#landing a.primary").click()
        typist.kind()
        is_asked_again = typist.page.locator(".stimulus").inner_text() == text
        assert not (went_on and is_asked_again), text
        if not is_asked_again:
            typist.typed[text] = str(number)
    typist.finish([str(chance.randint(1, 900)) for _ in range(40)])
    expect(typist.page.get_by_text("C0DE-FOR-TESTS")).to_be_visible(timeout=PATIENCE)

    rows = trials_of(platform, slug, tmp_path / "export")
    judged = [row for row in rows if row["plugin"] == "magnitude-estimation" and row["phase"] != "modulus"]
    assert Counter(row["text"] for row in judged) == Counter(typist.typed.keys())
    assert {row["text"]: row["typed"] for row in judged} == typist.typed
    platform.manage("check_data", slug)

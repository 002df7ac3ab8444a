"""The browser is killed in the middle of trials, again and again: every submitted answer is there in the end."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests import needs
from tests.browser.exported import trials_of
from tests.browser.own_browser import OwnBrowser
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform
from tests.browser.typist import Typist

pytestmark = pytest.mark.full("an answer that a browser loses when it is killed within trials")

# The full drill is 30 kills: LECTERN_BROWSER_KILLS=30.
KILLS = int(os.environ.get("LECTERN_BROWSER_KILLS", "6"))
SEED = 4


@needs.processes
def test_a_browser_killed_in_the_middle_of_trials_loses_no_submitted_answer(
    platform: Platform, own_browser: OwnBrowser, tmp_path: Path
) -> None:
    slug = "browser-kills"
    path = write_study(tmp_path / "study", slug=slug, items=8 * ((KILLS + 3) // 4))
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    chance = random.Random(SEED)
    page = own_browser.open().new_page()
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    typist.typed = {}
    while typist.kind() != "magnitude-estimation" or not typist.page.locator(".modulus-number").count():
        typist.answer("50")

    for _ in range(KILLS):
        for _ in range(chance.randint(1, 2)):
            typist.answer(str(chance.randint(1, 900)))
        typist.kind()
        before = typist.page.locator(".stimulus").inner_text()
        typist.page.keyboard.type("12")  # half an answer, never submitted
        own_browser.kill()
        typist.page = own_browser.open().new_page()
        typist.page.goto(f"{platform.base_url}/s/{slug}/")
        typist.page.locator("#landing a.primary").click()  # the landing page offers to go on
        typist.kind()
        assert typist.page.locator(".stimulus").inner_text() == before
    typist.finish([str(chance.randint(1, 900)) for _ in range(40)])
    expect(typist.page.get_by_text("C0DE-FOR-TESTS")).to_be_visible(timeout=30_000)

    rows = trials_of(platform, slug, tmp_path / "export")
    judged = [row for row in rows if row["plugin"] == "magnitude-estimation" and row["phase"] != "modulus"]
    assert Counter(row["text"] for row in judged) == Counter(typist.typed.keys())
    assert {row["text"]: row["typed"] for row in judged} == typist.typed
    assert sum(row["interrupted"] == "true" for row in judged) == KILLS
    platform.manage("check_data", slug)

"""A finger, a mouse or a key acts on the page on which it began, and a press before an onset is no answer."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.exported import trials_of
from tests.browser.platform import Platform
from tests.browser.sessions.walk import WAYS, Finger
from tests.browser.typist import Typist
from tests.browser.waiting import wait_until
from tests.selection import only_in_full

STUDY = """
slug = "{slug}"
title = "Presses"
paradigm = "{paradigm}"
language = "en"
description = "Words."
responsible = "A. Researcher"
contact = "researcher@example.org"
seed = 1
estimated_minutes = 2
data_protection_note = "Nothing is kept."

[settings]
{settings}

[procedure]
completion_code = "PRESSED"

[materials]
file = "materials.csv"
"""
MAZE = (
    "maze",
    'after_error = "redo"\nerror_delay_ms = 0\nbreak_every = 0\nbuttons = true',
    "item,text,distractors,question,choices,answer\n"
    'one,The dog chased the cat.,x-x-x why sudden yes off.,"Who was chased by whom, and where was it?",'
    "the dog|the cat|the man|the woman,the cat\n"
    'two,A man reads the news.,x-x-x off why yes soon.,"Who was chased by whom, and where was it?",'
    "the dog|the cat|the man|the woman,the cat\n",
)
CHOICE = (
    "timed-choice",
    'answers = "nonword | f\\nword | j"\niti_ms = 150\nbreak_every = 1\nrespond_with = "both"',
    "item,text,correct\none,bread,word\ntwo,water,word\nthree,house,word\n",
)
READING = ("self-paced-reading", 'unit = "word"\nbreak_every = 0', "item,text\none,The dog chased the cat.\n")
WORDS = {"The dog chased the cat.", "A man reads the news."}
SHOWN = "[...document.querySelectorAll('.maze-word')].map((word) => word.textContent)"
WORD_AT = ("The", "dog", "chased", "the", "cat.")
# Longer than a double tap may take.
PAUSE_MS = 400
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
BOUNCE = """(key) => {
  const strike = () =>
    document.dispatchEvent(new KeyboardEvent("keydown", { key, code: "Space", bubbles: true, cancelable: true }));
  strike();
  const begun = performance.now();
  while (performance.now() < begun + 8);
  strike();
}"""


def begun(platform: Platform, page: Page, tmp_path: Path, slug: str, study: tuple[str, str, str]) -> Typist:
    paradigm, settings, materials = study
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY.format(slug=slug, paradigm=paradigm, settings=settings), encoding="utf-8")
    (folder / "materials.csv").write_text(materials, encoding="utf-8")
    platform.manage("create_study", str(folder / "study.toml"), "--owner", "researcher", "--open")
    typist = Typist(page)
    page.goto(f"{platform.base_url}/s/{slug}/")
    typist.press_button("#landing [data-next]")
    if paradigm == "self-paced-reading":
        page.locator("#check-keyboard").wait_for()
        page.evaluate(FRAMES)
        page.keyboard.press("Space")
    typist.pass_check()
    return typist


def reach(page: Page, typist: Typist, kind: str) -> None:
    while typist.kind() != kind:
        page.evaluate(FRAMES)
        typist.answer("5")


@pytest.fixture
def finger(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Finger]:
    width, height = getattr(request, "param", (390, 844))
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    page = context.new_page()
    yield Finger(page, context.new_cdp_session(page))
    context.close()


def _ways(short: str) -> list[Any]:
    return [way if way == short else only_in_full("a hold or a gesture of its own", way) for way in WAYS]


@pytest.mark.parametrize("how", _ways("130"))
def test_the_tap_on_the_last_word_does_not_answer_the_question(
    platform: Platform, finger: Finger, tmp_path: Path, how: str
) -> None:
    page = finger.page
    typist = begun(platform, page, tmp_path, f"press-maze-{how}", MAZE)
    reach(page, typist, "maze")
    typist.mark()
    read = ""
    while page.locator(".maze-pair").count():
        wait_until(page, f"{SHOWN}.join('') !== ''")
        page.wait_for_timeout(PAUSE_MS)
        left, right = page.evaluate(SHOWN)
        goes_on = next(word for word in (left, right) if any(f"{text} ".startswith(f"{read}{word} ") for text in WORDS))
        read += f"{goes_on} "
        point = finger.middle_of(".maze-place", 0 if goes_on == left else 1)
        finger.tap(point, how if read.strip() in WORDS else "30")
        wait_until(page, f"before => {SHOWN}.join() !== before", arg=f"{left},{right}")
    page.wait_for_timeout(PAUSE_MS)
    assert typist.kind() == "maze-question"
    choices = page.locator(".maze-question .choice")
    assert choices.count() == 4
    # A new press answers it.
    typist.mark()
    finger.tap(finger.middle_of(".maze-question .choice", 1), "30")
    assert typist.kind() == "maze"


@pytest.mark.parametrize("how", _ways("130"))
@pytest.mark.parametrize(
    "finger", [(360, 640), only_in_full("another telephone", (414, 896))], indirect=True, ids=lambda size: str(size[0])
)
def test_the_tap_on_an_answer_does_not_end_the_break_behind_it(
    platform: Platform, finger: Finger, tmp_path: Path, how: str
) -> None:
    page = finger.page
    assert page.viewport_size is not None
    width = page.viewport_size["width"]
    typist = begun(platform, page, tmp_path, f"press-break-{how}-{width}", CHOICE)
    reach(page, typist, "timed-choice")
    typist.mark()
    page.locator(".choice-text.target").wait_for()
    page.wait_for_timeout(PAUSE_MS)
    finger.tap(finger.middle_of(".choice-answer", 0), how)
    assert typist.kind() == "break"
    page.wait_for_timeout(PAUSE_MS)
    assert typist.kind() == "break"
    typist.mark()
    finger.tap(finger.middle_of(".break .actions button", 0), "130")
    assert typist.kind() == "timed-choice"


def test_a_key_that_bounces_reads_no_word_and_is_counted(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    slug = "press-bounces"
    page = browser.new_page()
    typist = begun(platform, page, tmp_path, slug, READING)
    reach(page, typist, "self-paced-reading")
    for place in range(6):
        page.wait_for_timeout(PAUSE_MS)
        if place == 2:
            page.evaluate(BOUNCE, " ")
        else:
            page.keyboard.press("Space")
        if place < 5:
            wait_until(page, f"document.querySelectorAll('.word:not(.covered)')[0]?.textContent === {WORD_AT[place]!r}")
    page.get_by_text("PRESSED").wait_for()
    page.close()
    (row,) = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "self-paced-reading"]
    with (tmp_path / "data" / "regions.csv").open(encoding="utf-8", newline="") as file:
        regions = list(csv.DictReader(file))
    assert [region["early_presses"] for region in regions] == ["0", "0", "1", "0", "0"]
    assert row["early_presses"] == "1"
    assert all(float(region["rt_ms"]) > PAUSE_MS for region in regions)
    platform.manage("check_data", slug)

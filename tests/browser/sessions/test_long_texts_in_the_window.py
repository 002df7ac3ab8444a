"""Long texts: every region is in the window at its onset, and nothing moves while one is read."""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from experiments.study.opening.windows import lines_of
from tests.browser.exported import trials_of
from tests.browser.mouse_contingent_reading.reading_rig import reading
from tests.browser.platform import Platform
from tests.browser.sessions.test_self_paced_session import begin
from tests.browser.waiting import press_until
from tests.selection import only_in_full

WORDS = 182
STUDY = """
slug = "{slug}"
title = "A long text"
paradigm = "self-paced-reading"
language = "en"
description = "One long text."
responsible = "A researcher"
contact = "researcher@example.org"
seed = 1
estimated_minutes = 2
data_protection_note = "Nothing is kept."

[settings]
unit = "word"
window = "{window}"
break_every = 0

[procedure]
completion_code = "READ-TO-THE-END"

[materials]
file = "materials.csv"
"""
# The browser's own account: where each word stood when it came up, and how far the page was scrolled while it was on.
WITNESS = """
window.witnessed = [];
const look = () => {
  const words = [...document.querySelectorAll(".window .word")];
  const open = words.filter((word) => !word.classList.contains("covered"));
  const place = open.length === 0 ? -1 : words.indexOf(open[open.length - 1]);
  const { witnessed } = window;
  if (place >= 0 && place !== witnessed.at(-1)?.place) {
    const { left, top, right, bottom } = words[place].getBoundingClientRect();
    const { offsetLeft, offsetTop, width, height } = visualViewport;
    const [first] = words;
    const from = first.getBoundingClientRect();
    const places = words.flatMap((word) => {
      const box = word.getBoundingClientRect();
      return [box.left - from.left, box.top - from.top];
    });
    witnessed.push({
      place, scrolled: [], places, line: Math.round(top - from.top), top,
      inside: left >= offsetLeft - 1 && top >= offsetTop - 1 && right <= offsetLeft + width + 1
        && bottom <= offsetTop + height + 1,
    });
  }
  return witnessed.at(-1);
};
new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
const frame = () => {
  const now = look();
  if (now !== undefined && document.querySelector(".window") !== null) {
    now.scrolled.push([Math.round(scrollX), Math.round(scrollY), Math.round(visualViewport.offsetTop)].join());
  }
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""


def long_study(folder: Path, *, slug: str, window: str) -> Path:
    folder.mkdir(parents=True)
    text = " ".join(f"Word{number} of this story goes on quietly." for number in range(WORDS // 7))
    (folder / "materials.csv").write_text(f"item,text\ni1,{text}\n", encoding="utf-8")
    path = folder / "study.toml"
    path.write_text(STUDY.format(slug=slug, window=window), encoding="utf-8")
    return path


def read_all(page: Page) -> tuple[list[dict[str, Any]], int]:
    """Read the text to its end; return what the browser says of every word, and how many presses came too early."""
    early = sum(
        press_until(page, "Space", "place => window.witnessed.at(-1)?.place === place", arg=place)
        for place in range(WORDS)
    )
    page.wait_for_timeout(100)
    witnessed: list[dict[str, Any]] = page.evaluate("window.witnessed")
    early += press_until(page, "Space", "document.querySelector('.sheet[data-seen]') === null")
    return witnessed, early


@pytest.mark.parametrize(
    ("width", "height", "window", "scale", "pinch"),
    [
        (1280, 800, "moving", 1.0, 1.0),
        only_in_full("a low window", 1366, 620, "moving", 1.0, 1.0),
        only_in_full("lines of a cumulative window", 1366, 620, "cumulative", 1.0, 1.0),
        only_in_full("browser zoom, which leaves fewer pixels of CSS", 853, 533, "moving", 1.5, 1.0),
        only_in_full("a zoom with two fingers, which leaves a part of the window", 1280, 800, "moving", 1.0, 1.5),
    ],
)
def test_every_word_is_in_the_window_at_its_onset_and_stays_there(
    platform: Platform,
    chromium: Browser,
    tmp_path: Path,
    width: int,
    height: int,
    window: str,
    scale: float,
    pinch: float,
) -> None:
    slug = f"long-{window}-{width}-{height}-{int(10 * pinch)}"
    path = long_study(tmp_path / "study", slug=slug, window=window)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = chromium.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, is_mobile=pinch > 1
    )
    context.add_init_script(WITNESS)
    page = context.new_page()
    typist = begin(page, f"{platform.base_url}/s/{slug}/")
    while typist.kind() != "self-paced-reading":
        typist.answer("5")
    if pinch > 1:
        context.new_cdp_session(page).send("Emulation.setPageScaleFactor", {"pageScaleFactor": pinch})
    page.evaluate("window.witnessed = []")
    typist.mark()
    witnessed, early = read_all(page)
    typist.kind()
    context.close()

    assert [word["place"] for word in witnessed] == list(range(WORDS))
    assert [word["place"] for word in witnessed if not word["inside"]] == []
    # The page stands still from the frame in which a word came up to the one in which it went.
    assert [word["place"] for word in witnessed if len(set(word["scrolled"])) > 1] == []
    # Words keep their places among each other; the page moves between the last word of a line and the next.
    first = witnessed[0]["places"]
    assert all(word["places"] == pytest.approx(first, abs=1) for word in witnessed)
    moved = [
        after["place"]
        for before, after in pairwise(witnessed)
        if after["scrolled"] and before["scrolled"] and after["scrolled"][0] != before["scrolled"][0]
    ]
    assert moved, "The text was to be longer than the window."
    if pinch == 1:
        assert all(witnessed[place]["line"] > witnessed[place - 1]["line"] for place in moved)
        if window == "moving":
            assert {round(witnessed[place]["top"] - witnessed[0]["top"]) for place in moved[:-1]} <= {-1, 0, 1}

    (row,) = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "self-paced-reading"]
    assert (row["out_of_view"], row["early_presses"]) == ("0", str(early))
    with (tmp_path / "data" / "regions.csv").open(encoding="utf-8", newline="") as file:
        regions = list(csv.DictReader(file))
    assert {region["out_of_view"] for region in regions} == {"false"}
    if pinch == 1:
        assert [int(one["region"]) - 1 for one in regions if one["brought_into_view"] == "true"] == moved


SCRIPTS = {
    "English": "The children who had been told about the storm stayed at home until the roads were dry. " * 28,
    "German": "Die Reisenden erreichten am Abend eine kleine Stadt hinter den Bergen. " * 20,
    "Hebrew": "הילד הקטן ראה את הכלב הגדול בגינה של השכנים אתמול בערב. " * 20,
    "Chinese": "小孩子昨天晚上在邻居的花园里看见了一只很大的狗。" * 15,
}
LINES = """new Set([...document.querySelectorAll(".window .word")]
  .map((word) => Math.round(word.getBoundingClientRect().top))).size"""


@pytest.mark.full("an estimate of lines, told before opening, that pages no longer keep to")
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_text_has_about_as_many_lines_as_are_told_before_opening(browser: Browser, script: str) -> None:
    text = SCRIPTS[script].strip()
    has_spaces = " " in text
    parts = text.split() if has_spaces else [text[at : at + 2] for at in range(0, len(text), 2)]
    regions = [{"text": part, "words": 1, "before": " " if at and has_spaces else ""} for at, part in enumerate(parts)]
    trial = {"kind": "target", "regions": regions, "window": "moving", "question": None, "index": 1, "total": 1}
    with reading(browser, trial, plugin="self-paced-reading", viewport={"width": 1280, "height": 720}) as shown:
        shown.page.locator(".window").wait_for()
        assert lines_of(text) == pytest.approx(shown.page.evaluate(LINES), rel=0.1, abs=1)

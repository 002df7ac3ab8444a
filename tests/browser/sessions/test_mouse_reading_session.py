"""A participant of a mouse-contingent reading study with a real mouse: what was uncovered is what is exported."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.example_studies import write_example
from tests.browser.exported import trials_of
from tests.browser.platform import Platform
from tests.browser.typist import Typist

pytestmark = pytest.mark.timing

SHOWN = "document.querySelector('.reading-area')?.innerText.replaceAll(/\\s+/g, ' ').trim() ?? ''"


def read(page: Page) -> list[str]:
    """Read the open text from top to bottom with the mouse, press Done, and return its sentences as they came."""
    page.get_by_role("button", name="Start").click()
    page.locator(".reading-notices > [data-shown]").filter(has_text="Press Done").wait_for()
    box = page.locator(".reading-text").bounding_box()
    assert box is not None
    sentences = []
    for band in range(3):
        page.mouse.move(box["x"] + 80, box["y"] + box["height"] * (2 * band + 1) / 6)
        sentences.append(page.evaluate(SHOWN))
    page.get_by_role("button", name="Done").click()
    return sentences


def test_a_session_with_a_mouse_is_exported_with_its_visits(
    platform: Platform, chromium: Browser, tmp_path: Path
) -> None:
    slug = "read-with-a-mouse"
    changes = {"allow_keyboard": "true\nrecord_path = true"}
    path = write_example(tmp_path / "study", slug=slug, name="mouse-reading", changes=changes)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    typist = Typist(page)
    page.goto(f"{platform.base_url}/s/{slug}/")
    typist.press_button("#landing [data-next]")
    page.mouse.move(200, 200)
    page.mouse.move(260, 240)
    typist.pass_check()
    texts: list[list[str]] = []
    for _ in range(120):
        kind = typist.kind()
        if kind == "page":
            break
        if kind == "reading":
            typist.mark()
            texts.append(read(page))
        elif kind == "reading ratings":
            typist.mark()
            page.keyboard.type("40")
            page.keyboard.press("Enter")
        elif "reading-questions" in kind:
            page.get_by_label("A mouse").check()
            page.get_by_label("The left hand").check()
            typist.mark()
            page.keyboard.press("Enter")
        else:
            typist.answer("5")
    expect(page.get_by_text("READING-EXAMPLE")).to_be_visible()
    context.close()

    assert problems == []
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "mouse-contingent-reading"]
    assert len(rows) == len(texts) == 17
    with (tmp_path / "data" / "visits.csv").open(encoding="utf-8", newline="") as file:
        visits = list(csv.DictReader(file))
    for row, sentences in zip(rows, texts, strict=True):
        own = [visit for visit in visits if visit["position"] == row["position"]]
        assert [visit["aoi_text"] for visit in own] == sentences
        assert [visit["aoi"] for visit in own] == ["1", "2", "3"]
        assert row["path_agrees"] == "true"
        assert (row["fluency"], row["clarity"], row["mode"]) == ("40", "40", "pointer")
        assert float(own[-1]["leave_ms"]) <= float(row["rt_ms"])
    platform.manage("check_data", slug)

"""Errors marked in texts by mouse, by keyboard and on a telephone; what is stored, and what axe finds on the page."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.exported import trials_of
from tests.browser.platform import Platform
from tests.browser.typist import NEXT_SHEET, Typist

QUESTION = """[[settings.questions]]
name = "errors"
text = "Mark every error in the text."
kind = "error-spans"
labels = ["worthless", "perfect"]
categories = ["grammar", "style"]

"""


def begin(platform: Platform, page: Page, folder: Path, slug: str) -> Typist:
    """Open a study that asks for errors in one text a page, and walk to its first text."""
    path = write_example(
        folder, slug=slug, name="system-ratings", changes={"presentation": '"one"', "conditions": '"one"'}
    )
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"\[\[settings\.questions\]\]\n(?:[^\[\n].*\n|\n)*", "", text)
    path.write_text(text.replace("[procedure]", QUESTION + "[procedure]", 1), encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    while "rating" not in typist.kind():
        typist.answer("5")
    return typist


def test_errors_marked_by_keyboard_and_by_mouse_are_exported_as_they_were_marked(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    typist = begin(platform, page, tmp_path / "study", "spans-by-hand")
    sheet = page.locator(NEXT_SHEET)
    found = violations(page, "nothing is marked", [*WCAG, "best-practice"])
    expect(page.locator(".by-mouse")).to_be_visible()
    expect(page.locator(".by-touch")).to_be_hidden()

    # By keyboard alone: words 2 and 3 are a major error of style, the first word a minor one that is taken back.
    expect(page.locator("[role=listbox]")).to_be_focused()
    for key in ("1", "Home", "1", "Delete", "ArrowRight", "Shift+ArrowRight", "1", "2", "Tab", "Tab", "Tab"):
        page.keyboard.press(key)
    expect(page.locator(".mark-as select")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".marked li")).to_contain_text("style")
    found += violations(page, "one error is marked", [*WCAG, "best-practice"])
    slider = page.locator("input[type=range]")
    while not slider.evaluate("slider => slider === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Home")
    by_keys = sheet.locator(".rated").inner_text()
    typist.mark()
    page.keyboard.press("Enter")
    typist.kind()

    # By mouse: drawn over words 1 to 3, then word 5 pressed and word 6 pressed.
    words = sheet.locator(".word")
    by_mouse = sheet.locator(".rated").inner_text()
    first, third = words.nth(0).bounding_box(), words.nth(2).bounding_box()
    assert first is not None
    assert third is not None
    page.mouse.move(first["x"] + 3, first["y"] + 8)
    page.mouse.down()
    page.mouse.move(third["x"] + 3, third["y"] + 8, steps=8)
    page.mouse.up()
    page.click(".mark-as .minor")
    words.nth(4).click()
    words.nth(5).click()
    page.click(".mark-as .major")
    expect(page.locator(".marked li")).to_have_count(2)
    # Touching a marked error with other words is refused with a sentence.
    words.nth(3).click()
    words.nth(4).click()
    page.click(".mark-as .major")
    expect(page.locator(".mark-as [role=alert]")).not_to_be_empty()
    found += violations(page, "refused", [*WCAG, "best-practice"])
    slider.focus()
    page.keyboard.press("End")
    typist.mark()
    page.click(".sheet button.primary")
    typist.kind()
    page.close()

    assert problems == []
    assert found == []
    rows = {
        row["text"]: row for row in trials_of(platform, "spans-by-hand", tmp_path / "data") if row["answered"] == "true"
    }
    numbers = ("errors", "errors_minor", "errors_major", "errors_weighted")
    assert [float(rows[by_keys][name]) for name in numbers] == [0, 0, 1, 5]
    assert [float(rows[by_mouse][name]) for name in numbers] == [100, 1, 1, 6]
    with (tmp_path / "data" / "spans.csv").open(encoding="utf-8", newline="") as file:
        spans = list(csv.DictReader(file))
    kept = ("position", "span", "start_word", "end_word", "severity", "category")
    keyed, mouse = rows[by_keys]["position"], rows[by_mouse]["position"]
    assert [tuple(row[name] for name in kept) for row in spans] == [
        (keyed, "1", "2", "3", "major", "style"),
        (mouse, "1", "1", "3", "minor", ""),
        (mouse, "2", "5", "6", "major", ""),
    ]
    assert by_keys.split()[1:3] == spans[0]["span_text"].split()
    lasted = {row["position"]: float(row["rt_ms"]) for row in rows.values()}
    assert any(float(row["at_ms"]) > 0 for row in spans)
    assert all(0 <= float(row["at_ms"]) <= lasted[row["position"]] for row in spans)
    with (tmp_path / "data" / "marked_words.csv").open(encoding="utf-8", newline="") as file:
        marked = [row for row in csv.DictReader(file) if row["position"] == mouse]
    assert [row["mark"] for row in marked][:7] == ["minor"] * 3 + ["none"] + ["major"] * 2 + ["none"]
    assert " ".join(row["word_text"] for row in marked) == " ".join(by_mouse.split())
    platform.manage("check_data", "spans-by-hand")


def test_errors_are_marked_by_touch_on_a_narrow_telephone(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(platform, page, tmp_path, "spans-by-touch")
    words = page.locator(".word")
    # A swipe scrolls, so nothing is said of drawing.
    expect(page.locator(".by-touch")).to_be_visible()
    expect(page.locator(".by-mouse")).to_be_hidden()
    words.nth(1).tap()
    words.nth(2).tap()
    page.locator(".mark-as .major").tap()
    expect(page.locator(".marked li")).to_have_count(1)
    assert [words.nth(at).get_attribute("class") or "" for at in (1, 2)] == ["word major", "word major current"]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page, "360 px", [*WCAG, "best-practice"]) == []
    # The buttons are at hand while the text is: they stick to the bottom of the window.
    page.evaluate("window.scrollTo(0, 0)")
    box = page.locator(".mark-as").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 741
    context.close()


def test_arrow_keys_follow_the_direction_of_the_text_and_not_of_the_page(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    begin(platform, page, tmp_path, "spans-against-the-page")
    page.evaluate("document.documentElement.dir = 'rtl'")
    words = page.locator(".word")
    page.keyboard.press("ArrowRight")
    expect(words.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    expect(words.nth(0)).to_have_attribute("aria-selected", "true")
    page.close()


def test_marks_and_chosen_words_are_seen_in_forced_colours(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, forced_colors="active")
    page = context.new_page()
    begin(platform, page, tmp_path, "spans-in-forced-colours")
    for key in ("Home", "1", "ArrowRight", "2", "ArrowRight"):
        page.keyboard.press(key)
    style = "(word, name) => getComputedStyle(word)[name]"
    words = page.locator(".word")
    lines = [words.nth(at).evaluate(style, "textDecorationStyle") for at in (0, 1, 3)]
    assert lines[:2] == ["wavy", "double"]
    assert words.nth(2).evaluate(style, "backgroundColor") != words.nth(3).evaluate(style, "backgroundColor")
    assert words.nth(2).evaluate(style, "outlineStyle") == "solid"
    context.close()

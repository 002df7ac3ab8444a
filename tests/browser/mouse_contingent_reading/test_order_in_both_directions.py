"""Texts that are shown in parts stand, character by character, where the browser puts them in the plain text."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.mouse_contingent_reading.reading_rig import params_of, reading
from tests.browser.waiting import press_until, wait_for_screen
from tests.selection import only_in_full

# `|` ends a region or an area.
TEXTS = {
    "two English words": "קראתי|את|הספר|של|John|Smith|בספרייה.",
    "an English name behind a Hebrew article": "הוא|עבד|ב-Google|Maps|(New|York|City)|לפני|15|שנים.",
    "numbers": "המחיר|הוא|5|10|שקלים|לפני|3:45|PM|12/5/2024|ו-20%|הנחה,|50-60|ימים.",
    "a Hebrew phrase in an English sentence": "She|said|שלום|עולם|15|20|פעמים|to|everybody,|x|(מר|כהן)|too.",
    "Arabic, whose letters join": "قرأت|كتاب|Jane|Austen|في|12-15|يوم|مع|123|طالب.",
    "regions of several words": "פגשתי את John|Smith בבוקר אחד|ב-New York|City שלי.",
    "a sentence that begins with a Latin name": "John|Smith|קרא|את|הספר|הזה|בערב.",
    "a long English title": "הסרט|One|Flew|Over|the|Cuckoo's|Nest|by|Milos|Forman|and|others|from|1975|זכה|בפרסים.",
    "Hebrew alone": "קראתי|את|הספר|הטוב.",
    "English alone": "She|read|the|book|in|1975.",
}
CHARACTERS = """
window.charactersOf = (nodes) => nodes.flatMap((node) => {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
    for (const { segment, index } of new Intl.Segmenter().segment(text.data)) {
      if (segment.trim() === "" || segment === "\\u2060") continue;
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + segment.length);
      // Where the direction changes, WebKit has a second box without width.
      const [box] = [...range.getClientRects()].filter(({ width }) => width > 0);
      if (box === undefined) continue;
      const { left, right, top, bottom } = box;
      found.push([segment, (left + right) / 2, (top + bottom) / 2 + scrollY]);
    }
  }
  return found;
});
/** What stands in each line, from left to right. */
window.linesOf = (characters) => {
  const lines = [];
  for (const one of [...characters].sort((a, b) => a[2] - b[2])) {
    const line = lines.at(-1);
    if (line !== undefined && one[2] - line[0][2] < 12) line.push(one);
    else lines.push([one]);
  }
  return lines.map((line) => line.sort((a, b) => a[1] - b[1]).map(([character]) => character).join(""));
};
/**
 * The plain text in the width and font of an element. Its lines end where those that were seen do: the room of a space
 * depends on the font that a browser takes for it, so the width may have to differ by some pixels for that.
 */
window.plainLinesOf = ([selector, measure, text, seen]) => {
  const plain = document.createElement("div");
  const { direction, fontFamily, fontSize, lineHeight } = getComputedStyle(document.querySelector(selector));
  const { width } = document.querySelector(measure).getBoundingClientRect();
  Object.assign(plain.style, { direction, fontFamily, fontSize, lineHeight, position: "absolute" });
  plain.textContent = text;
  document.body.append(plain);
  const drawn = Array.from({ length: 25 }, (_unused, at) => {
    plain.style.width = `${width + (at % 2 ? at : -at)}px`;
    return window.linesOf(window.charactersOf([plain]));
  });
  plain.remove();
  const letters = (lines) => lines.map((line) => [...line].sort().join("")).join();
  return drawn.find((lines) => letters(lines) === letters(seen)) ?? drawn[0];
};
null;
"""
UNCOVERED = "window.charactersOf([...document.querySelectorAll('.word:not(.covered)')])"
OPENED = "window.charactersOf([...document.querySelectorAll('.reading-line')])"
SIZES = [(390, 844), (1280, 800)]
IN_SHORT = ("an English name behind a Hebrew article", "a Hebrew phrase in an English sentence")


def parts_of(text: str) -> list[dict[str, Any]]:
    return [
        {"text": part, "words": len(part.split()), "before": " " if index else ""}
        for index, part in enumerate(text.split("|"))
    ]


def assert_as_in_plain_text(page: Page, name: str, found: dict[str, list[Any]], *, selector: str, measure: str) -> None:
    """Compare what was found on the screen of some texts, line by line from left to right, with the plain texts.

    `selector` leads to what has their font, `measure` to what is as wide as their lines may be.
    """
    for text, characters in found.items():
        lines = page.evaluate("found => window.linesOf(found)", characters)
        plain = page.evaluate("of => window.plainLinesOf(of)", [selector, measure, text, lines])
        assert (name, lines) == (name, plain)


@pytest.mark.parametrize(
    ("window", "size", "names"),
    [
        ("moving", SIZES[0], IN_SHORT),
        *(
            only_in_full("texts and lines of another kind", window, size, tuple(TEXTS))
            for window in ("moving", "cumulative")
            for size in SIZES
        ),
    ],
)
def test_words_that_are_uncovered_stand_as_in_the_plain_text(
    browser: Browser, window: str, size: tuple[int, int], names: tuple[str, ...]
) -> None:
    texts = {name: TEXTS[name] for name in names}
    trials = [
        {"kind": "target", "regions": parts_of(text), "window": window, "question": None, "index": 1, "total": 1}
        for text in texts.values()
    ]
    viewport = {"width": size[0], "height": size[1]}
    with reading(browser, *trials, plugin="self-paced-reading", viewport=viewport) as shown:
        page = shown.page
        page.evaluate(CHARACTERS)
        for name, text in texts.items():
            page.locator(".window").wait_for()
            found: list[Any] = []
            seen = ""
            for part in text.split("|"):
                seen = (seen if window == "cumulative" else "") + part.replace(" ", "")
                press_until(page, "Space", f"seen => {UNCOVERED}.map(([one]) => one).join('') === seen", arg=seen)
                found = page.evaluate(UNCOVERED) if window == "cumulative" else found + page.evaluate(UNCOVERED)
            plain = text.replace("|", " ")
            assert_as_in_plain_text(page, name, {plain: found}, selector=".window", measure=".window")
            press_until(page, "Space", f"{UNCOVERED}.length === 0")
            wait_for_screen(page)


@pytest.mark.parametrize(
    ("arrangement", "size"),
    [
        ("flow", SIZES[0]),
        only_in_full("lines that end elsewhere", "flow", SIZES[1]),
        *(only_in_full("areas that are texts of their own", "bands", size) for size in SIZES),
    ],
)
def test_areas_that_are_opened_stand_as_in_the_plain_text(
    browser: Browser, arrangement: str, size: tuple[int, int]
) -> None:
    # In bands every area is a text of its own.
    texts = {name: text if arrangement == "flow" else text.replace("|", " ") + "|סוף." for name, text in TEXTS.items()}
    trials = [
        params_of(modes=["keyboard"], unit="word", areas=parts_of(text), text=text, arrangement=arrangement, mask="bar")
        for text in texts.values()
    ]
    with reading(browser, *trials, viewport={"width": size[0], "height": size[1]}) as shown:
        page = shown.page
        page.evaluate(CHARACTERS)
        for position, (name, text) in enumerate(texts.items()):
            page.locator(".reading-text").wait_for()
            if position == 0:
                page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            page.locator(".reading-text:focus").wait_for()
            found: dict[str, list[Any]] = {}
            parts = text.split("|")
            for part in parts:
                page.keyboard.press("ArrowDown")
                shown.draw()
                whole = text.replace("|", " ") if arrangement == "flow" else part
                found[whole] = found.get(whole, []) + page.evaluate(OPENED)
            assert_as_in_plain_text(page, name, found, selector=".reading-text", measure=".reading-bar")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            shown.payload(position)

"""A participant of the Maze task at a keyboard and at a touch screen: choices, errors, and the rows of them."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import EXAMPLES, write_example
from tests.browser.exported import trials_of
from tests.browser.platform import Platform
from tests.browser.typist import Typist
from tests.browser.waiting import press_until, wait_for_screen, wait_until
from tests.selection import only_in_full

# The browser's own account of the key events, taken before the page's.
WITNESS = """
window.witnessed = [];
window.addEventListener("keydown", (event) => {
  if ((event.key === "e" || event.key === "i") && !event.repeat) window.witnessed.push(event.timeStamp);
}, true);
"""
SHOWN = "[...document.querySelectorAll('.maze-word')].map((word) => word.textContent)"
KEYS = {"left": "e", "right": "i"}


def side_of_word(shown: list[str], before: str, texts: list[str]) -> str:
    """Return the side of the word that goes on with what was read, as somebody who reads knows it."""
    for side, word in zip(("left", "right"), shown, strict=True):
        # Whole words: ‘i’ does not begin ‘it was smooth’.
        if any(f"{text} ".startswith(f"{before} {word} ".lstrip()) for text in texts):
            return side
    raise AssertionError(f"Neither of {shown} goes on with ‘{before}’.")


def read(page: Page, texts: list[str], *, err_at: int = 0, touch: bool = False) -> tuple[str, list[list[float]], int]:
    """Read the text that is open, with one wrong choice at a place.

    Returns the text, the times of the keys that were answers by pair, and how many others came before a pair was shown.
    """
    times: list[list[float]] = []
    before = ""
    early = 0
    for number in range(1, 30):
        shown = page.evaluate(SHOWN)
        side = side_of_word(shown, before, texts)
        page.evaluate("window.witnessed = []")
        pressed: list[float] = []
        if number == err_at:
            source = "document.querySelector('.maze-message')?.textContent.includes('does not go on')"
            refused = press_until(page, KEYS["right" if side == "left" else "left"], source)
            page.wait_for_selector("[data-waiting]", state="detached")
            early += refused
            pressed = page.evaluate("window.witnessed")[refused:]
            page.evaluate("window.witnessed = []")
        gone = f"before => !document.querySelector('.sheet[data-seen]') || {SHOWN}.join() !== before"
        refused = 0
        if touch:
            wait_for_screen(page)
            page.locator(".maze-place").nth(0 if side == "left" else 1).tap()
            wait_until(page, gone, arg=",".join(shown))
        else:
            refused = press_until(page, KEYS[side], gone, arg=",".join(shown))
        early += refused
        word = shown[0 if side == "left" else 1]
        before = f"{before} {word}".strip()
        times.append([*pressed, *page.evaluate("window.witnessed")[refused:]])
        if not page.locator(".sheet[data-seen]").count():
            return before, times, early
    raise AssertionError("The text did not end within 30 pairs.")


def texts_of_example() -> list[str]:
    with (EXAMPLES / "maze-agents" / "materials.csv").open(encoding="utf-8", newline="") as file:
        return [row["text"] for row in csv.DictReader(file)]


def test_a_session_at_the_keys_is_exported_with_its_times_and_its_errors(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    slug = "maze-by-keys"
    path = write_example(tmp_path / "study", slug=slug, name="maze-agents")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(WITNESS)
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    texts = texts_of_example()
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    keys: dict[str, list[list[float]]] = {}
    erred: dict[str, int] = {}
    early: dict[str, int] = {}
    answers: dict[str, str] = {}
    last = ""
    for _ in range(150):
        kind = typist.kind()
        if kind == "page":
            break
        if kind == "maze":
            typist.mark()
            wait_until(page, f"{SHOWN}.join('') !== ''")
            err_at = 3 if len(keys) % 4 == 1 else 0
            last, keys_of_text, refused = read(page, texts, err_at=err_at)
            keys[last], erred[last], early[last] = keys_of_text, err_at, refused
        elif kind == "maze-question":
            choices = page.locator(".choice span:last-child").all_inner_texts()
            choice = len(answers) % 2
            answers[last] = choices[choice]
            typist.mark()
            page.keyboard.press(str(choice + 1))
        else:
            typist.answer("5")
    expect(page.get_by_text("MAZE-EXAMPLE")).to_be_visible()
    context.close()

    assert problems == []
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "maze"]
    assert {row["text"] for row in rows} == set(keys)
    assert len(rows) == 3 + 20 + 10
    with (tmp_path / "data" / "regions.csv").open(encoding="utf-8", newline="") as file:
        by_position = defaultdict(list)
        for region in csv.DictReader(file):
            by_position[region["position"]].append(region)
    left = total = 0
    for row in rows:
        own, pressed, err_at = by_position[row["position"]], keys[row["text"]], erred[row["text"]]
        assert " ".join(region["region_text"] for region in own) == row["text"]
        assert (row["completed"], row["errors"]) == ("true", str(int(err_at > 0)))
        assert row["early_presses"] == str(early[row["text"]])
        assert [region["tries"] for region in own] == [str(len(times)) for times in pressed]
        assert [region["correct"] for region in own] == [
            str(place != err_at).lower() for place in range(1, len(own) + 1)
        ]
        # The times of the events themselves, to the tenth of a millisecond that is exported.
        begun = pressed[0][0] - float(own[0]["rt_ms"])
        for region, times in zip(own, pressed, strict=True):
            onset = begun + float(region["onset_ms"])
            assert float(region["rt_ms"]) == pytest.approx(times[0] - onset, abs=0.2)
            assert float(region["total_ms"]) == pytest.approx(times[-1] - onset, abs=0.2)
            assert region["input"] == "key"
        assert row["question_answer"] == answers.get(row["text"], "")
        left += sum(region["side"] == "left" for region in own)
        total += len(own)
    assert abs(2 * left - total) <= 2
    assert sum(place > 0 for place in erred.values()) == 8
    platform.manage("check_data", slug)


@pytest.mark.parametrize("language", ["de", only_in_full("a page that axe objects to in English alone", "en")])
def test_a_telephone_touches_the_words_and_axe_finds_nothing(
    platform: Platform, browser: Browser, tmp_path: Path, language: str
) -> None:
    slug = f"maze-by-touch-{language}"
    changes = {"language": f'"{language}"', "after_error": '"end"'}
    path = write_example(tmp_path, slug=slug, name="maze-agents", changes=changes)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(viewport={"width": 375, "height": 700}, has_touch=True)
    context.add_init_script(WITNESS)
    page = context.new_page()
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    while typist.kind() != "maze":
        typist.answer("5")
    rules = [*WCAG, "best-practice"]
    wait_until(page, f"{SHOWN}.join('') !== ''")
    found = violations(page, "a pair", rules)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    places = (
        "[...document.querySelectorAll('.maze-place')].map((place) => JSON.stringify(place.getBoundingClientRect()))"
    )
    before = page.evaluate(places)
    typist.mark()
    texts = texts_of_example()
    first = page.evaluate(SHOWN)
    right = side_of_word(first, "", texts)
    page.locator(".maze-place").nth(0 if right == "left" else 1).tap()
    wait_until(page, f"before => {SHOWN}.join() !== before", arg=",".join(first))
    assert page.evaluate(places) == before
    shown = page.evaluate(SHOWN)
    wrong = 1 if side_of_word(shown, first[0 if right == "left" else 1], texts) == "left" else 0
    page.locator(".maze-place").nth(wrong).tap()
    page.locator(".maze-ended").wait_for()
    button = page.locator(".maze-ended button")
    expect(button).to_be_enabled()
    found += violations(page, "ended", rules)
    typist.mark()
    button.tap()
    assert typist.kind() == "maze"
    wait_until(page, f"{SHOWN}.join('') !== ''")
    page.wait_for_timeout(400)  # sooner, a tap would be the second one of a double tap
    typist.mark()
    read(page, texts, touch=True)
    context.close()
    assert found == []

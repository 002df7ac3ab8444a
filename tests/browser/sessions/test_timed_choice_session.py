"""A participant of a timed choice at the keys, and one with a finger: what is stored is what was pressed."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.exported import trials_of
from tests.browser.platform import Platform
from tests.browser.typist import Typist
from tests.browser.waiting import wait_for_screen
from tests.selection import only_in_full

pytestmark = pytest.mark.timing

# The browser's own account of presses, taken before the page's.
WITNESS = """
window.witnessed = [];
window.addEventListener("keydown", (event) => {
  if (!event.repeat) window.witnessed.push({ key: event.key, time: event.timeStamp });
}, true);
"""
TARGET = ".sheet.timed-choice:not([data-seen]) .choice-text.target"
QUICK = {"fixation_ms": "100", "forward_mask_ms": "100", "iti_ms": "50"}


def answers_on(page: Page) -> dict[str, str]:
    """Return which key means which answer, as the page says."""
    labels = page.locator(".choice-answer").all_inner_texts()
    return {key.lower(): word for word, key in (label.split() for label in labels)}


def practise_until_main(typist: Typist, kinds: set[str]) -> None:
    while typist.kind() not in kinds:
        typist.answer("5")


def test_a_session_at_the_keys_is_exported_with_the_keys_and_times_of_its_events(
    platform: Platform, chromium: Browser, tmp_path: Path
) -> None:
    slug = "choice-by-keys"
    path = write_example(tmp_path / "study", slug=slug, name="masked-priming", changes=QUICK)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(WITNESS)
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    typist = Typist(page)
    page.goto(f"{platform.base_url}/s/{slug}/")
    typist.press_button("#landing [data-next]")
    page.locator("#check").wait_for()
    page.wait_for_timeout(300)
    page.keyboard.press("Space")
    typist.pass_check()
    pressed: dict[str, dict[str, Any]] = {}
    for _ in range(150):
        kind = typist.kind()
        if kind == "page":
            break
        if kind != "timed-choice":
            typist.answer("5")
            continue
        keys = answers_on(page)
        page.evaluate("window.witnessed = []")
        target = page.locator(TARGET)
        target.wait_for()
        text = target.inner_text()
        key = "f" if len(pressed) % 3 else "J"
        # Marked before the key is pressed: the next trial may be there at once.
        typist.mark()
        page.keyboard.press(key)
        pressed[text] = {**page.evaluate("window.witnessed[0]"), "choice": keys[key.lower()], "keys": keys}
    expect(page.get_by_text("PRIMING-EXAMPLE")).to_be_visible()
    context.close()

    assert problems == []
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "timed-choice"]
    assert len(rows) == 4 + 24 + 24
    assert {row["text"] for row in rows} == set(pressed)
    with (tmp_path / "data" / "displays.csv").open(encoding="utf-8", newline="") as file:
        displays = defaultdict(list)
        for row in csv.DictReader(file):
            displays[row["position"]].append(row)
    for row in rows:
        press = pressed[row["text"]]
        assert (row["choice"], row["answered_by"], row["timed_out"]) == (press["choice"], "key", "false")
        assert row["side"] == ("left" if press["key"].lower() == "f" else "right")
        assert row["correct"] == str(row["choice"] == row["right_answer"]).lower()
        # To the tenth of a millisecond that is exported, the time of the event itself.
        assert float(row["onset_ms"]) + float(row["rt_ms"]) == pytest.approx(press["time"], abs=0.11)
        own = displays[row["position"]]
        assert [display["kind"] for display in own] == ["fixation", "forward_mask", "prime"]
        assert [float(display["planned_ms"]) for display in own] == [100, 100, 50]
        assert row["prime_flagged"] == own[2]["display_flagged"]
        assert float(row["prime_ms"]) == float(own[2]["shown_ms"])
        assert len(own[2]["display_text"]) == len(own[1]["display_text"]) == len(row["text"])
    assert len({row["mapping"] for row in rows}) == 1
    platform.manage("check_data", slug)


@pytest.mark.full("fingers of timed choices; those of Maze and comparisons are always tested")
@pytest.mark.parametrize("language", ["de", only_in_full("a page that axe objects to in English alone", "en")])
def test_fingers_answer_on_a_telephone_and_axe_finds_nothing(
    platform: Platform, chromium: Browser, tmp_path: Path, language: str
) -> None:
    slug = f"choice-by-touch-{language}"
    changes = {"language": f'"{language}"', "iti_ms": "50"}
    path = write_example(tmp_path / "study", slug=slug, name="lexical-decision", changes=changes)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = chromium.new_context(viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True)
    page = context.new_page()
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    practise_until_main(typist, {"timed-choice"})
    given: list[tuple[str, str]] = []
    found: list[Any] = []
    for number in range(6):
        assert typist.kind() == "timed-choice"
        target = page.locator(TARGET)
        target.wait_for()
        text = target.inner_text()
        if number == 0:
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            sizes = [box["height"] for each in page.locator(".choice-answer").all() if (box := each.bounding_box())]
            assert min(sizes) >= 90, "thumbs need room"
        button = page.locator(".choice-answer").nth(number % 2)
        given.append((text, button.locator("span").inner_text()))
        # Feedback leaves the page there for a while.
        button.tap()
        if number == 0:
            expect(page.locator(".timed-choice .verdict")).not_to_be_empty()
            found = violations(page, "feedback", [*WCAG, "best-practice"])
        typist.mark()
    assert typist.kind() == "timed-choice"
    context.close()
    assert found == []
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "timed-choice"]
    stored = [(row["text"], row["choice"]) for row in rows if row["choice"]]
    assert stored == given
    assert {row["answered_by"] for row in rows if row["choice"]} == {"button"}


@pytest.mark.full("a reload within a timed trial; one of recall and one of judgements are tested always")
def test_a_reload_within_a_trial_shows_it_again_and_marks_it(
    platform: Platform, chromium: Browser, tmp_path: Path
) -> None:
    slug = "choice-reloaded"
    path = write_example(tmp_path / "study", slug=slug, name="lexical-decision", changes={"iti_ms": "50"})
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    practise_until_main(typist, {"timed-choice"})
    page.locator(TARGET).wait_for()
    text = page.locator(TARGET).inner_text()
    page.reload()
    page.locator(TARGET).wait_for()
    assert page.locator(TARGET).inner_text() == text
    typist.mark()
    page.keyboard.press("j")
    assert typist.kind() == "timed-choice"
    page.close()
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["text"] == text]
    assert [(row["interrupted"], row["answered"]) for row in rows] == [("true", "true")]


def test_in_go_no_go_pressing_nothing_is_an_answer(platform: Platform, chromium: Browser, tmp_path: Path) -> None:
    slug = "go-no-go"
    changes = {"answers": '"word | j"\nwithheld = true', "deadline_ms": "1200", "iti_ms": "50", "iti_jitter_ms": "0"}
    path = write_example(tmp_path / "study", slug=slug, name="lexical-decision", changes=changes | {"break_every": "0"})
    materials = path.parent / "materials.csv"
    lines = materials.read_text(encoding="utf-8").replace(",nonword,", ",no-go,").splitlines()
    words = [line for line in lines[1:] if not line.startswith("p-") and ",no-go," not in line]
    nonwords = [line for line in lines[1:] if not line.startswith("p-") and ",no-go," in line]
    practice = [line for line in lines[1:] if line.startswith("p-")]
    materials.write_text("\n".join([lines[0], *practice, *words[:6], *nonwords[:6]]) + "\n", encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    pressed: dict[str, bool] = {}
    verdicts: dict[str, str] = {}
    instructions = ""
    for _ in range(60):
        kind = typist.kind()
        if kind == "page":
            break
        if kind != "timed-choice":
            instructions += page.locator("#lectern .sheet").inner_text()
            typist.answer("5")
            continue
        target = page.locator(TARGET)
        target.wait_for()
        text = target.inner_text()
        is_practice = len(pressed) < len(practice)
        # Every second one is answered, whatever it is.
        pressed[text] = len(pressed) % 2 == 0
        sheet = page.locator("#lectern .sheet").first
        sheet.evaluate("sheet => { sheet.dataset.seen = 'yes'; }")
        if pressed[text]:
            wait_for_screen(page)
            page.keyboard.press("j")
        if is_practice:
            verdict = page.locator(".timed-choice[data-seen] .verdict")
            expect(verdict).not_to_be_empty()
            verdicts[text] = verdict.inner_text()
    assert "press nothing and wait" in instructions
    page.close()
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "timed-choice"]
    assert {row["text"]: row["choice"] == "word" for row in rows} == pressed
    for row in rows:
        was_pressed = pressed[row["text"]]
        assert (row["choice"], row["timed_out"]) == (("word", "false") if was_pressed else ("", "true"))
        assert row["correct"] == str(was_pressed == (row["right_answer"] == "word")).lower()
        assert row["right_answer"] in ("word", "none")
    said = {row["text"]: (row["correct"], row["choice"]) for row in rows}
    for text, told in verdicts.items():
        expected = {
            ("true", "word"): "Right",
            ("true", ""): "Right",
            ("false", "word"): "Wrong",
            ("false", ""): "Too late",
        }
        assert told == expected[said[text]]
    assert len(verdicts) == len(practice)
    platform.manage("check_data", slug)

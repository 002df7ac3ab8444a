"""A participant of self-paced reading at a space bar: regions in turn, with the times of the key events."""

from __future__ import annotations

import csv
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.exported import trials_of
from tests.browser.languages_and_widths import in_languages_at_widths
from tests.browser.platform import Platform
from tests.browser.typist import Typist
from tests.browser.waiting import wait_for_screen, wait_until

pytestmark = pytest.mark.timing

# The browser's own account of the key events, taken before the page's.
WITNESS = """
window.witnessed = [];
window.addEventListener("keydown", (event) => {
  if (event.key === " " && !event.repeat) window.witnessed.push(event.timeStamp);
}, true);
"""
SHOWN = "[...document.querySelectorAll('.sheet .word:not(.covered)')].map((word) => word.textContent).join(' ')"


def begin(page: Page, url: str) -> Typist:
    """Walk to the first trial; the check of the computer asks for the space bar."""
    typist = Typist(page)
    page.goto(url)
    typist.press_button("#landing [data-next]")
    page.locator("#check").wait_for()
    page.wait_for_timeout(300)
    page.keyboard.press("Space")
    typist.pass_check()
    return typist


def read(page: Page) -> tuple[list[str], list[float]]:
    """Read the text that is open; return its regions as they came up, and the times of the presses."""
    page.evaluate("window.witnessed = []")
    regions: list[str] = []
    before = ""
    for _ in range(40):
        wait_for_screen(page)
        page.keyboard.press("Space")
        wait_until(page, f"before => !document.querySelector('.sheet[data-seen]') || {SHOWN} !== before", arg=before)
        if not page.locator(".sheet[data-seen]").count():
            return regions, page.evaluate("window.witnessed")
        before = page.evaluate(SHOWN)
        regions.append(before)
    raise AssertionError("The text did not end within 40 presses.")


def test_a_session_at_the_space_bar_is_exported_with_the_times_of_its_key_events(
    platform: Platform, chromium: Browser, tmp_path: Path
) -> None:
    slug = "self-paced-by-keys"
    path = write_example(tmp_path / "study", slug=slug, name="relative-clauses")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(WITNESS)
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    typist = begin(page, f"{platform.base_url}/s/{slug}/")
    presses: dict[str, list[float]] = {}
    regions: dict[str, list[str]] = {}
    answers: dict[str, str] = {}
    last = ""
    for _ in range(150):
        kind = typist.kind()
        if kind == "page":
            break
        if kind == "self-paced-reading":
            typist.mark()
            seen, times = read(page)
            last = " ".join(seen)
            regions[last], presses[last] = seen, times
        elif kind == "self-paced-question":
            choices = page.locator(".choice span:last-child").all_inner_texts()
            choice = len(answers) % 2
            answers[last] = choices[choice]
            typist.mark()
            page.keyboard.press(str(choice + 1))
        else:
            typist.answer("5")
    expect(page.get_by_text("READING-EXAMPLE")).to_be_visible()
    context.close()

    assert problems == []
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "self-paced-reading"]
    assert {row["text"] for row in rows} == set(regions)
    assert len(rows) == 3 + 24 + 12
    with (tmp_path / "data" / "regions.csv").open(encoding="utf-8", newline="") as file:
        by_position = defaultdict(list)
        for row in csv.DictReader(file):
            by_position[row["position"]].append(row)
    for row in rows:
        own = by_position[row["position"]]
        times = presses[row["text"]]
        assert [region["region_text"] for region in own] == regions[row["text"]]
        # To the tenth of a millisecond that is exported, the times of the events themselves.
        differences = [later - earlier for earlier, later in pairwise(times)]
        assert [float(region["rt_ms"]) for region in own] == pytest.approx(differences, abs=0.06)
        assert float(row["total_ms"]) == pytest.approx(times[-1] - times[0], abs=0.06)
        assert all(float(region["onset_ms"]) >= 0 for region in own)
        assert row["question_answer"] == answers.get(row["text"], "")
        assert (row["question_correct"] in {"true", "false"}) == (row["text"] in answers)
        if row["clause"]:
            assert [region["from_critical"] for region in own] == ["-2", "-1", "0", "1", "2"]
    assert {row["question_correct"] for row in rows} == {"true", "false", ""}
    platform.manage("check_data", slug)


@pytest.mark.parametrize("window", ["moving", "cumulative", "centred"])
def test_nothing_of_a_text_moves_while_it_is_read_and_nothing_covered_is_in_the_page(
    platform: Platform, chromium: Browser, tmp_path: Path, window: str
) -> None:
    slug = f"self-paced-{window}"
    path = write_example(tmp_path, slug=slug, name="relative-clauses", changes={"window": f'"{window}"'})
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    typist = begin(page, f"{platform.base_url}/s/{slug}/")
    while typist.kind() != "self-paced-reading":
        typist.answer("5")
    places = "[...document.querySelectorAll('.window .word')].map((word) => word.getBoundingClientRect().x)"
    covered = page.evaluate(places)
    assert "kettle" not in page.locator("#trial").inner_text()
    wait_for_screen(page)
    page.keyboard.press("Space")
    page.get_by_text("kettle").wait_for()
    if window != "centred":
        assert page.evaluate(places) == pytest.approx(covered, abs=0.5)
    wait_for_screen(page)
    page.keyboard.press("Space")
    page.get_by_text("whistle").wait_for()
    assert ("kettle" in page.locator("#trial").inner_text()) == (window == "cumulative")
    page.close()


@in_languages_at_widths
def test_axe_finds_nothing_before_while_and_after_reading(
    platform: Platform, chromium: Browser, tmp_path: Path, language: str, width: int, height: int
) -> None:
    slug = f"self-paced-axe-{language}-{width}"
    path = write_example(tmp_path, slug=slug, name="relative-clauses", changes={"language": f'"{language}"'})
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = chromium.new_page(viewport={"width": width, "height": height})
    typist = begin(page, f"{platform.base_url}/s/{slug}/")
    while typist.kind() != "self-paced-reading":
        typist.answer("5")
    rules = [*WCAG, "best-practice"]
    found = violations(page, "covered", rules)
    page.locator(".window").click()
    expect(page.locator(".self-paced-reading [role=alert]")).not_to_be_empty()
    found += violations(page, "after a click", rules)
    wait_for_screen(page)
    page.keyboard.press("Space")
    page.get_by_text("kettle").wait_for()
    found += violations(page, "a region", rules)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    typist.mark()
    read(page)
    page.locator(".self-paced-question").wait_for()
    found += violations(page, "question", rules)
    page.close()
    assert found == []


def test_regions_that_come_by_themselves_are_shown_for_their_time(
    platform: Platform, chromium: Browser, tmp_path: Path
) -> None:
    slug = "self-paced-by-itself"
    path = write_example(tmp_path / "study", slug=slug, name="relative-clauses", changes={"window": '"rsvp"'})
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    typist = begin(page, f"{platform.base_url}/s/{slug}/")
    while typist.kind() != "self-paced-reading":
        typist.answer("5")
    assert violations(page, "before it begins", [*WCAG, "best-practice"]) == []
    typist.mark()
    page.keyboard.press("Space")
    page.locator(".self-paced-question").wait_for()
    wait_for_screen(page)
    page.keyboard.press("1")
    typist.kind()
    page.close()
    platform.manage("export_data", slug, "--out", str(tmp_path / "data"))
    with (tmp_path / "data" / "regions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["region_text"] for row in rows] == [
        "The kettle",
        "began to whistle",
        "before",
        "the guests",
        "sat down.",
    ]
    assert {row["rt_ms"] for row in rows} == {""}
    for row in rows:
        # What a busy machine shows too long or too short is flagged.
        assert abs(float(row["shown_ms"]) - 300) < 20 or row["display_flagged"] == "true"


def test_a_question_has_keys_a_fixed_order_feedback_in_practice_and_a_deadline(
    platform: Platform, chromium: Browser, tmp_path: Path
) -> None:
    slug = "reading-with-keys"
    path = write_example(tmp_path / "study", slug=slug, name="relative-clauses", changes={"break_every": "0"})
    rules = 'question_keys = "f j"\nquestion_order = "fixed"\nquestion_feedback_in_practice = true\n'
    text = path.read_text(encoding="utf-8").replace(
        "break_every = 0", f"break_every = 0\n{rules}question_deadline_ms = 1500"
    )
    path.write_text(text, encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    typist = begin(page, f"{platform.base_url}/s/{slug}/")
    choices: dict[str, list[str]] = {}
    verdicts: list[str] = []
    missed = ""
    for _ in range(60):
        kind = typist.kind()
        if kind == "self-paced-reading":
            typist.mark()
            read(page)
        elif kind == "self-paced-question":
            prompt = page.locator("#question-prompt").inner_text()
            labels = [each.split("\n") for each in page.locator("button.choice").all_inner_texts()]
            choices[prompt] = [label[-1] for label in labels]
            typist.mark()
            if len(verdicts) == 2 and not missed:
                missed = prompt
                page.locator("#question-prompt").wait_for(state="detached", timeout=10_000)
                break
            page.keyboard.press("j")
            if len(verdicts) < 2:
                said = page.locator(".self-paced-question [role=status]")
                expect(said).not_to_be_empty()
                verdicts.append(said.inner_text())
        else:
            typist.answer("5")
    page.close()
    rows = {row["question"]: row for row in trials_of(platform, slug, tmp_path / "data") if row["question"]}
    assert set(rows) <= set(choices)
    for prompt, row in rows.items():
        assert row["question_answer"] == ("" if prompt == missed else choices[prompt][1])
        assert (row["question_correct"], row["question_ms"] == "") == ("", True) or prompt != missed
    of_practice = [rows[prompt]["question_correct"] for prompt in list(choices)[:2]]
    assert verdicts == [{"true": "Right", "false": "Wrong"}[correct] for correct in of_practice]

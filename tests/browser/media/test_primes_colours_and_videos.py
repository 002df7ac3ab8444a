"""Pictures as primes, words in colours, and videos, in Chromium: what is on the screen, and when."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from tests.browser.example_studies import EXAMPLES, write_example
from tests.browser.exported import trials_of
from tests.browser.media.picture_study import begin
from tests.browser.platform import Platform
from tests.browser.waiting import wait_for_screen, wait_until

pytestmark = pytest.mark.timing

TARGET = ".timed-choice:not([data-seen]) .choice-text.target"
INK = (38, 70, 110)
# What a page ever wrote into the spot of the displays, and the pictures that it put there.
WITNESS = """
window.written = []; window.pictured = [];
new MutationObserver(() => {
  const spot = document.querySelector(".choice-spot");
  if (spot?.textContent) window.written.push(spot.textContent);
  const picture = spot?.querySelector("img");
  if (picture && window.pictured.at(-1) !== picture) window.pictured.push(picture);
}).observe(document, { childList: true, subtree: true });
"""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1000, "height": 800})
    context.add_init_script(WITNESS)
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


def start(platform: Platform, page: Page, folder: Path, name: str, first: str, **changes: str) -> str:
    """Open an example under an address of its own, and go to its first trial; return the address."""
    slug = f"{name}-shown"
    path = write_example(folder / "study", slug=slug, name=name, changes=changes)
    table = folder / "study" / "materials.csv"
    # Primes of practice stay long enough for a screenshot.
    table.write_text(
        re.sub(r"(?m)^(p-.*\.png,)100,", r"\g<1>2000,", table.read_text(encoding="utf-8")), encoding="utf-8"
    )
    platform.manage("create_study", str(path), "--owner", "researcher", "--open", "--accept-warnings")
    begin(page, f"{platform.base_url}/s/{slug}/")
    while not page.locator(first).count():
        page.locator("button.primary:visible").first.click()
        page.wait_for_timeout(100)
    return slug


def materials(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((EXAMPLES / name / "materials.csv").open(encoding="utf-8")))


def has_colour(place: Locator, colour: tuple[int, ...]) -> bool:
    """Return whether a screenshot of a part of the page has points of this colour."""
    picture = Image.open(io.BytesIO(place.screenshot(animations="allow"))).convert("RGB")
    return any(found == colour for _count, found in picture.getcolors(picture.width * picture.height) or [])


def answer(page: Page, word: str) -> None:
    """Press the button of an answer once the target is on the screen."""
    wait_for_screen(page)
    page.locator(".timed-choice").evaluate("sheet => { sheet.dataset.seen = 'yes'; }")
    page.locator(".choice-answer", has_text=word).dispatch_event("pointerdown", {"button": 0})


def displays_of(platform: Platform, slug: str, folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(next(folder.rglob("displays.csv")).open(encoding="utf-8-sig")))


def test_a_picture_is_the_prime_for_its_time_and_its_name_is_never_a_word(
    platform: Platform, page: Page, tmp_path: Path
) -> None:
    slug = start(platform, page, tmp_path, "picture-priming", ".timed-choice", fixation_ms="100", deadline_ms="0")
    right = {row["text"]: row["answer_labels"].split(" | ") for row in materials("picture-priming")}
    n_trials = len(materials("picture-priming"))
    for trial in range(n_trials):
        target = page.locator(TARGET)
        if trial < 2:
            page.locator(".choice-spot img").wait_for()
            assert has_colour(page.locator(".choice-spot"), INK)
        target.wait_for()
        word = target.inner_text()
        assert sorted(text.split()[0] for text in page.locator(".choice-answer").all_inner_texts()) == sorted(
            right[word]
        )
        answer(page, word)
    page.get_by_text("PRIMES-EXAMPLE").wait_for()
    written, pictured = page.evaluate("[window.written, window.pictured.length]")
    assert pictured == n_trials
    assert not any("png" in text for text in written)
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "timed-choice"]
    assert all(row["answer_label"] == row["text"] and row["correct"] == "true" for row in rows)
    planned = {"short": 100, "long": 400, "": 2_000}
    for row in rows:
        # A busy machine shows a display too long, and says so.
        assert abs(float(row["prime_soa_ms"]) - planned[row["soa"]]) < 30 or row["prime_flagged"] == "true"
    shown = [row for row in displays_of(platform, slug, tmp_path / "data") if row["kind"] == "prime"]
    assert {row["display_file"] for row in shown} == {row["prime"] for row in materials("picture-priming")}
    assert all(row["display_text"] == "" and float(row["display_onset_ms"]) < 0 for row in shown)


def test_words_are_painted_in_the_colours_and_sizes_of_their_rows(
    platform: Platform, page: Page, tmp_path: Path
) -> None:
    slug = start(platform, page, tmp_path, "stroop", ".timed-choice", iti_ms="50", deadline_ms="0")
    named = {row["text_colour"]: row["correct"] for row in materials("stroop")}
    # As the style of the page has it, in a window of 1000 pixels.
    usual = page.evaluate("1.2 * parseFloat(getComputedStyle(document.documentElement).fontSize) + 14")
    for trial in range(len(materials("stroop"))):
        target = page.locator(TARGET)
        target.wait_for()
        colour, size = target.evaluate("word => [getComputedStyle(word).color, getComputedStyle(word).fontSize]")
        red, green, blue = (int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
        if trial < 3:
            wait_for_screen(page)
            assert has_colour(target, (red, green, blue))
            assert float(size.removesuffix("px")) == pytest.approx(1.2 * usual)
        answer(page, named[f"#{red:02x}{green:02x}{blue:02x}"])
    page.get_by_text("STROOP-EXAMPLE").wait_for()
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "timed-choice"]
    assert [row["correct"] for row in rows] == ["true"] * len(materials("stroop"))


def test_videos_play_from_memory_with_their_trial_and_their_onset_is_measured(
    platform: Platform, page: Page, tmp_path: Path
) -> None:
    slug = start(platform, page, tmp_path, "moving-shapes", "video")
    for _video in range(len(materials("moving-shapes"))):
        video = page.locator(".sheet:not([data-seen]) video")
        video.wait_for()
        assert video.evaluate("v => [v.src.startsWith('blob:'), v.muted, v.autoplay, v.playsInline]") == [
            True, True, False, True,
        ]  # fmt: skip
        wait_until(page, "() => document.querySelector('video')?.ended")
        page.locator(".sheet").evaluate("sheet => { sheet.dataset.seen = 'yes'; }")
        page.keyboard.press("5")
        page.keyboard.press("Enter")
    page.get_by_text("MOVING-EXAMPLE").wait_for()
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "rating"]
    assert len(rows) == len(materials("moving-shapes"))
    for row in rows:
        assert row["video_ended"] == "true"
        assert -100 < float(row["video_onset_ms"]) < 1_000
        assert float(row["rt_ms"]) > float(row["video_onset_ms"]) + 1_000

"""What opens under a pointer whose times are known, and what of it is recorded."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest
from playwright.sync_api import Browser

from experiments.paradigms.mouse_contingent_reading.visits import path_agrees
from tests.browser.mouse_contingent_reading.reading_rig import SENTENCES, ReadingRig, areas_of, params_of, reading
from tests.selection import only_in_full

pytestmark = pytest.mark.timing

WORDS = " ".join(SENTENCES).split()
CLAUSES = (
    "Two masked men entered the branch of the savings bank",
    "shortly before noon,",
    "threatened the cashier with a pistol and demanded",
    "that she open the safe,",
    "although it was known to be empty.",
)
UNITS: dict[str, dict[str, Any]] = {
    "sentence": {},
    "clause": {"unit": "clause", "arrangement": "flow", "areas": areas_of(CLAUSES)},
    "word": {"unit": "word", "arrangement": "flow", "areas": areas_of(WORDS)},
}

# Notes at every single change of the page which areas are clear, and what text the page then holds.
WATCH = """() => {
  const open = new Set();
  window.watched = {changes: 0, most: 0, both: [], strangers: []};
  const areasIn = (nodes) => [...nodes].filter((node) => node.dataset?.aoi);
  new MutationObserver((records) => {
    for (const record of records) {
      for (const area of areasIn(record.removedNodes)) open.delete(area);
      for (const area of areasIn(record.addedNodes)) open.add(area);
      const areas = new Set([...open].map((area) => area.dataset.aoi));
      watched.changes += 1;
      watched.most = Math.max(watched.most, areas.size);
      if (areas.size > 1) watched.both.push([...areas]);
    }
    const shown = document.querySelector('.reading-text').textContent.replaceAll(/\\s/g, '');
    const expected = [...open].map((area) => area.textContent).join('').replaceAll(/\\s/g, '');
    if (shown !== expected) watched.strangers.push(shown);
  }).observe(document.getElementById('lectern'), {childList: true, subtree: true});
}"""


def expected_visits(
    samples: list[tuple[float, float, float]], boxes: list[list[int]]
) -> list[tuple[int, float, float]]:
    """Return area, entry and leave that follow from the driver's own (time, x, y)."""
    visits: list[tuple[int, float, float]] = []
    current, entered = 0, 0.0
    for at, x, y in samples:
        hit = next((box[0] for box in boxes if box[1] <= x < box[1] + box[3] and box[2] <= y < box[2] + box[4]), 0)
        if hit != current:
            if current:
                visits.append((current, entered, at))
            current, entered = hit, at
    assert current == 0, "the path of a test ends outside of the text"
    return visits


def walk(shown: ReadingRig, places: list[tuple[float, float]], *, step_ms: float) -> list[tuple[float, float, float]]:
    """Send the pointer through places of the text, one every so many milliseconds; return times since the epoch."""
    began = time.time()
    samples = []
    for number, (x, y) in enumerate(places):
        at = began + number * step_ms / 1000
        shown.move_to(x, y, at=at)
        samples.append((at * 1000, x, y))
    # The page has handled an input when the next one is acknowledged; Done must come later than all of them.
    shown.page.wait_for_timeout(max(0.0, (samples[-1][0] / 1000 - time.time()) * 1000) + 50)
    return samples


@pytest.mark.parametrize(
    "unit",
    ["word", *(only_in_full("visits that are lost for this unit alone", unit) for unit in UNITS if unit != "word")],
)
def test_visits_are_recovered_within_two_milliseconds_of_the_driver_s_own_times(chromium: Browser, unit: str) -> None:
    chance = random.Random(unit)
    with reading(chromium, params_of(record_path=True, **UNITS[unit])) as shown:
        shown.start()
        height = shown.page.locator(".reading-text").evaluate("text => text.offsetHeight")
        # Down through the text, back up into it, down again, in and out at the side.
        down = [(60 + 30 * (step % 20), -20 + step * (height + 40) / 45) for step in range(45)]
        side = [(x, height / 2) for x in (300, 100, 5, -15, 20, 400, 690, 780)]
        places = [*down, *side, *reversed(down), *side, (300, -30)]
        samples = walk(shown, places, step_ms=37 + 6 * chance.random())
        origin = shown.page.evaluate("performance.timeOrigin")
        payload = shown.finish()
        result = shown.results[0]

        onset = origin + result["onset_ms"]
        [layout] = payload["layouts"]
        # The pointer then goes on to Done; the path of the test had ended above the text.
        within = [visit for visit in payload["visits"] if onset + visit[1] <= samples[-1][0] + 1]
        expected = expected_visits(samples, layout["boxes"])
        assert [visit[0] for visit in within] == [aoi for aoi, _enter, _leave in expected]
        assert len(expected) > 7
        for visit, (_aoi, enter, leave) in zip(within, expected, strict=True):
            assert abs(onset + visit[1] - enter) <= 2
            assert abs(onset + visit[2] - leave) <= 2
        assert path_agrees(payload["visits"], shown.events[0], payload["layouts"]) is True


def test_places_between_two_updates_of_the_page_keep_their_own_times(chromium: Browser) -> None:
    with reading(chromium, params_of(record_path=True)) as shown:
        shown.start()
        times = shown.page.evaluate(
            """() => {
              const corner = document.querySelector('.reading-text').getBoundingClientRect();
              const heights = [50, 150, 250];
              const places = heights.map((y) => {
                const started = performance.now();
                while (performance.now() - started < 4);
                return new PointerEvent('pointermove', {
                  pointerType: 'mouse', clientX: corner.x + 80, clientY: corner.y + y});
              });
              const all = {pointerType: 'mouse', bubbles: true, clientX: corner.x + 80, clientY: corner.y + 250};
              document.body.dispatchEvent(new PointerEvent('pointermove', {...all, coalescedEvents: places}));
              return places.map((place) => place.timeStamp);
            }"""
        )
        assert shown.open_areas == ["3"]
        payload = shown.finish()
        onset = shown.results[0]["onset_ms"]
        assert [(aoi, reason) for aoi, _enter, _leave, reason in payload["visits"]] == [
            (1, "passed"),
            (2, "passed"),
            (3, "moved"),
        ]
        for visit, at in zip(payload["visits"], times, strict=True):
            assert abs(visit[1] + onset - at) <= 0.1
        assert path_agrees(payload["visits"], shown.events[0], payload["layouts"]) is True


@pytest.mark.full("areas that open together, or lines that break elsewhere, for one unit and mask alone")
@pytest.mark.parametrize(
    ("unit", "mask"),
    [("sentence", "bar"), ("clause", "bar"), ("word", "bar"), ("word", "dashes"), ("sentence", "blur")],
)
def test_never_are_two_areas_open_whatever_the_pointer_does(chromium: Browser, unit: str, mask: str) -> None:
    chance = random.Random(f"{unit} {mask}")
    with reading(chromium, params_of(mask=mask, **UNITS[unit])) as shown:
        shown.start()
        shown.page.evaluate(WATCH)
        height = shown.page.locator(".reading-text").evaluate("text => text.offsetHeight")
        x, y = 300.0, 20.0
        for _ in range(150):
            x = min(800, max(-40, x + chance.gauss(0, 120)))
            y = min(height + 30, max(-30, y + chance.gauss(0, 60)))
            shown.move_to(x, y)
            if chance.random() < 0.03:
                shown.page.mouse.wheel(0, chance.choice([-60, 60]))
        watched = shown.page.evaluate("window.watched")
        assert watched["both"] == []
        assert watched["most"] == 1
        assert watched["strangers"] == []
        assert watched["changes"] > 30
        payload = shown.finish()
        before = 0.0
        for _aoi, enter, leave, _reason in payload["visits"]:
            assert before <= enter <= leave
            before = leave


@pytest.mark.parametrize("mask", ["bar", "dashes", "blur"])
def test_text_under_the_mask_is_not_on_the_page(chromium: Browser, mask: str) -> None:
    with reading(chromium, params_of(mask=mask)) as shown:
        holds = "text => document.documentElement.outerHTML.includes(text)"
        assert not shown.page.evaluate(holds, "masked men")
        shown.start()
        shown.move_to(100, 130)
        assert shown.open_areas == ["2"]
        assert shown.page.evaluate(holds, "threatened the cashier")
        assert not shown.page.evaluate(holds, "masked men")
        assert not shown.page.evaluate(holds, "hidden behind")
        assert not shown.page.evaluate("window.find('hidden')")
        shown.page.keyboard.press("Control+a")
        shown.page.keyboard.press("Control+c")
        assert "threatened" not in shown.page.evaluate("getSelection().toString()")
        shown.page.keyboard.press("Control+f")
        payload = shown.finish()
        assert payload["copy_attempts"] >= 3


@pytest.mark.full("areas that open together, or lines that break elsewhere, for one unit and mask alone")
def test_lines_break_at_the_same_words_in_every_window_that_is_wide_enough(chromium: Browser) -> None:
    lines = []
    for width, ratio in ((900, 1), (1280, 1), (1600, 2)):
        context: dict[str, Any] = {"viewport": {"width": width, "height": 800}, "device_scale_factor": ratio}
        with reading(chromium, **context) as shown:
            shown.start()
            shown.move_to(100, 130)
            lines.append(shown.page.locator(".reading-line").all_inner_texts())
            payload = shown.finish()
            assert payload["layouts"][0]["font_loaded"] is True
    assert len(lines[0]) == 2
    assert lines[0] == lines[1] == lines[2]


def test_a_font_that_does_not_come_is_said_and_the_text_can_be_read(chromium: Browser) -> None:
    with reading(chromium) as shown:
        shown.page.route("**/*.woff2", lambda route: route.abort())
        shown.load()
        shown.start()
        shown.move_to(100, 130)
        assert shown.open_areas == ["2"]
        assert shown.finish()["layouts"][0]["font_loaded"] is False

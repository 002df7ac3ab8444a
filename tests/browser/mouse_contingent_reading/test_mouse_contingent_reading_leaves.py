"""Every way in which a text gets out of sight covers it, and says why; a window that changes pauses the reading."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from experiments.paradigms.mouse_contingent_reading.visits import path_agrees
from tests.browser.mouse_contingent_reading.reading_rig import ReadingRig, params_of, reading
from tests.browser.waiting import wait_until

# What a page of a test cannot do to itself is told to it by the event alone.
HIDE = """() => {
  Object.defineProperty(document, 'hidden', {configurable: true, get: () => true});
  document.dispatchEvent(new Event('visibilitychange'));
}"""
SHOW = """() => {
  delete document.hidden;
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def leave_window(shown: ReadingRig) -> None:
    shown.move_to(-600, 150)


def cancel(shown: ReadingRig) -> None:
    shown.page.evaluate(
        "document.body.dispatchEvent(new PointerEvent('pointercancel', {pointerType: 'mouse', bubbles: true}))"
    )


def blur(shown: ReadingRig) -> None:
    shown.page.evaluate("window.dispatchEvent(new Event('blur'))")


def hide(shown: ReadingRig) -> None:
    shown.page.evaluate(HIDE)


def print_page(shown: ReadingRig) -> None:
    shown.page.pdf()


def scroll(shown: ReadingRig) -> None:
    shown.page.evaluate("window.scrollBy(0, 120)")


def resize(shown: ReadingRig) -> None:
    shown.page.set_viewport_size({"width": 1200, "height": 500})


def sharpen(shown: ReadingRig) -> None:
    metrics = {"width": 1280, "height": 500, "deviceScaleFactor": 2, "mobile": False}
    shown.devtools.send("Emulation.setDeviceMetricsOverride", metrics)


WAYS: dict[str, tuple[Callable[[ReadingRig], None], str]] = {
    "the pointer leaves the window": (leave_window, "pointerleave"),
    "the pointer is cancelled": (cancel, "pointercancel"),
    "another window comes to the front": (blur, "blur"),
    "another tab is shown": (hide, "visibilitychange"),
    "the page is printed": (print_page, "print"),
    "the page scrolls away under the pointer": (scroll, "scrolled"),
    "the window is resized": (resize, "resize"),
    "the pixel ratio changes": (sharpen, "resize"),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_leaving_covers_the_text_and_says_why(browser: Browser, way: str) -> None:
    leave, reason = WAYS[way]
    with reading(browser, params_of(record_path=True), viewport={"width": 1280, "height": 500}) as shown:
        shown.start()
        shown.move_to(100, 130)
        assert shown.open_areas == ["2"]
        leave(shown)
        if reason == "scrolled":
            expect(shown.page.locator(".reading-area[data-aoi='2']")).to_have_count(0)
        else:
            expect(shown.page.locator(".reading-area")).to_have_count(0)
        shown.page.evaluate(SHOW)
        shown.page.evaluate("window.dispatchEvent(new Event('focus'))")
        if reason == "resize":
            shown.press("Continue")
        payload = shown.finish()
        first = payload["visits"][0]
        assert (first[0], first[3]) == (2, reason)
        assert 0 <= first[1] < first[2] < payload["finished_ms"]
        assert path_agrees(payload["visits"], shown.events[0], payload["layouts"]) is True


def test_leaving_full_screen_covers_the_text_and_pauses(browser: Browser) -> None:
    with reading(browser, params_of(full_screen=True)) as shown:
        shown.press("Use the whole screen")
        wait_until(shown.page, "document.fullscreenElement !== null")
        shown.page.wait_for_timeout(300)
        shown.start()
        shown.move_to(100, 130)
        assert shown.open_areas == ["2"]
        shown.page.evaluate("document.exitFullscreen()")
        expect(shown.page.locator(".reading-area")).to_have_count(0)
        shown.wait_for("left the whole screen")
        shown.press("Continue")
        payload = shown.finish()
        assert payload["visits"][0][3] == "full-screen-exit"
        assert payload["pauses"][0][2] == "full-screen-exit"


def test_a_covered_text_stays_covered_until_the_reader_is_back(browser: Browser) -> None:
    with reading(browser) as shown:
        shown.start()
        shown.move_to(100, 130)
        blur(shown)
        shown.wait_for("covered because you were on another page")
        shown.move_to(100, 140)
        assert shown.open_areas == []
        shown.page.evaluate("window.dispatchEvent(new Event('focus'))")
        shown.move_to(100, 150)
        assert shown.open_areas == ["2"]
        assert [visit[3] for visit in shown.finish()["visits"]] == ["blur", "moved"]


def test_a_resize_pauses_measures_again_and_flags_the_trial(browser: Browser) -> None:
    with reading(browser, params_of(record_path=True)) as shown:
        shown.start()
        shown.move_to(100, 130)
        before = shown.page.locator(".reading-line").all_inner_texts()
        shown.page.set_viewport_size({"width": 1000, "height": 700})
        expect(shown.page.locator(".reading-area")).to_have_count(0)
        shown.wait_for("Press Continue")
        expect(shown.page.get_by_role("button", name="Done")).to_be_disabled()
        shown.move_to(100, 140)
        assert shown.open_areas == []
        shown.press("Continue")
        shown.move_to(100, 130)
        assert shown.open_areas == ["2"]
        # There is still room for the lines as they were.
        assert shown.page.locator(".reading-line").all_inner_texts() == before
        payload = shown.finish()
        assert payload["layout_changes"] == 1
        assert [layout["viewport"][0] for layout in payload["layouts"]] == [1280, 1000]
        [(began, ended, reason)] = payload["pauses"]
        assert reason == "resize"
        assert began == payload["visits"][0][2] < ended == payload["layouts"][1]["at_ms"] <= payload["visits"][1][1]
        assert path_agrees(payload["visits"], shown.events[0], payload["layouts"]) is True


def test_a_window_too_narrow_for_the_lines_breaks_them_anew(browser: Browser) -> None:
    with reading(browser, params_of(record_path=True)) as shown:
        shown.start()
        shown.move_to(100, 130)
        shown.page.set_viewport_size({"width": 500, "height": 700})
        shown.press("Continue")
        assert shown.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        shown.move_to(100, 230)
        payload = shown.finish()
        wide, narrow = payload["layouts"]
        assert narrow["size"][0] < 500 < wide["size"][0]
        assert narrow["lines"] > wide["lines"]
        assert path_agrees(payload["visits"], shown.events[0], payload["layouts"]) is True


def test_a_resize_before_the_start_is_no_change(browser: Browser) -> None:
    with reading(browser) as shown:
        shown.page.set_viewport_size({"width": 600, "height": 700})
        shown.start()
        shown.move_to(100, 20)
        assert shown.open_areas == ["1"]
        payload = shown.finish()
        assert payload["layout_changes"] == 0
        assert payload["layouts"][0]["viewport"] == [600, 700]
        assert payload["pauses"] == []

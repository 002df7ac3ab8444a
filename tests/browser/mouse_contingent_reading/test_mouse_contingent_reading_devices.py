"""Who reads with what: keys and fingers as ways of their own, a refusal where there is no pointer, and no barrier."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.languages_and_widths import in_languages_at_widths
from tests.browser.mouse_contingent_reading.reading_rig import SENTENCES, areas_of, params_of, reading
from tests.browser.waiting import wait_for_screen

RULES = [*WCAG, "best-practice"]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_the_whole_trial_can_be_done_with_the_keyboard_alone(browser: Browser) -> None:
    with reading(browser, params_of(modes=["pointer", "keyboard"])) as shown:
        keys = shown.page.keyboard
        keys.press("Tab")
        keys.press("Enter")
        expect(shown.page.locator(".reading-text")).to_be_focused()
        seen = []
        for key in ("ArrowDown", "ArrowRight", "ArrowUp", "End", "ArrowDown", "Home", "Escape", "ArrowDown"):
            keys.press(key)
            seen.append(shown.open_areas)
        assert seen == [["1"], ["2"], ["1"], ["3"], ["3"], ["1"], [], ["2"]]
        assert shown.page.locator("[aria-live=polite]").inner_text().startswith("They threatened the cashier")
        keys.press("Tab")
        assert shown.open_areas == []
        keys.press("Enter")
        payload = shown.payload()
        assert (payload["mode"], payload["pointer_type"]) == ("keyboard", "")
        assert [(visit[0], visit[3]) for visit in payload["visits"]] == [
            (1, "key"),
            (2, "key"),
            (1, "key"),
            (3, "key"),
            (1, "escape"),
            (2, "focus"),
        ]


def test_while_reading_with_keys_the_pointer_opens_nothing(browser: Browser) -> None:
    with reading(browser, params_of(modes=["pointer", "keyboard"])) as shown:
        shown.page.keyboard.press("Tab")
        shown.page.keyboard.press("Enter")
        expect(shown.page.locator(".reading-text")).to_be_focused()
        shown.page.keyboard.press("ArrowDown")
        shown.move_to(100, 130)
        assert shown.open_areas == ["1"]


def test_who_began_with_the_keyboard_finds_the_focus_on_the_next_start(browser: Browser) -> None:
    trial = params_of(modes=["pointer", "keyboard"])
    with reading(browser, trial, trial) as shown:
        keys = shown.page.keyboard
        keys.press("Tab")
        for position in (0, 1):
            wait_for_screen(shown.page)
            keys.press("Enter")
            expect(shown.page.locator(".reading-text")).to_be_focused()
            keys.press("ArrowDown")
            keys.press("Tab")
            keys.press("Enter")
            assert shown.payload(position)["mode"] == "keyboard"
            if position == 0:
                expect(shown.page.get_by_role("button", name="Start")).to_be_focused()


def test_a_way_that_the_study_does_not_allow_is_refused_and_the_trial_waits(browser: Browser) -> None:
    with reading(browser) as shown:
        shown.page.keyboard.press("Tab")
        shown.page.keyboard.press("Enter")
        shown.wait_for("cannot be read with the keyboard")
        shown.start()
        shown.move_to(100, 130)
        assert shown.finish()["mode"] == "pointer"


@pytest.mark.parametrize(("language", "says"), [("en", "needs a mouse or a touch pad"), ("de", "braucht eine Maus")])
def test_a_device_without_a_pointer_gets_a_clear_refusal(browser: Browser, language: str, says: str) -> None:
    with reading(browser, language=language, **PHONE) as shown:
        expect(shown.page.get_by_role("heading", name=says)).to_be_visible()
        assert shown.page.get_by_role("button").count() == 0
        assert violations(shown.page, "refusal", RULES) == []
        assert shown.results == {}


def test_a_finger_reads_where_the_study_allows_it_and_covers_when_it_is_lifted(browser: Browser) -> None:
    tall: dict[str, Any] = {**PHONE, "viewport": {"width": 390, "height": 950}}
    with reading(browser, params_of(modes=["pointer", "drag"], record_path=True), **tall) as shown:
        shown.page.get_by_role("button", name="Start").tap()
        shown.wait_for("Press Done below the text")
        left, top = shown.corner

        def touch(kind: str, *places: tuple[float, float]) -> None:
            points = [{"x": left + x, "y": top + y} for x, y in places]
            shown.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", (100, 30))
        for y in range(40, 200, 10):
            touch("touchMove", (100, y))
        assert shown.open_areas == ["2"]
        # As when the bars of the browser go away.
        shown.page.set_viewport_size({"width": 390, "height": 1000})
        shown.page.wait_for_timeout(100)
        assert shown.open_areas == ["2"]
        touch("touchEnd")
        assert shown.open_areas == []
        shown.page.wait_for_timeout(400)
        shown.page.get_by_role("button", name="Done").tap()
        payload = shown.payload()
        assert (payload["mode"], payload["pointer_type"]) == ("drag", "touch")
        assert [(visit[0], visit[3]) for visit in payload["visits"]] == [(1, "moved"), (2, "lifted")]
        assert payload["layout_changes"] == 0


@in_languages_at_widths
def test_axe_finds_nothing_at_any_point_of_the_trial(browser: Browser, language: str, width: int, height: int) -> None:
    trial = params_of(
        modes=["pointer", "keyboard"],
        ask_device=True,
        arrangement="flow",
        areas=areas_of(SENTENCES),
        question={"prompt": "Who called the police?", "choices": ["The cashier", "A customer"]},
    )
    found: list[str] = []
    with reading(browser, trial, language=language, viewport={"width": width, "height": height}) as shown:
        page = shown.page

        def look(where: str) -> None:
            found.extend(violations(page, where, RULES))
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), where

        look("device")
        page.locator(".actions button").click()
        expect(page.locator("[role=alert]").first).not_to_be_empty()
        look("device, unanswered")
        page.locator("fieldset").nth(0).locator("input").first.check()
        page.locator("fieldset").nth(1).locator("input").first.check()
        page.locator(".actions button").click()
        expect(page.locator(".reading-text")).to_be_visible()
        look("before the start")
        page.locator(".reading-buttons button").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".reading-text")).to_be_focused()
        look("covered")
        page.keyboard.press("ArrowDown")
        look("open")
        page.set_viewport_size({"width": width - 10, "height": height})
        expect(page.locator(".reading-area")).to_have_count(0)
        look("paused")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("fieldset")).to_be_visible()
        look("question")
        page.locator("input[type=radio]").nth(1).check()
        page.keyboard.press("Enter")
        assert shown.payload()["question"]["choice"] == 1
    assert found == []

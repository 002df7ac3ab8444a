"""What follows the text, and that the server takes what the trial records, simulated trials included."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from experiments.paradigms.mouse_contingent_reading.columns import unpacked
from experiments.paradigms.mouse_contingent_reading.paradigm import MouseContingentReading
from tests.browser.mouse_contingent_reading.reading_rig import SENTENCES, areas_of, params_of, reading
from tests.browser.waiting import wait_until

PLUGIN = "mouse-contingent-reading"
QUESTION = {"prompt": "Who called the police?", "choices": ["The cashier", "A customer", "Nobody"]}


def rating(name: str, kind: str, *, points: int = 0) -> dict[str, Any]:
    return {"name": name, "text": f"How {name}?", "kind": kind, "points": points, "labels": [], "required": True}


RATINGS = [rating("fluent", "magnitude"), rating("clear", "scale", points=5), rating("good", "slider")]


def errors(params: dict[str, Any], payload: dict[str, Any]) -> Any:
    """Return what the server has against a payload."""
    serializer = MouseContingentReading.responses[PLUGIN](data=payload, context={"params": params})
    serializer.is_valid()
    return serializer.errors


def test_reading_ends_before_the_ratings_and_everything_is_taken_by_the_server(browser: Browser) -> None:
    params = params_of(ask_device=True, ratings=RATINGS[:1], question=QUESTION, record_path=True)
    with reading(browser, params) as shown:
        page = shown.page
        page.get_by_label("A touch pad").check()
        page.get_by_label("The left hand").check()
        shown.press("Continue")
        expect(page.locator(".reading-text")).to_be_visible()
        shown.start()
        shown.move_to(100, 30)
        shown.move_to(100, 130)
        shown.press("Done")
        expect(page.get_by_label("How fluent?")).to_be_focused()
        page.wait_for_timeout(300)
        page.keyboard.type("42")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="A question about the text")).to_be_visible()
        page.get_by_label("A customer").check()
        page.keyboard.press("Enter")
        payload = shown.payload()
        result = shown.results[0]

    assert errors(params, result["payload"]) == errors(params, payload) == {}
    assert payload["device"] == {"device": "touchpad", "hand": "left"}
    assert payload["ratings"]["fluent"]["rating"] == 42
    assert payload["ratings"]["fluent"]["rt_ms"] > 250
    assert payload["question"]["choice"] == 1
    assert result["rt_ms"] == payload["finished_ms"]
    assert payload["visits"][-1][2] <= payload["finished_ms"]
    measures = MouseContingentReading().measure(params, payload, [*shown.events[0]])
    assert measures["path_agrees"] is True


def test_done_waits_until_something_was_read(browser: Browser) -> None:
    with reading(browser) as shown:
        shown.start()
        expect(shown.page.get_by_role("button", name="Done")).to_be_disabled()
        shown.move_to(100, 30)
        expect(shown.page.get_by_role("button", name="Done")).to_be_enabled()


@pytest.mark.parametrize("mode", ["data-only", "visual"])
def test_what_a_simulation_records_is_taken_by_the_server(browser: Browser, mode: str) -> None:
    clauses = areas_of(["Two masked men", "entered the bank", "shortly before noon"])
    trials = [
        params_of(ask_device=True, ratings=RATINGS, question=QUESTION, record_path=True),
        params_of(modes=["keyboard"], arrangement="flow", unit="clause", areas=clauses, mask="dashes"),
        params_of(modes=["drag"], areas=areas_of(SENTENCES[:1]), mask="blur"),
    ]
    with reading(browser, *trials, simulate=mode) as shown:
        wait_until(shown.page, "() => window.lecternPreview?.done === true", seconds=120)
        records = shown.page.evaluate("window.lecternPreview.records")
    assert [errors(params, record["payload"]) for params, record in zip(trials, records, strict=True)] == [{}, {}, {}]
    assert all(record["rt_ms"] == record["payload"]["finished_ms"] > 0 for record in records)
    assert {visit[0] for visit in unpacked(records[0]["payload"])["visits"]} == {1, 2, 3}

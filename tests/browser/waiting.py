"""Waiting for what a page shows, under the platform's policy that nothing on a page is evaluated from a string."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page

# JavaScript for the page, or what is asked here.
Condition = str | Callable[[], bool]


def wait_until(page: Page, source: Condition, *, arg: Any = None, seconds: float = 30.0) -> None:
    """Wait until an expression, or a function called with `arg`, is true in the page, or a function here is.

    Asked anew each time: Playwright's own `wait_for_function` evaluates the string within the page from its second look
    on, which the policy refuses, so that it fails whenever the first look comes too early.
    """
    end = time.monotonic() + seconds
    while not (source() if callable(source) else page.evaluate(source, arg)):
        if time.monotonic() > end:
            raise AssertionError(f"Not true within {seconds:g} seconds: {source}")
        page.wait_for_timeout(20)


def wait_for_screen(page: Page) -> None:
    """Wait until what the page has drawn is on the screen; a press that comes before that is no answer."""
    page.evaluate(
        "() => new Promise((resolve) => { let left = 3; const frame = () => {"
        " left -= 1; if (left > 0) requestAnimationFrame(frame); else resolve(); }; requestAnimationFrame(frame); })"
    )
    page.wait_for_timeout(50)


def press_until(
    page: Page, key: str, source: Condition, *, arg: Any = None, most: int = 5, place: Locator | None = None
) -> int:
    """Press a key until a condition is true, as people do when nothing happens; return how many presses did nothing.

    It is pressed at a `place`, or where the focus is.

    A busy machine may bring to the screen late what the page has drawn long ago, and presses before that are no
    answers. The page has to have counted what is returned here.
    """
    for early in range(most):
        if place is not None:
            place.focus()
        wait_for_screen(page)
        page.keyboard.press(key)
        try:
            wait_until(page, source, arg=arg, seconds=3.0)
        except AssertionError:
            continue
        return early
    raise AssertionError(f"{most} presses of {key} did nothing: {source}")

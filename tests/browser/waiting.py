"""Waiting for what a page shows, under the platform's policy that nothing on a page is evaluated from a string."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import Page


def wait_until(page: Page, source: str, *, arg: Any = None, seconds: float = 30.0) -> None:
    """Wait until an expression, or a function called with `arg`, is true in the page.

    Asked anew each time: Playwright's own `wait_for_function` evaluates the string within the page from its second look
    on, which the policy refuses, so that it fails whenever the first look comes too early.
    """
    end = time.monotonic() + seconds
    while not page.evaluate(source, arg):
        if time.monotonic() > end:
            raise AssertionError(f"Not true within {seconds:g} seconds: {source}")
        page.wait_for_timeout(20)

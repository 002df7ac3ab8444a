"""What the screenshots are taken with: ways of looking, and a gallery that collects what is wrong with the pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.platform import ROOT, Platform

OUT = ROOT / "screenshots"


@dataclass(frozen=True)
class View:
    """A way of looking: name of the folder, size of the window, pixels per pixel, colours, language of the browser."""

    name: str
    width: int
    height: int
    scale: int = 1
    colours: Any = "light"
    language: str = "en-GB"


DESKTOP = View("1280", 1280, 900)
PHONE = View("390", 390, 844)
# 200 % zoom of a window of 1280 pixels leaves 640 to lay out.
ZOOMED = View("zoom-200", 640, 450, scale=2)
DARK = View("dark", 1280, 900, colours="dark")
GERMAN = View("german-1280", 1280, 900, language="de-DE")
GERMAN_PHONE = View("german-390", 390, 844, language="de-DE")


@dataclass
class Gallery:
    """Takes the screenshots and collects what is wrong with the pages."""

    browser: Browser
    platform: Platform
    taken: int = 0
    findings: list[str] = field(default_factory=list)

    @property
    def base_url(self) -> str:
        return self.platform.base_url

    @contextmanager
    def window(self, view: View) -> Iterator[Page]:
        """Open a window; what it logs becomes a finding."""
        context = self.browser.new_context(
            viewport={"width": view.width, "height": view.height},
            device_scale_factor=view.scale,
            color_scheme=view.colours,
            locale=view.language,
        )
        page = context.new_page()
        page.on("console", lambda message: self._note(view, page, message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self._note(view, page, str(error)))
        try:
            yield page
        finally:
            context.close()

    def shoot(self, page: Page, view: View, name: str) -> None:
        """Save the whole page and check that it fits the window."""
        page.wait_for_timeout(200)
        path = OUT / view.name / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path, full_page=True)
        self.taken += 1
        width = page.evaluate("document.scrollingElement.scrollWidth")
        if width > view.width:
            self.findings.append(f"{view.name}/{name}: the page is {width} pixels wide")
        if view in (DESKTOP, PHONE, GERMAN, GERMAN_PHONE):
            self.findings += violations(page, f"{view.name}/{name}", WCAG)

    def print(self, page: Page, name: str) -> None:
        """Save the page as it is printed on A4."""
        path = OUT / "a4" / f"{name}.pdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.pdf(path=path, prefer_css_page_size=True, format="A4", print_background=True)
        self.taken += 1

    def _note(self, view: View, page: Page, text: str) -> None:
        # What is refused, forbidden or missing answers with a status that the browser logs as an error.
        if "Failed to load resource" not in text or not any(f"status of {n}" in text for n in (403, 404, 409, 422)):
            self.findings.append(f"{view.name} {page.url}: {text}")

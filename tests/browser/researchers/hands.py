"""Somebody's hands at a researcher's page: what they press, fill in and see is counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page


@dataclass
class Effort:
    """Presses of the mouse, fields that were filled in, and pages that a press led to."""

    clicks: int = 0
    fields: int = 0
    pages: int = 0

    def __str__(self) -> str:
        return f"{self.clicks} clicks, {self.fields} fields, {self.pages} pages"


class Hands:
    """Works on a page as a person does who sees what is there. A field is filled at once, whatever is typed into it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.effort = Effort()

    def begin(self, address: str) -> None:
        """Start to count on a page that is open already."""
        self.page.goto(address)
        self.effort = Effort()

    def click(self, place: Locator) -> None:
        """Press what is there, and wait until the page is still."""
        place.click()
        self.effort.clicks += 1
        self.page.wait_for_load_state("load")

    def go(self, place: Locator) -> None:
        """Press what leads to another page, and wait for it."""
        with self.page.expect_navigation():
            place.click()
        self.effort.clicks += 1
        self.effort.pages += 1

    def fill(self, place: Locator, value: str) -> None:
        """Type into a field; the press that goes there is part of it."""
        place.fill(value)
        self.effort.fields += 1

    def choose(self, place: Locator, value: str) -> None:
        """Choose from a list."""
        place.select_option(value)
        self.effort.clicks += 1

    def give(self, place: Locator, files: Path | Sequence[Path]) -> None:
        """Choose files."""
        place.set_input_files(files)
        self.effort.clicks += 1

    def submit(self, form: str, button: str = "button[type=submit]") -> None:
        """Send the form with this selector by its first button that is seen."""
        self.go(self.page.locator(form).locator(button).locator("visible=true").first)

"""Parts are added, moved, copied and removed by the keyboard alone, on pages in which axe finds nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in

pytestmark = pytest.mark.full("a move of a part by keyboard that loses the focus")

SLUG, OTHER = "parts-by-keyboard", "parts-to-copy-from"
MOST_STEPS = 200


def go_to(page: Page, target: Locator) -> None:
    """Press Tab until `target` has the focus."""
    for _ in range(MOST_STEPS):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not get to {target}")


def press(page: Page, role: str, name: str) -> None:
    """Go to the control of this name and press Enter on it."""
    go_to(page, page.get_by_role(role, name=name, exact=True))  # type: ignore[arg-type]
    page.keyboard.press("Enter")


def parts(page: Page) -> list[str]:
    return [str(part.get_attribute("id")).removeprefix("part_") for part in page.locator(".part-list > li").all()]


def looked_at(page: Page, where: str) -> list[str]:
    """Return what axe finds at two widths, and whether the page is wider than a telephone."""
    found = violations(page, where, WCAG)
    page.set_viewport_size({"width": 390, "height": 844})
    found += violations(page, f"{where}, narrow", WCAG)
    if page.evaluate("document.scrollingElement.scrollWidth > window.innerWidth"):
        found.append(f"{where} scrolls sideways")
    page.set_viewport_size({"width": 1280, "height": 900})
    return found


def test_parts_are_added_moved_copied_and_removed_by_the_keyboard(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    platform.manage("create_study", str(write_study(tmp_path / "own", slug=SLUG, items=8)), "--owner", "researcher")
    other = write_example(tmp_path / "other", slug=OTHER, name="words-and-sentences")
    platform.manage("create_study", str(other), "--owner", "researcher")
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    log_in(page, platform)
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/parts/")
    before = parts(page)

    press(page, "link", "Add a part")
    go_to(page, page.locator("#part-name"))
    page.keyboard.type("thanks")
    go_to(page, page.locator("#part-what"))
    page.keyboard.press("End")
    press(page, "button", "Add")
    expect(page.get_by_text("The part “thanks” was added at the end.")).to_be_visible()
    assert parts(page) == [*before, "thanks"]

    press(page, "button", "Up thanks")
    expect(page.get_by_text(f"“thanks” is now part {len(before)}.")).to_be_visible()
    assert parts(page) == [*before[:-1], "thanks", before[-1]]
    page.keyboard.press("Tab")
    assert page.locator("#part_thanks :focus").count() == 1, "the keyboard goes on at the part that was moved"

    go_to(page, page.locator("summary", has_text="Copy a part of this or another study"))
    page.keyboard.press("Enter")
    go_to(page, page.locator("#copy-name"))
    page.keyboard.type("remembering")
    go_to(page, page.locator("#copy-source"))
    page.keyboard.type("recall")
    press(page, "button", "Copy")
    expect(page.get_by_text("The part “remembering” was added at the end.")).to_be_visible()
    expect(page.locator("#part_remembering")).to_contain_text("Task: Sentence recall")
    found = looked_at(page, "parts")

    press(page, "link", "Remove remembering")
    expect(page.get_by_text("This will be lost permanently:")).to_be_visible()
    expect(page.locator("main")).to_contain_text("5 items with their texts")
    found += looked_at(page, "asking before a part is removed")
    press(page, "link", "Cancel")
    expect(page.locator("#part_remembering")).to_be_visible()
    press(page, "link", "Remove remembering")
    expect(page.get_by_text("This will be lost permanently:")).to_be_visible()
    press(page, "button", "Remove the part")
    expect(page.get_by_text("The part was removed.")).to_be_visible()
    assert parts(page) == [*before[:-1], "thanks", before[-1]]

    # What the preview page offers for parts and groups, and the steps grouped by task.
    for address in (f"{SLUG}/preview/", f"{OTHER}/preview/", f"{OTHER}/sources/", f"{OTHER}/parts/"):
        page.goto(f"{platform.base_url}/admin/studies/{address}")
        found += looked_at(page, address)
    page.close()
    assert found == [], "\n".join(found)

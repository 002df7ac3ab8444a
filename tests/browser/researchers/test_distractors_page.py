"""The page of a Maze study that makes distractors: made by the worker, replaced by a click, stored by another."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.platform import Platform, log_in

pytestmark = pytest.mark.full("a button of the page of distractors that a browser alone shows broken")

ITEMS = ("barber", "pilot", "f-bus", "p-bell", "f-cat")


def test_distractors_are_made_replaced_and_stored_on_the_page(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    slug = "maze-made-here"
    path = write_example(tmp_path, slug=slug, name="maze-agents")
    table = tmp_path / "materials.csv"
    lines = table.read_text(encoding="utf-8").splitlines()
    few = [lines[0], *(line for line in lines if line.split(",")[0] in ITEMS)]
    table.write_text("\n".join(few) + "\n", encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher")
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    log_in(page, platform)
    page.goto(f"{platform.base_url}/admin/studies/{slug}/materials/")
    page.get_by_role("link", name="Distractors").click()
    expect(page.get_by_text("7 of 7 texts have distractors")).to_be_visible()
    page.get_by_role("button", name="Make distractors").click()
    for _ in range(60):
        if page.locator("#review tbody tr").count():
            break
        page.wait_for_timeout(1000)
        page.goto(f"{platform.base_url}/admin/studies/{slug}/materials/distractors/")
    first = page.locator("#review tbody tr").first
    before = first.locator("th").inner_text()
    first.get_by_role("button", name="Replace").click()
    expect(page.locator("#review tbody tr").first.locator("th")).to_contain_text("replaced")
    after = page.locator("#review tbody tr").first.locator("th").inner_text().split()[0]
    assert after != before
    found = violations(page, "distractors", [*WCAG, "best-practice"])
    page.set_viewport_size({"width": 375, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("button", name="Store in the materials").click()
    expect(page.get_by_text("7 texts now have distractors.")).to_be_visible()
    csv = page.request.get(f"{platform.base_url}/admin/studies/{slug}/materials/materials.csv").text()
    assert f"x-x-x {after}".casefold() in csv.casefold()
    page.close()
    assert found == []

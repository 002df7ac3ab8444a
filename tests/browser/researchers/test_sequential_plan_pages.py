"""Stopping when one knows: stated by keyboard, with the levels that follow; axe finds nothing at two widths."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.platform import ROOT, Platform, log_in
from tests.browser.researchers.test_wording_of_a_study import look
from tests.selection import only_in_full

pytestmark = [pytest.mark.full("a plan that the keyboard cannot state"), pytest.mark.browser]
SHOTS = os.environ.get("SHOTS", "")


@pytest.mark.parametrize("width", [1280, only_in_full("a plan that a telephone shows otherwise", 390)])
def test_a_sequential_plan_is_stated_by_keyboard(
    platform: Platform, browser: Browser, tmp_path: Path, width: int
) -> None:
    slug = f"stops-{width}"
    folder = shutil.copytree(ROOT / "experiments" / "examples" / "causal-sentences", tmp_path / "study")
    example = folder / "study.toml"
    example.write_text(re.sub(r'(?m)^slug = ".*"$', f'slug = "{slug}"', example.read_text()))
    platform.manage("create_study", str(example), "--owner", "researcher")
    page = browser.new_page(viewport={"width": width, "height": 900})
    found: list[str] = []
    log_in(page, platform)
    page.goto(f"{platform.base_url}/admin/studies/{slug}/plan/")
    page.get_by_role("button", name=re.compile(r"Plan it\s*: Does the log rating depend on \w+ and \w+\?")).press(
        "Enter"
    )
    page.get_by_role("link", name=re.compile("Add a sequential analysis")).press("Enter")
    page.get_by_label("Looks").fill("16, 32, 48")
    page.get_by_role("button", name="Show the levels").press("Enter")
    expect(page.get_by_role("heading", name="Levels of the looks")).to_be_visible()
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"sequential-{width}.png", full_page=True)
    look(page, f"levels of a sequential plan at {width}", found)
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.get_by_text("is tested at 16, 32 and 48 people").first).to_be_visible()
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"sequential-plan-{width}.png", full_page=True)
    look(page, f"a plan that stops at {width}", found)
    assert found == []
    page.close()

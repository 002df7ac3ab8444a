"""The first view of every report is at most two screens high, in a real browser, and its tables are not in bands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.gallery import DESKTOP
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in

SLUG = "first-views"
MAKE = f"""
import json
from experiments.models import Study
from tests.browser.reports import add_large_reports, add_reports
study = Study.objects.get(slug="{SLUG}")
print(json.dumps({{**add_reports(study), **add_large_reports(study)}}))
"""
SCREENS = 2
# From the top of the page, so that its head counts, to where what is folded begins.
BOTTOM = "parts => parts[0].getBoundingClientRect().bottom + scrollY"
TABLES = """tables => tables.filter(table => table.checkVisibility()).map(table => [
  new Set([...table.tHead.rows[0].cells].map(cell => cell.getBoundingClientRect().bottom)).size,
  table.offsetWidth,
])"""
DRAWN = """() => [...document.querySelectorAll('.report > .report-part:not(.folded) > figure .figure-picture')].every(
  picture => picture.querySelector(':scope > svg, img')?.getBoundingClientRect().height > 40)"""
# One study for all tests here: made by the first of them.
runs: dict[str, int] = {}


@pytest.fixture
def screen(platform: Platform, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    if not runs:
        # Open, so that the reports are said to be exploratory above everything else.
        study = write_study(tmp_path, slug=SLUG, items=8)
        platform.manage("create_study", str(study), "--owner", "researcher", "--open")
        runs.update(json.loads(platform.manage("shell", "-v", "0", "-c", MAKE)))
    page = browser.new_page(viewport={"width": DESKTOP.width, "height": DESKTOP.height})
    log_in(page, platform)
    yield page
    page.close()


def look_at(page: Page, platform: Platform, run: str) -> None:
    """Open a report and wait until its first figure has its size."""
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/runs/{runs[run]}/", wait_until="networkidle")
    page.wait_for_function(DRAWN)


@pytest.mark.full("a report of one method whose first view is too high or says a warning twice")
def test_no_first_view_exceeds_two_screens_and_no_table_in_it_is_in_bands(platform: Platform, screen: Page) -> None:
    too_high, in_bands = [], []
    for run in runs:
        look_at(screen, platform, run)
        height = screen.eval_on_selector_all(".report > .report-part", BOTTOM)
        if height > SCREENS * DESKTOP.height:
            too_high.append((run, height))
        assert screen.locator(".report > .report-part:not(.folded) > figure").count() <= 1, run
        in_bands += [
            (run, bands, width)
            for bands, width in screen.eval_on_selector_all("table.apa", TABLES)
            if bands != 1 or width > DESKTOP.width
        ]
    assert too_high == []
    assert in_bands == []


@pytest.mark.full("a report of one method whose first view is too high or says a warning twice")
def test_a_warning_is_said_once(platform: Platform, screen: Page) -> None:
    for run in runs:
        screen.goto(f"{platform.base_url}/admin/studies/{SLUG}/runs/{runs[run]}/", wait_until="domcontentloaded")
        said = screen.locator(".report .note-warning li").all_text_contents()
        assert len(said) == len(set(said)), run
        told = screen.locator("main").text_content() or ""
        assert [warning for warning in said if told.count(warning) > 1] == [], run


@pytest.mark.full("a figure that a large report hides")
def test_a_figure_higher_than_a_screen_is_one_click_away(platform: Platform, screen: Page) -> None:
    look_at(screen, platform, "tukey of eight conditions")
    expect(screen.locator(".report > .report-part > figure")).to_have_count(0)
    picture = screen.locator(".report-part:not(.folded) details figure .figure-picture").first
    expect(picture).to_be_hidden()
    screen.get_by_text("1 figure", exact=True).click()
    expect(picture).to_be_visible()


@pytest.mark.full("a figure that a large report hides")
def test_paper_has_that_figure_and_no_line_to_click(platform: Platform, screen: Page) -> None:
    look_at(screen, platform, "tukey of eight conditions")
    screen.emulate_media(media="print")
    screen.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(screen.locator(".folded-figures figure .figure-picture").first).to_be_visible()
    for line in screen.locator(".report .all-columns > summary").all():
        expect(line).to_be_hidden()

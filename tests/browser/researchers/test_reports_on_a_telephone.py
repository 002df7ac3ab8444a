"""The report of every method fits a telephone: only its tables scroll sideways, in themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in
from tests.browser.reports import STATES

SLUG = "reports-on-a-telephone"
MAKE = """
import json
from experiments.models import Study
from tests.browser.reports import add_reports, add_states
study = Study.objects.get(slug="{slug}")
print(json.dumps({{**add_reports(study), **add_states(study)}}))
"""
FITS = "document.scrollingElement.scrollWidth <= window.innerWidth"
A4 = 673  # what its margins leave of 210 mm, in pixels of CSS
# One study for all tests here: made by the first of them.
runs: dict[str, int] = {}


@pytest.fixture
def telephone(platform: Platform, browser: Browser, tmp_path: Path) -> Iterator[Page]:
    if not runs:
        platform.manage(
            "create_study", str(write_study(tmp_path, slug=SLUG, items=8)), "--owner", "researcher", "--open"
        )
        runs.update(json.loads(platform.manage("shell", "-v", "0", "-c", MAKE.format(slug=SLUG))))
    page = browser.new_page(viewport={"width": 390, "height": 844})
    log_in(page, platform)
    yield page
    page.close()


def address(platform: Platform, run: str) -> str:
    return f"{platform.base_url}/admin/studies/{SLUG}/runs/{runs[run]}/"


@pytest.mark.full("a report of one method that is too wide")
def test_no_report_of_any_method_is_wider_than_a_telephone(platform: Platform, telephone: Page) -> None:
    # Drawing takes the server longer than everything else; how figures fit is tested below.
    telephone.route("**/*.{png,svg}", lambda route: route.abort())
    too_wide = []
    for run in runs:
        answer = telephone.goto(address(platform, run), wait_until="domcontentloaded")
        assert answer is not None
        assert answer.status == 200, run
        if not telephone.evaluate(FITS):
            too_wide.append(run)
    assert too_wide == []


@pytest.mark.full("a report of one method that is too wide")
def test_no_table_of_any_report_is_cut_at_the_edge_of_a_sheet_of_paper(platform: Platform, telephone: Page) -> None:
    telephone.route("**/*.{png,svg}", lambda route: route.abort())
    telephone.emulate_media(media="print")
    telephone.set_viewport_size({"width": A4, "height": 1000})
    too_wide = []
    for run in runs:
        telephone.goto(address(platform, run), wait_until="domcontentloaded")
        telephone.evaluate("dispatchEvent(new Event('beforeprint'))")
        widths = telephone.eval_on_selector_all("table.apa", "tables => tables.map(table => table.offsetWidth)")
        too_wide += [(run, number, width) for number, width in enumerate(widths, start=1) if width > A4]
        # What waits, runs or was stopped has no report yet.
        assert any(widths) or run in STATES, run
    assert too_wide == []


@pytest.mark.full("a report on paper or on a telephone that does not fit")
def test_paper_says_where_the_columns_are_that_do_not_fit(platform: Platform, telephone: Page) -> None:
    telephone.route("**/*.{png,svg}", lambda route: route.abort())
    telephone.goto(address(platform, "ranking"), wait_until="domcontentloaded")
    words = telephone.get_by_text("The file has all").first
    expect(words).to_be_hidden()
    telephone.emulate_media(media="print")
    telephone.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(words).to_be_visible()


@pytest.mark.full("a report on paper or on a telephone that does not fit")
def test_paper_is_light_whatever_the_theme(platform: Platform, telephone: Page) -> None:
    telephone.goto(address(platform, "rm-anova"), wait_until="domcontentloaded")
    telephone.evaluate("document.documentElement.classList.add('dark')")
    colours = "element => ['color', 'backgroundColor'].map(name => getComputedStyle(element)[name])"
    on_screen = telephone.locator(".apa td").first.evaluate(colours)
    telephone.emulate_media(media="print")
    heading, table = (telephone.locator(found).first.evaluate(colours) for found in (".report h2", ".apa td"))
    assert telephone.locator("body").evaluate(colours)[1] == "rgb(255, 255, 255)"
    assert table != on_screen
    telephone.evaluate("document.documentElement.classList.remove('dark')")
    assert [telephone.locator(found).first.evaluate(colours) for found in (".report h2", ".apa td")] == [heading, table]


@pytest.mark.full("a report on paper or on a telephone that does not fit")
def test_a_report_and_an_analysis_that_runs_are_accessible(platform: Platform, telephone: Page) -> None:
    found = []
    for run in ("perturb", "running", "cancelling", "failed", "cancelled"):
        telephone.goto(address(platform, run))
        found += violations(telephone, run, WCAG)
    assert found == [], "\n".join(found)

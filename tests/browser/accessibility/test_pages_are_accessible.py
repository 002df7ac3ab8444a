"""axe finds nothing on any participant page, at two widths, in English and German, nor on the main admin pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.languages_and_widths import in_languages_at_widths
from tests.browser.paper_study import write_study
from tests.browser.platform import ROOT, Platform, log_in
from tests.browser.typist import Typist, wait_for_check

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
# In pixels, from the heading of a page to what follows it.
GAP_BELOW_HEADING = """() => {
  const heading = document.querySelector("h1");
  return heading.nextElementSibling.getBoundingClientRect().top - heading.getBoundingClientRect().bottom;
}"""
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def violations(page: Page, where: str, rules: list[str]) -> list[str]:
    """Return what axe finds on the page as it stands, one line for each element."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    result = page.evaluate(
        "rules => axe.run(document, {runOnly: {type: 'tag', values: rules}}).then(found => found.violations)", rules
    )
    return [f"{where}: {violation['id']}: {node['html'][:140]}" for violation in result for node in violation["nodes"]]


@in_languages_at_widths
def test_axe_finds_nothing_on_any_page_of_a_participant(
    platform: Platform, browser: Browser, tmp_path: Path, language: str, width: int, height: int
) -> None:
    slug = f"accessible-{language}-{width}"
    settings = "line_length_training = true\nline_length_trials = 3\nbreak_every = 4"
    path = write_study(tmp_path, slug=slug, items=8, language=language, settings=settings)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = browser.new_page(viewport={"width": width, "height": height})
    found: list[str] = []

    page.goto(platform.base_url)
    found += violations(page, "home", [*WCAG, "best-practice"])
    assert page.evaluate(GAP_BELOW_HEADING) >= 16, "the heading of the home page touches the text"
    page.goto(f"{platform.base_url}/s/{slug}/")
    assert page.locator("html").get_attribute("lang") == language
    found += violations(page, "landing", [*WCAG, "best-practice"])
    page.click("#landing [data-next]")
    wait_for_check(page)
    found += violations(page, "check", [*WCAG, "best-practice"])
    page.click("#check [data-next]")
    found += violations(page, "consent", [*WCAG, "best-practice"])
    page.click("#decline")
    found += violations(page, "declined", [*WCAG, "best-practice"])

    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    seen: set[str] = set()
    for _ in range(60):
        kind = typist.kind()
        if kind not in seen:
            seen.add(kind)
            found += violations(page, kind, [*WCAG, "best-practice"])
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (
                f"{kind} scrolls sideways"
            )
        if kind == "magnitude-estimation" and "refused" not in seen:
            seen.add("refused")
            page.keyboard.type("-3")
            page.keyboard.press("Enter")
            expect(page.locator("#number-message")).not_to_be_empty()
            expect(page.locator("#number")).to_have_value("-3")
            found += violations(page, "refused number", [*WCAG, "best-practice"])
            page.locator("#number").fill("")
        if typist.answer("20") == "page":
            break
    expect(page.get_by_text("C0DE-FOR-TESTS")).to_be_visible()
    found += violations(page, "end", [*WCAG, "best-practice"])
    page.goto(f"{platform.base_url}/s/{slug}/withdraw/")
    found += violations(page, "withdrawal", [*WCAG, "best-practice"])
    assert page.evaluate(GAP_BELOW_HEADING) >= 16, "the heading of the withdrawal page touches the text"
    page.goto(f"{platform.base_url}/s/no-such-study/")
    found += violations(page, "no such study", [*WCAG, "best-practice"])
    page.close()

    assert {"questions", "pages", "line-length", "magnitude-estimation", "break", "page"} <= seen
    assert found == []


@pytest.mark.full("a researcher's page that axe objects to after a whole study")
def test_axe_finds_no_violation_of_wcag_on_the_pages_of_a_study(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    slug = "accessible-admin"
    platform.manage("create_study", str(write_study(tmp_path, slug=slug, items=8)), "--owner", "researcher")
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    log_in(page, platform)
    found: list[str] = []
    steps = ["", "materials/", "design/", "procedure/", "texts/", "preview/", "open/", "watch/", "analyse/", "export/"]
    for step in steps:
        answer = page.goto(f"{platform.base_url}/admin/studies/{slug}/{step}")
        assert answer is not None
        assert answer.status == 200, step
        found += violations(page, step or "home of the study", WCAG)
    for records in ("experiments/auditentry", "auth/user"):
        page.goto(f"{platform.base_url}/admin/{records}/?o=1")
        found += violations(page, records, WCAG)
    page.close()
    assert found == [], "\n".join(found)

"""People from Prolific and SONA in one study, in a browser: the right way back from every outcome, and sound by axe."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.platform import Platform, log_in
from tests.browser.typist import Typist, wait_for_check
from tests.selection import only_in_full

pytestmark = pytest.mark.full("a way back to a service that only a browser shows wrong; addresses are always tested")

SOURCES = """
[[sources]]
name = "prolific"
kind = "prolific"
[sources.outcomes.completed]
code = "C-DONE"
[sources.outcomes.screened-out]
code = "C-OUT"
[sources.outcomes.over-quota]
code = "C-FULL"
[sources.outcomes.declined]
code = "C-NO"

[[sources]]
name = "pool"
kind = "sona"
[sources.outcomes.completed]
link = "https://pool.example/done?id={survey_code}"
[sources.outcomes.screened-out]
link = "https://pool.example/out?id={survey_code}"

[[criteria]]
name = "over-thirty"
quota = 1
when = [{ question = "age", operator = "above", value = 30 }]
"""


def write_study(folder: Path, slug: str, language: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "materials.csv").write_text("item,text\n1,The door was opened.\n2,The mill was closed.\n")
    path = folder / "study.toml"
    path.write_text(
        f"""
slug = "{slug}"
title = "Sentences that sound odd"
language = "{language}"
responsible = "Example Language Laboratory"
contact = "laboratory@example.org"
data_protection_note = "Kept on the laboratory's server for ten years."
estimated_minutes = 5

[[parts]]
name = "about-you"
kind = "questionnaire"
questions = [{{ name = "age", label = "Age", kind = "number", required = true }}]
screening = [{{ question = "age", operator = "below", value = 18, outcome = "screened-out" }}]

[[parts]]
name = "sentences"
paradigm = "magnitude-estimation"
materials = {{ file = "materials.csv" }}
[parts.settings]
modulus_text = "The gate was closed because of the rain."
line_length_training = false
{SOURCES}
""",
        encoding="utf-8",
    )
    return path


def look(page: Page, name: str, found: list[str]) -> None:
    """Let axe look at a page, and the page not scroll sideways."""
    found += violations(page, name, [*WCAG, "best-practice"])
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} scrolls sideways"


def tell_age(typist: Typist, address: str, age: str) -> None:
    typist.begin(address)
    assert typist.kind() == "questions"
    typist.page.get_by_label("Age").fill(age)
    typist.mark()
    typist.page.keyboard.press("Enter")


@pytest.mark.parametrize(
    ("language", "width"),
    [("de", 390), only_in_full("an outcome that is wrong in English or a wide window alone", "en", 1280)],
)
def test_every_outcome_leads_people_back_to_where_they_came_from(
    platform: Platform, browser: Browser, tmp_path: Path, language: str, width: int
) -> None:
    slug = f"two-sources-{language}"
    path = write_study(tmp_path / "study", slug, language)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    address = f"{platform.base_url}/s/{slug}/"
    found: list[str] = []

    def arrived(query: str) -> tuple[Page, str]:
        context = browser.new_context(viewport={"width": width, "height": 844})
        context.set_default_timeout(60_000)
        return context.new_page(), f"{address}?{query}"

    page, link = arrived("PROLIFIC_PID=p-1&STUDY_ID=s&SESSION_ID=v")
    typist = Typist(page)
    tell_age(typist, link, "40")
    # Until the server has said what comes next, the page says that it waits.
    page.locator("#lectern .sheet:not(.page, [data-seen])").wait_for()
    typist.finish(["20"])
    back = page.locator("a.primary")
    expect(back).to_have_attribute("href", "https://app.prolific.com/submissions/complete?cc=C-DONE")
    look(page, f"completed-{language}", found)

    page, link = arrived("survey_code=71")
    tell_age(Typist(page), link, "17")
    expect(page.locator("a.primary")).to_have_attribute("href", "https://pool.example/out?id=71")
    look(page, f"screened-out-{language}", found)
    page.reload()
    expect(page.locator("a.primary")).to_have_attribute("href", "https://pool.example/out?id=71")

    page, link = arrived("PROLIFIC_PID=p-2")
    tell_age(Typist(page), link, "41")
    expect(page.get_by_text("C-FULL", exact=True)).to_be_visible()
    expect(page.get_by_text("laboratory@example.org")).to_be_visible()
    look(page, f"over-quota-{language}", found)

    page, link = arrived("PROLIFIC_PID=p-3")
    page.goto(link)
    page.click("#landing [data-next]")
    wait_for_check(page)
    page.click("#check [data-next]")
    page.click("#decline")
    expect(page.locator("#declined a.primary")).to_have_attribute(
        "href", "https://app.prolific.com/submissions/complete?cc=C-NO"
    )
    look(page, f"declined-{language}", found)

    page, link = arrived("PROLIFIC_PID={{%PROLIFIC_PID%}}")
    page.goto(link)
    expect(page.get_by_text("PROLIFIC_PID")).to_be_visible()
    expect(page.locator("#agree")).to_have_count(0)
    look(page, f"incomplete-link-{language}", found)
    assert found == []
    platform.manage("check_data", slug)


@pytest.mark.parametrize("width", [1280, only_in_full("a page of sources that a telephone shows otherwise", 390)])
def test_a_researcher_adds_changes_and_removes_a_source_by_keyboard_and_axe_finds_nothing(
    platform: Platform, browser: Browser, tmp_path: Path, width: int
) -> None:
    slug = f"page-of-sources-{width}"
    platform.manage("create_study", str(write_study(tmp_path / "study", slug, "en")), "--owner", "researcher")
    page = browser.new_page(viewport={"width": width, "height": 900})
    found: list[str] = []
    log_in(page, platform)
    page.goto(f"{platform.base_url}/admin/studies/{slug}/sources/")
    look(page, f"sources-{width}", found)
    page.get_by_role("button", name="Another service").focus()
    page.keyboard.press("Enter")
    card = page.locator("#source-other")
    expect(card.get_by_role("heading", name="other")).to_be_visible()
    code = card.get_by_label("Code").first
    code.focus()
    page.keyboard.type("PANEL-1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The source was saved.")).to_be_visible()
    expect(card.get_by_label("Code").first).to_have_value("PANEL-1")
    card.get_by_label("Link back").first.fill("http://panel.example/")
    card.get_by_role("button", name="Save other").press("Enter")
    expect(card.get_by_role("alert")).to_contain_text("https://")
    expect(card.get_by_label("Link back").first).to_have_value("http://panel.example/")
    look(page, f"sources-fault-{width}", found)
    card.get_by_role("link", name="Remove other").press("Enter")
    page.get_by_role("button", name="Remove the source").press("Enter")
    expect(page.get_by_text("The source was removed.")).to_be_visible()
    expect(page.locator("#source-other")).to_have_count(0)
    for name in ("prolific", "pool"):
        page.get_by_role("link", name=f"Remove {name}").click()
        page.get_by_role("button", name="Remove the source").click()
    expect(page.get_by_role("heading", name="No sources yet")).to_be_visible()
    look(page, f"no-sources-{width}", found)
    assert found == []

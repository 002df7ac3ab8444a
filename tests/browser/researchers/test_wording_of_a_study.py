"""Interface texts of a study's own: written on their page by keyboard, read in the preview and in a session."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.platform import Platform, log_in
from tests.browser.typist import Typist
from tests.selection import only_in_full

STUDY = """slug = "{slug}"
title = "In words of its own"
paradigm = "magnitude-estimation"
responsible = "Laboratory of Examples"
contact = "laboratory@example.org"
estimated_minutes = 5
data_protection_note = "Kept for a year."
retention_until = 2031-12-31

[settings]
modulus_text = "The gate was closed because of the rain."
line_length_training = false

[materials]
file = "materials.csv"

[wording]
"pages.next" = "Onwards"
"""


def write_study(folder: Path, slug: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "materials.csv").write_text("item,text\n1,The dog barks.\n2,The cat sleeps.\n", encoding="utf-8")
    path = folder / "study.toml"
    path.write_text(STUDY.format(slug=slug), encoding="utf-8")
    return path


def look(page: Page, name: str, found: list[str]) -> None:
    """Let axe look at a page, and the page not scroll sideways."""
    found += violations(page, name, [*WCAG, "best-practice"])
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{name} scrolls sideways"


@pytest.mark.full("a text that the keyboard cannot reach")
@pytest.mark.parametrize("width", [1280, only_in_full("a page of texts that a telephone shows otherwise", 390)])
def test_a_researcher_changes_texts_by_keyboard_and_axe_finds_nothing(
    platform: Platform, browser: Browser, tmp_path: Path, width: int
) -> None:
    slug = f"page-of-wording-{width}"
    platform.manage("create_study", str(write_study(tmp_path / "study", slug)), "--owner", "researcher")
    page = browser.new_page(viewport={"width": width, "height": 900})
    found: list[str] = []
    log_in(page, platform)
    page.goto(f"{platform.base_url}/admin/studies/{slug}/texts/")
    page.get_by_role("link", name="Interface", exact=True).press("Enter")
    expect(page.locator("[name='pages.next']")).to_have_value("Onwards")
    look(page, f"wording-{width}", found)
    page.locator("[name='pages.trialOf']").focus()
    page.keyboard.type("Number {1}")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The text must contain {1}, {2}, but it contains {1}.")
    look(page, f"wording-fault-{width}", found)
    page.get_by_role("alert").get_by_role("link").press("Enter")
    field = page.locator("[name='pages.trialOf']")
    expect(field).to_have_value("Number {1}")
    field.fill("Number {1} of {2}")
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.get_by_text("Saved: 2 texts")).to_be_visible()
    page.get_by_text("A whole language from a file").press("Enter")
    page.get_by_label("Language file").set_input_files(
        {
            "name": "sw.json",
            "mimeType": "application/json",
            "buffer": b'{"language": "sw", "pages": {"next": "Endelea"}}',
        }
    )
    page.get_by_role("button", name="Upload").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("pages.back: This text is missing.")
    look(page, f"wording-file-{width}", found)
    page.goto(f"{platform.base_url}/s/{slug}/preview/")
    expect(page.locator(".sheet .primary, .page .primary").first).to_have_text("Onwards")
    page.close()
    assert found == []


def test_participants_read_what_the_study_says(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    slug = "words-of-its-own"
    path = write_study(tmp_path / "study", slug)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(viewport={"width": 1280, "height": 844})
    context.set_default_timeout(60_000)
    typist = Typist(context.new_page())
    typist.begin(f"{platform.base_url}/s/{slug}/")
    typist.kind()
    expect(typist.page.locator("#lectern .sheet .primary").first).to_have_text("Onwards")
    expect(typist.page.locator("#lectern .sheet .primary").first).not_to_have_text("Continue")
    typist.finish(["20"])
    context.close()
    platform.manage("check_data", slug)

"""A study begins with a card, its questions with a template, and its way can be walked by keyboard.

With SHOTS=folder in the environment every page is photographed there.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.platform import Platform, log_in
from tests.browser.researchers.test_pages_of_the_beginning import Looking

pytestmark = pytest.mark.full("cards that do not show what they are, or templates whose button adds nothing")

MOVES = "() => document.querySelectorAll('.scene-frame').values().map((frame) => getComputedStyle(frame))"
RUNNING = f"() => [...({MOVES})()].filter((style) => style.animationName !== 'none').length"
SEEN = f"() => [...({MOVES})()].filter((style) => style.opacity === '1').length"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_cards_and_the_way_of_participants_fit_and_axe_finds_nothing(
    platform: Platform, browser: Browser, width: int, scheme: str
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    log_in(page, platform)
    looking = Looking(page, width)
    page.goto(f"{platform.base_url}/admin/studies/new/")
    looking.at(f"new-study-{scheme}")
    expect(page.get_by_role("group", name="Which tasks?")).to_be_hidden()
    page.get_by_role("radio", name="Several tasks").check()
    looking.at(f"several-{scheme}")
    slug = f"several-{scheme}-{width}"
    for task in ("Lexical decision", "Cloze"):
        page.get_by_role("checkbox", name=task).check()
    page.get_by_label("Title").fill("Several")
    page.get_by_label("Address").fill(slug)
    page.get_by_role("button", name="Create the study").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Parts")
    looking.at(f"parts-{scheme}")
    way = page.get_by_role("list", name="Flow of participants")
    expect(way.get_by_role("listitem")).to_have_count(4)
    way.get_by_role("link", name="cloze").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{slug}/**/materials/**")
    page.goto(f"{platform.base_url}/admin/studies/{slug}/texts/consent/")
    looking.at(f"consent-{scheme}")
    assert looking.found == []
    page.close()


def test_pictures_move_and_stand_still_where_that_is_asked_for(platform: Platform, browser: Browser) -> None:
    page = browser.new_page()
    log_in(page, platform)
    page.goto(f"{platform.base_url}/admin/studies/new/")
    cards = page.locator(".scene").count()
    assert page.evaluate(RUNNING) > cards
    assert page.evaluate(SEEN) == cards, "One frame of every picture is seen at a time."
    page.get_by_label("Stop the pictures").check()
    assert (page.evaluate(RUNNING), page.evaluate(SEEN)) == (0, cards)
    page.get_by_label("Stop the pictures").uncheck()
    page.emulate_media(reduced_motion="reduce")
    assert (page.evaluate(RUNNING), page.evaluate(SEEN)) == (0, cards)
    page.close()


def test_templates_add_their_questions_once_and_these_are_saved(platform: Platform, browser: Browser) -> None:
    page = browser.new_page()
    log_in(page, platform)
    page.goto(f"{platform.base_url}/admin/studies/new/")
    page.get_by_role("radio", name="Ratings of words, texts or pictures").check()
    page.get_by_label("Title").fill("Pictures")
    page.get_by_label("Address").fill("pictures-to-rate")
    page.get_by_role("button", name="Create the study").click()
    page.goto(f"{platform.base_url}/admin/studies/pictures-to-rate/procedure/")
    nothing = page.get_by_text("No questions yet.")
    expect(nothing).to_be_visible()
    questions = page.locator("[data-rows='questions'] > details")
    page.get_by_role("button", name="Image agreement", exact=True).click()
    expect(nothing).to_be_hidden()
    page.get_by_role("button", name="Valence and arousal", exact=True).click()
    expect(questions).to_have_count(3)
    expect(page.get_by_role("status").last).to_contain_text("added at the end")
    page.get_by_role("button", name="Image agreement", exact=True).click()
    expect(questions).to_have_count(3)
    expect(page.get_by_text("The study already has these questions.")).to_be_visible()
    page.get_by_role("button", name="Add a question").click()
    expect(questions).to_have_count(4)
    questions.last.get_by_label("Remove this question when saving").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("The procedure was saved.")).to_be_visible()
    stored = [row.get_by_label("Column in the data").input_value() for row in questions.all()]
    assert stored == ["image_agreement", "valence", "arousal"]
    first = questions.first
    assert first.get_by_label("Question", exact=True).input_value().startswith("How well does the picture match")
    assert first.get_by_label("Points").input_value() == "5"
    assert first.get_by_label("Labels").input_value() == "not at all\nvery well"
    assert first.get_by_label("People must answer").is_checked()
    page.close()

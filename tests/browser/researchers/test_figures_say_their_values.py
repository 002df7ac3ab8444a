"""On the page of a report every mark of a figure says its values: to the mouse, the keyboard and the finger."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from analysis.reports.figure_styles import PAPER, SERIES
from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in

SLUG = "figures-on-a-page"
MAKE = """
import json
from analysis.methods import registry
from experiments.models import Study
from tests.browser.reports import report_of
study = Study.objects.get(slug="{slug}")
methods = map(registry.method_named, ("rm-anova", "incidence", "ranking"))
print(json.dumps({{method.slug: report_of(study, method).pk for method in methods}}))
"""
MARKS = '.role-mark:not([aria-hidden="true"]) > [aria-label]'
COLOUR = "mark => getComputedStyle(mark).fill"
MEAN = '[aria-label^="marker: because; order: ab; Mean z: 0.889 ["]'
runs: dict[str, int] = {}


@pytest.fixture
def wanted() -> dict[str, object]:
    """What the window of a test is like."""
    return {"viewport": {"width": 1280, "height": 900}}


@pytest.fixture
def page(platform: Platform, browser: Browser, tmp_path: Path, wanted: dict[str, object]) -> Iterator[Page]:
    if not runs:
        platform.manage(
            "create_study", str(write_study(tmp_path, slug=SLUG, items=8)), "--owner", "researcher", "--open"
        )
        runs.update(json.loads(platform.manage("shell", "-v", "0", "-c", MAKE.format(slug=SLUG))))
    opened = browser.new_page(**wanted)  # type: ignore[arg-type]
    log_in(opened, platform)
    yield opened
    opened.close()


def show(page: Page, platform: Platform, run: str) -> None:
    page.goto(f"{platform.base_url}/admin/studies/{SLUG}/runs/{runs[run]}/")
    expect(page.locator(".figure-picture > svg").first).to_be_visible()


def is_inside(page: Page) -> bool:
    box = page.locator(".figure-tip:visible").bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    return (
        box["x"] >= 0
        and box["y"] >= 0
        and box["x"] + box["width"] <= size["width"]
        and box["y"] + box["height"] <= size["height"]
    )


@pytest.mark.full("a picture on the page that is not its file")
def test_the_picture_on_the_page_is_the_file_and_the_mouse_reads_it(page: Page, platform: Platform) -> None:
    strange: list[str] = []
    page.on("console", lambda message: strange.append(message.text) if message.type == "error" else None)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    show(page, platform, "rm-anova")
    answer = page.request.get(f"{platform.base_url}/admin/studies/{SLUG}/runs/{runs['rm-anova']}/means.svg")
    root = ElementTree.fromstring(answer.text())
    in_file = [mark.get("aria-label") for mark in root.iter() if mark.get("aria-label")]
    on_page = page.eval_on_selector_all(
        ".figure-picture [aria-label]", "found => found.map(one => one.getAttribute('aria-label'))"
    )
    assert on_page == in_file
    assert page.locator(".figure-picture > svg").get_attribute("aria-label") == in_file[0]
    assert page.locator(".figure-picture > svg").get_attribute("role") == "graphics-document document"

    page.locator(MEAN).hover()
    tip = page.get_by_role("tooltip")
    expect(tip).to_have_text(str(page.locator(MEAN).get_attribute("aria-label")).replace("; ", ""))
    assert is_inside(page)
    box = tip.bounding_box()
    assert box is not None
    # Words can be gone over, and copied.
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 3)
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.locator(MEAN).hover()
    expect(tip).to_be_visible()
    page.mouse.move(2, 2)
    expect(tip).to_be_hidden()
    assert strange == []
    assert all(url.startswith((platform.base_url, "data:")) for url in asked)


def test_marks_are_one_stop_of_the_tab_key_and_the_arrow_keys_go_through_them(page: Page, platform: Platform) -> None:
    show(page, platform, "rm-anova")
    assert page.locator('.figure-picture svg [tabindex="0"]').count() == 1
    page.locator('.figure-picture svg [tabindex="0"]').focus()
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("n: 6")
    expect(tip).to_contain_text("Arrow keys")
    seen = [page.evaluate("document.activeElement.getAttribute('aria-label')")]
    for _ in range(6):
        page.keyboard.press("ArrowRight")
        seen.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
        assert is_inside(page)
    # Means from left to right, then what stands behind them.
    assert [re.sub(r"; Mean.*", "", words or "") for words in seen[:6]] == [
        f"marker: {marker}; order: {order}" for marker in ("because", "because-of", "cause") for order in ("ab", "ba")
    ]
    assert "n:" not in str(seen[6])
    assert page.locator('.figure-picture svg [tabindex="0"]').count() == 1
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == seen[0]
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == seen[0]
    assert page.locator(".figure-ring").get_attribute("width") is not None
    assert violations(page, "keyboard", WCAG) == []
    page.keyboard.press("Tab")
    expect(tip).to_be_hidden()
    assert not page.evaluate("document.activeElement.closest('.figure-picture')")


@pytest.mark.parametrize("wanted", [{"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}])
def test_a_finger_reads_marks_and_the_words_stay_on_a_telephone(page: Page, platform: Platform) -> None:
    for run in ("rm-anova", "incidence"):
        show(page, platform, run)
        marks = page.locator(f".figure-picture {MARKS}")
        for mark in (marks.first, marks.nth(marks.count() // 3)):
            mark.scroll_into_view_if_needed()
            box = mark.bounding_box()
            assert box is not None
            # Beside the mark: fingers are wider than points.
            page.touchscreen.tap(box["x"] + box["width"] / 2 + 5, box["y"] + box["height"] / 2)
            expect(page.get_by_role("tooltip")).to_be_visible()
            assert is_inside(page)
    page.touchscreen.tap(5, 5)
    expect(page.get_by_role("tooltip")).to_be_hidden()


@pytest.mark.parametrize("wanted", [{"viewport": {"width": 390, "height": 844}}])
def test_letters_of_figures_keep_their_size_on_a_telephone(page: Page, platform: Platform) -> None:
    # 12 pixels high on a screen of any width; several panels stand below each other.
    for run in ("rm-anova", "ranking"):
        show(page, platform, run)
        shrunk = page.locator(".figure-picture > svg").first.evaluate("picture => picture.getScreenCTM().a")
        assert shrunk > 0.9, run
        assert page.evaluate("document.scrollingElement.scrollWidth <= window.innerWidth")
        expect(page.locator(".figure-title").first).to_be_visible()


def test_in_the_dark_theme_the_picture_is_dark_and_on_paper_light(page: Page, platform: Platform) -> None:
    show(page, platform, "rm-anova")
    paper, mean = page.locator(".figure-picture > svg > rect").first, page.locator(MEAN)
    light = [paper.evaluate(COLOUR), mean.evaluate(COLOUR)]
    assert light == ["rgb(255, 255, 255)", rgb(SERIES[0].light)]
    page.evaluate("document.documentElement.classList.add('dark')")
    assert [paper.evaluate(COLOUR), mean.evaluate(COLOUR)] == [rgb(PAPER.dark), rgb(SERIES[0].dark)]
    mean.hover()
    assert violations(page, "dark", WCAG) == []
    page.emulate_media(media="print")
    assert [paper.evaluate(COLOUR), mean.evaluate(COLOUR)] == light
    expect(page.get_by_role("tooltip")).to_be_hidden()


@pytest.mark.parametrize("wanted", [{"forced_colors": "active", "reduced_motion": "reduce"}])
def test_forced_colours_keep_the_picture_and_frame_its_words_and_nothing_moves(page: Page, platform: Platform) -> None:
    show(page, platform, "rm-anova")
    mean = page.locator(MEAN)
    assert mean.evaluate(COLOUR) == rgb(SERIES[0].light)
    page.locator('.figure-picture svg [tabindex="0"]').focus()
    tip = page.get_by_role("tooltip")
    expect(tip).to_be_visible()
    assert tip.evaluate("tip => getComputedStyle(tip).borderTopStyle") == "solid"
    highlight = page.evaluate(
        "() => { const one = document.body.appendChild(document.createElement('i')); one.style.color = 'Highlight';"
        " const found = getComputedStyle(one).color; one.remove(); return found; }"
    )
    assert page.locator(".figure-ring").evaluate("ring => getComputedStyle(ring).stroke") == highlight
    moving = page.evaluate("document.getAnimations().length")
    assert moving == 0


def test_without_scripts_the_picture_is_an_image_with_a_text(platform: Platform, page: Page, browser: Browser) -> None:
    state = page.context.storage_state()
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    plain = context.new_page()
    plain.goto(f"{platform.base_url}/admin/studies/{SLUG}/runs/{runs['rm-anova']}/")
    image = plain.locator(".figure-picture img").first
    expect(image).to_have_count(1)
    assert "Mean z by marker and order" in str(image.get_attribute("alt"))
    context.close()


def rgb(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[place : place + 2], 16)) for place in (1, 3, 5))})"

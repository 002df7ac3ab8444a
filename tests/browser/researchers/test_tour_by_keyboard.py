"""The tour opens, plays, stops and closes by the keyboard, and stands still where people prefer that."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from experiments import tour
from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.platform import ROOT, Platform, log_in
from tests.browser.researchers.test_account_pages import TOO_WIDE

pytestmark = pytest.mark.full("a tour that the keyboard cannot open or close, or that moves unasked")


@pytest.fixture(scope="module")
def newcomers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """Return a platform without studies whose documents have the recording."""
    documents = tmp_path_factory.mktemp("documents")
    (documents / "index.html").write_text("<h1>Lectern</h1>", encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "pictures", documents / "pictures")
    started = Platform(tmp_path_factory.mktemp("newcomers"))
    started.environment["DOCS_DIR"] = str(documents)
    started.start()
    yield started
    started.stop()


def shown(page: Page) -> str:
    """Return the name of the picture that the dialog shows, once it is loaded."""
    picture = page.locator("#tour img")
    page.wait_for_function(
        "() => { const image = document.querySelector('#tour img'); return image.complete && image.naturalWidth; }"
    )
    return str(picture.get_attribute("src")).partition("?")[0]


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_tour_by_keyboard(newcomers: Platform, browser: Browser, motion: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844}, reduced_motion=motion)  # type: ignore[arg-type]
    log_in(page, newcomers)
    page.goto(f"{newcomers.base_url}/admin/studies/")
    button = page.get_by_role("link", name="Take the tour")
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("listitem")).to_have_count(len(tour.SCENES))

    begins, then = (tour.MOVING, tour.STILL) if motion == "no-preference" else (tour.STILL, tour.MOVING)
    names = {tour.MOVING: "Stop", tour.STILL: "Play"}
    assert shown(page) == f"/docs/{begins}"
    dialog.get_by_role("button", name=names[begins]).focus()
    page.keyboard.press("Enter")
    assert shown(page) == f"/docs/{then}"
    expect(dialog.get_by_role("button", name=names[then])).to_be_focused()
    assert violations(page, "tour", WCAG) == []
    assert not page.evaluate(TOO_WIDE)

    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()
    page.context.close()

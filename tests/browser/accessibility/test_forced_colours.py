"""With colours forced by the system, as in the high contrast of Windows, nothing that only a shade said is lost.

What is painted so that the browser reports it, and must not be seen, stays unseen.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from tests.browser.platform import ROOT

STYLES = sorted((ROOT / "frontend" / "dist" / "assets").glob("*.css"))
PAGE = """
<header><div class="progress" id="begun"><div class="progress-done" style="inline-size: 50%"></div></div></header>
<main style="padding: 2rem">
  <p class="window moving"><span class="word" id="open">word</span> <span class="word covered" id="covered">&nbsp;&nbsp;
    </span> <span class="word blank" id="rsvp">x</span> <span class="word" id="beside">&nbsp;</span></p>
  <div class="recall-display" style="min-block-size: 0; padding: 0"><p><span class="recall-blank" id="recall"></span>
    </p></div>
  <div class="choice-spot"><p><span class="choice-blank" id="choice"></span></p></div>
  <div class="sheet comparison" style="min-block-size: 0"><div class="choose-row">
    <button class="choose" id="chosen" aria-pressed="true">This one</button>
    <button class="choose" id="other" aria-pressed="false">This one</button></div></div>
  <div class="sheet ratings" style="min-block-size: 0"><div class="sheet-content">
    <div class="rating" id="current" data-current>A</div><div class="rating" id="later">A</div></div></div>
  <div class="lines"><div class="line" id="line" style="inline-size: 5rem"></div></div>
  <div class="reading-paper" id="paper"><div class="reading-text" style="inline-size: 9rem; block-size: 3rem">
    <div class="reading-masks"><div class="reading-bar" id="mask" style="inline-size: 4rem; block-size: 1rem"></div>
    </div></div></div>
  <p class="actions"><button class="primary" id="button">Continue</button></p>
</main>
"""


@pytest.fixture(params=["dark", "light"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(forced_colors="active", color_scheme=request.param)
    opened.set_content(PAGE)
    for style in STYLES:
        opened.add_style_tag(content=style.read_text(encoding="utf-8"))
    yield opened
    opened.close()


def colours(place: Locator) -> set[tuple[int, ...]]:
    """Return the colours that an element shows."""
    picture = Image.open(io.BytesIO(place.screenshot())).convert("RGB")
    return {picture.getpixel((x, y)) for x in range(picture.width) for y in range(picture.height)}  # type: ignore[misc]


def test_what_is_to_be_seen_is_seen_and_what_is_not_is_not(page: Page) -> None:
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    for unseen in ("rsvp", "recall", "choice", "beside"):
        assert len(colours(page.locator(f"#{unseen}"))) == 1, unseen
    for seen in ("begun", "open", "covered", "paper"):
        assert len(colours(page.locator(f"#{seen}"))) > 1, seen
    canvas = colours(page.locator("#beside"))
    assert colours(page.locator("#line")) - canvas
    assert {(227, 225, 217), (255, 255, 255)} <= colours(page.locator("#paper")), "masks on their paper"
    assert colours(page.locator("#chosen")) != colours(page.locator("#other"))
    assert colours(page.locator("#current")) - colours(page.locator("#later"))
    before = page.locator(".actions").screenshot()
    page.locator("#button").focus()
    page.keyboard.press("Shift")
    assert page.locator(".actions").screenshot() != before

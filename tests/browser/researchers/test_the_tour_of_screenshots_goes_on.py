"""`make screenshots` takes ten minutes; the one of its ways that types and deletes is gone by the tests too."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import gallery
from tests.browser.platform import Platform, log_in
from tests.browser.screenshots import draft

pytestmark = pytest.mark.full("a tour of screenshots that stops")


def test_a_draft_is_made_filled_looked_at_and_deleted(
    platform: Platform, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gallery, "OUT", tmp_path)
    tour = gallery.Gallery(browser, platform)
    with tour.window(gallery.PHONE) as page:
        log_in(page, platform)
        draft(tour, gallery.PHONE, page, f"{platform.base_url}/admin/studies/")
    assert tour.findings == []
    assert len(list(tmp_path.rglob("draft-*.png"))) == tour.taken == 9

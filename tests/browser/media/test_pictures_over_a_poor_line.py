"""Pictures over a line that cuts requests and is slow: the first trial begins soon, and no trial waits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.exported import trials_of
from tests.browser.media.picture_study import PoorLine, begin, rate_all, waits_of, write_picture_study
from tests.browser.platform import PATIENCE_MS, Platform

pytestmark = [pytest.mark.full("pictures that a slow line brings too late"), pytest.mark.timing]

KILOBYTE = 1_000
BYTES_EACH = 18 * KILOBYTE


@pytest.fixture
def line(platform: Platform) -> Iterator[PoorLine]:
    made = PoorLine(platform.port, cut=0.05, bytes_per_second=400 * KILOBYTE)
    yield made
    made.stop()


@pytest.mark.parametrize("pictures", [24, pytest.param(200, marks=pytest.mark.slow)])
def test_no_trial_waits_for_its_picture(
    platform: Platform, chromium: Browser, line: PoorLine, tmp_path: Path, pictures: int
) -> None:
    slug = f"poor-line-{pictures}"
    study = write_picture_study(tmp_path / "study", slug=slug, pictures=pictures, bytes_each=BYTES_EACH)
    platform.manage("create_study", str(study), "--owner", "researcher", "--open")
    context = chromium.new_context()
    page = context.new_page()
    begin(page, f"http://127.0.0.1:{line.port}/s/{slug}/")
    rate_all(page, pictures, seconds_each=0.2)
    waits = waits_of(page)
    page.get_by_text("PICTURES-DONE").wait_for(timeout=PATIENCE_MS)
    context.close()

    assert len(waits) == pictures
    assert waits[0] < 1000 * pictures * BYTES_EACH / line.rate, "the first trial waits for all pictures"
    assert max(waits[1:]) < 150
    assert line.media >= pictures
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "rating"]
    assert len(rows) == pictures
    assert {row["pleasant"] for row in rows} == {"2"}
    assert all(row["text"].endswith(".png") for row in rows)
    shares = [row["clock"] == "element-timing" for row in rows]
    assert sum(shares) / len(shares) > 0.8

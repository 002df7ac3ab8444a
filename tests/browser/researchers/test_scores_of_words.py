"""A table of words is checked, shown and stored; axe finds nothing at two widths."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.platform import ROOT, Platform, log_in
from tests.browser.researchers.test_wording_of_a_study import look

pytestmark = [pytest.mark.full("a page of words that a browser shows otherwise"), pytest.mark.browser]
SHOTS = os.environ.get("SHOTS", "")


def test_a_table_of_words_is_checked_shown_and_stored(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    folder = ROOT / "experiments" / "examples" / "relative-clauses"
    platform.manage("create_study", str(folder / "study.toml"), "--owner", "researcher")
    slug = "relative-clauses"
    with (folder / "materials.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    factor = "clause" if "clause" in rows[0] else next(name for name in rows[0] if name not in ("item", "text"))
    lines = [
        (row["item"], row.get(factor, ""), word, f"{len(word) * 1.7:.2f}")
        for row in rows
        for word in row["text"].replace("|", " ").split()
    ]
    table = tmp_path / "surprisal.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("item", "condition", "word", "surprisal"), *lines])
    found: list[str] = []
    for width in (1280, 390):
        page = browser.new_page(viewport={"width": width, "height": 900})
        log_in(page, platform)
        page.goto(f"{platform.base_url}/admin/studies/{slug}/materials/words/")
        page.get_by_label("File").set_input_files(table)
        page.get_by_label("Where the scores come from").fill("a 5-gram model of our own, 2026-11")
        page.get_by_role("button", name="Check").press("Enter")
        expect(page.get_by_text("Nothing is stored yet")).to_be_visible()
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"words-checked-{width}.png", full_page=True)
        look(page, f"a table of words that was checked at {width}", found)
        page.get_by_label("Replace scores with the same names").check()
        page.get_by_role("button", name="Store the scores").press("Enter")
        expect(page.get_by_text("1 score of")).to_be_visible()
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"words-stored-{width}.png", full_page=True)
        look(page, f"scores of words at {width}", found)
        page.close()
    assert found == []

"""A study in blocks with chains and a break between them, at the keys in Chromium: it runs as it says."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.example_studies import EXAMPLES, write_example
from tests.browser.exported import trials_of
from tests.browser.platform import Platform
from tests.browser.typist import NEXT_SHEET, Typist

TARGET = ".sheet.timed-choice:not([data-seen]) .choice-text.target"


def test_blocks_come_with_their_instructions_and_a_break_and_pairs_stay_together(
    platform: Platform, chromium: Browser, tmp_path: Path
) -> None:
    slug = "pairs-in-blocks"
    path = write_example(
        tmp_path / "study", slug=slug, name="primed-pairs", changes={"fixation_ms": "100", "iti_ms": "50"}
    )
    # Few pairs are enough: the first two items of each block, and its first filler pair.
    lines = (EXAMPLES / "primed-pairs" / "materials.csv").read_text(encoding="utf-8").splitlines()
    kept: tuple[str, ...] = (
        "practice1",
        "prime1",
        "target1",
        "prime2",
        "target2",
        "prime5",
        "target5",
        "prime6",
        "target6",
    )
    kept += ("filler1a", "filler1b", "filler5a", "filler5b")
    chosen = [line for line in lines if line.split(",")[0] in ("item", *kept)]
    (path.parent / "materials.csv").write_text("\n".join(chosen) + "\n", encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    told: list[str] = []
    for _ in range(60):
        kind = typist.kind()
        if kind == "page":
            break
        if kind == "timed-choice":
            target = page.locator(TARGET)
            target.wait_for()
            told.append(target.inner_text())
            typist.mark()
            page.keyboard.press("j")
            continue
        words = page.locator(NEXT_SHEET).first.inner_text()
        told.append(next((f"[{name}]" for name in ("animals", "kitchen") if name in words), f"[{kind}]"))
        typist.answer("5")
    expect(page.get_by_text("PAIRS-EXAMPLE")).to_be_visible()
    page.context.close()

    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["phase"] == "main"]
    assert [row["text"] for row in rows] == [one for one in told if not one.startswith("[")][1:]
    assert [row["block_number"] for row in rows] == ["1"] * 6 + ["2"] * 6
    first, second = rows[0]["block"], rows[-1]["block"]
    assert {first, second} == {"animals", "kitchen"}
    # Instructions, one text for practice, then each block after its own instructions, with a break between.
    shape = [one for one in told if one.startswith("[")]
    assert shape[-3:] == [f"[{first}]", "[break]", f"[{second}]"]
    assert told.index(f"[{second}]") - told.index("[break]") == 1
    assert told.index("[break]") - told.index(f"[{first}]") == 7
    pairs = [row["pair"] for row in rows]
    assert pairs[0::2] == pairs[1::2]
    assert all(row["item"].startswith(("prime", "filler")) for row in rows[0::2])

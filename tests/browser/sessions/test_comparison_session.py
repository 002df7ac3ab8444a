"""A participant of a comparison at a keyboard, and one who touches a telephone; what axe finds on its pages."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.exported import trials_of
from tests.browser.platform import Platform
from tests.browser.typist import Typist
from tests.browser.waiting import press_until
from tests.selection import only_in_full

EXAMPLE = "simplified-sentences"
OPEN = ".sheet:not([data-seen])"
CHOSEN = f"""() => document.querySelector('{OPEN} [aria-pressed="true"]') !== null"""


def shown_texts(page: Page) -> tuple[str, ...]:
    return tuple(page.locator(f"{OPEN} .compared").all_inner_texts())


def write_several(folder: Path, *, slug: str, task: str) -> Path:
    """Write the example with all three versions of a sentence on a page, and practice and fillers of three texts."""
    path = write_example(folder, slug=slug, name=EXAMPLE, changes={"task": f'"{task}"', "no_difference": "false"})
    materials = path.with_name("materials.csv")
    with materials.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if row["against"]:
            row["against"] += " || Something else."
    with materials.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def options_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "options.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_choices_by_keys_are_exported_as_they_were_made(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    slug = "compared-by-keys"
    path = write_example(tmp_path / "study", slug=slug, name=EXAMPLE)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    typist = Typist(page)
    with page.expect_response("**/session/open/") as opened:
        typist.begin(f"{platform.base_url}/s/{slug}/")
    told = opened.value.text()
    assert not any(system in told for system in ("editor", "cutter", "trimmer", "check-market"))
    pressed: dict[tuple[str, ...], str] = {}
    for _ in range(60):
        kind = typist.kind()
        if kind == "page":
            break
        if kind != "comparison":
            typist.answer("5")
            continue
        texts = shown_texts(page)
        if len(pressed) == 5:
            page.reload()
            assert typist.kind() == "comparison"
            assert shown_texts(page) == texts
        key = "120"[len(pressed) % 3]
        pressed[texts] = key
        press_until(page, "2" if key == "1" else "1", CHOSEN)
        page.keyboard.press(key)
        typist.mark()
        page.keyboard.press("Enter")
    expect(page.get_by_text("COMPARE-EXAMPLE")).to_be_visible()
    context.close()

    assert problems == []
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "comparison"]
    assert len(rows) == len(pressed) == 1 + 12 + 2
    for row in rows:
        texts = tuple(row["text"].split(" || "))
        key = pressed[texts]
        assert row["first_place_rank"] == {"1": "1", "2": "2", "0": "1"}[key]
        assert (row["layout"], row["changes"]) == ("beside", "1")
        # A busy machine may show the texts after the keys: their time is 0 then.
        assert 0 <= float(row["answer_ms"]) <= float(row["rt_ms"])
        if row["choice"]:
            first, second = row["conditions_shown"].split("|")
            assert row["chosen"] == {"1": first, "2": second, "0": ""}[key]
            assert (row["a"] == first) == (row["side"] == "first")
    assert any(float(row["answer_ms"]) > 0 for row in rows)
    targets = [row for row in rows if row["choice"]]
    assert set(Counter((row["a"], row["b"]) for row in targets).values()) == {4}
    assert set(Counter((row["a"], row["b"], row["side"]) for row in targets).values()) == {2}
    stored = {(row["text"], row["place"]): row["rank"] for row in options_of(tmp_path / "data")}
    for texts, key in pressed.items():
        assert [stored[text, str(place)] for place, text in enumerate(texts, start=1)] == {
            "1": ["1", "2"],
            "2": ["2", "1"],
            "0": ["1", "1"],
        }[key]
    platform.manage("check_data", slug)


@pytest.mark.parametrize("task", ["ranking", only_in_full("touches that are lost in best-worst alone", "best-worst")])
def test_several_texts_are_judged_by_touch_on_a_telephone(
    platform: Platform, browser: Browser, tmp_path: Path, task: str
) -> None:
    slug = f"compared-{task}"
    path = write_several(tmp_path / "study", slug=slug, task=task)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(viewport={"width": 375, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    judged: dict[tuple[str, ...], list[str]] = {}
    for _ in range(60):
        kind = typist.kind()
        if kind == "page":
            break
        if kind != "comparison":
            typist.answer("5")
            continue
        page.wait_for_timeout(400)  # sooner, a tap would be the second one of a double tap
        texts = shown_texts(page)
        boxes = [box.bounding_box() for box in page.locator(f"{OPEN} .compared-texts article").all()]
        tops = [box["y"] for box in boxes if box]
        assert tops == sorted(tops)
        assert len(set(tops)) == 3
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        cards = page.locator(f"{OPEN} .compared-texts article")
        if task == "best-worst":
            cards.nth(2).get_by_role("button", name="Best").tap()
            cards.nth(0).get_by_role("button", name="Worst").tap()
            judged[texts] = ["worst", "", "best"]
        else:
            cards.nth(1).locator("button").tap()
            cards.nth(2).locator("button").tap()
            judged[texts] = ["3", "1", "2"]
        typist.mark()
        page.locator(".sheet .primary").tap()
    expect(page.get_by_text("COMPARE-EXAMPLE")).to_be_visible()
    context.close()

    rows = trials_of(platform, slug, tmp_path / "data")
    assert {row["layout"] for row in rows if row["plugin"] == "comparison"} == {"stacked"}
    options = {(row["comparison"], row["place"]): row for row in options_of(tmp_path / "data")}
    assert len(options) == 3 * len(judged) == 3 * 15
    for number in sorted({comparison for comparison, _ in options}):
        of_one = [options[number, str(place)] for place in (1, 2, 3)]
        said = judged[tuple(row["text"] for row in of_one)]
        if task == "best-worst":
            assert [
                "best" if row["best"] == "true" else "worst" if row["worst"] == "true" else "" for row in of_one
            ] == said
        else:
            assert [row["rank"] for row in of_one] == said


@pytest.mark.parametrize(
    ("width", "height"), [(375, 740), only_in_full("a comparison that a wide window alone breaks", 1280, 800)]
)
@pytest.mark.parametrize(("language", "task"), [("en", "pair"), ("de", "best-worst"), ("de", "ranking")])
def test_axe_finds_nothing_on_pages_of_comparisons(
    platform: Platform, browser: Browser, tmp_path: Path, language: str, task: str, width: int, height: int
) -> None:
    slug = f"compared-axe-{task}-{width}"
    path = write_several(tmp_path, slug=slug, task=task) if task != "pair" else None
    path = path or write_example(tmp_path, slug=slug, name=EXAMPLE)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('language = "en"', f'language = "{language}"'), encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = browser.new_page(viewport={"width": width, "height": height})
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    while typist.kind() != "comparison":
        typist.answer("5")
    found = violations(page, "open", [*WCAG, "best-practice"])
    page.keyboard.press("Enter")  # refused: nothing is answered yet
    expect(page.locator(".message")).not_to_be_empty()
    found += violations(page, "refused", [*WCAG, "best-practice"])
    page.keyboard.press("2")
    page.keyboard.press("1")
    found += violations(page, "answered", [*WCAG, "best-practice"])
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.close()
    assert found == []

"""Pictures compared in Chromium: pairs by keys and by the mouse, an order by touch on a small telephone, and axe."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import EXAMPLES
from tests.browser.exported import trials_of
from tests.browser.platform import Platform
from tests.browser.typist import Typist
from tests.selection import only_in_full

OPEN = ".sheet:not([data-seen])"
SHAPES = ("pentagon", "hexagon", "heptagon", "octagon", "nonagon", "decagon")
IRREGULARITY = ("none", "slight", "strong")
LOOKS = (("en", "pair", 1280), ("de", "best-worst", 360))
STUDY = """
slug = "{slug}"
title = "Shapes side by side"
paradigm = "comparison"
language = "{language}"
responsible = "Laboratory of Examples"
contact = "laboratory@example.org"
estimated_minutes = 3
data_protection_note = "On our server."

[settings]
task = "{task}"
break_every = 0

[procedure]
practice_first = true
completion_code = "SHAPES-DONE"

[materials]
file = "materials.csv"
media = "media"
"""


def write_shapes(folder: Path, *, slug: str, task: str = "pair", language: str = "en") -> Path:
    """Write a study that compares the pictures of an example, with a filler of pictures, and of a text in practice."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(EXAMPLES / "shape-judgements" / "media", folder / "media")
    (folder / "media" / "modulus.png").unlink()
    rows = [
        {"item": shape, "irregularity": level, "image": f"{shape}-{level}-filled.png", "alt": f"A {shape}."}
        for shape in SHAPES
        for level in IRREGULARITY
    ]
    several = task != "pair"
    rivals = ["decagon-strong-outline.png", *(["nonagon-strong-outline.png"] if several else [])]
    rows.append(
        {"item": "easy", "is_filler": "true", "image": "decagon-none-outline.png", "alt": "An outline.",
         "against_image": " || ".join(rivals), "against_image_alt": " || ".join("An odd outline." for _ in rivals)}
    )  # fmt: skip
    rows.append(
        {"item": "practice", "is_practice": "true", "image": "octagon-none-outline.png", "alt": "An octagon.",
         "text": "With a text.", "against": "A text alone." + (" || And another." if several else "")}
    )  # fmt: skip
    columns = ("item", "text", "irregularity", "is_filler", "is_practice", "image", "alt")
    with (folder / "materials.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*columns, "against", "against_image", "against_image_alt"])
        writer.writeheader()
        writer.writerows(rows)
    path = folder / "study.toml"
    path.write_text(STUDY.format(slug=slug, task=task, language=language), encoding="utf-8")
    return path


def shown_pictures(page: Page) -> tuple[str, ...]:
    """Return the addresses of the pictures on the open page, which are all there and decoded."""
    pictures = page.locator(f"{OPEN} img.picture")
    assert all(pictures.evaluate_all("all => all.map(image => image.complete && image.naturalWidth > 0)"))
    return tuple(pictures.evaluate_all("all => all.map(image => image.getAttribute('src'))"))


def options_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "options.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.full("pairs of pictures; an order of pictures by touch is always tested")
def test_pairs_of_pictures_are_chosen_by_keys_and_by_the_mouse(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    slug = "shapes-in-pairs"
    platform.manage("create_study", str(write_shapes(tmp_path / "study", slug=slug)), "--owner", "researcher", "--open")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    typist = Typist(page)
    with page.expect_response("**/session/open/") as opened:
        typist.begin(f"{platform.base_url}/s/{slug}/")
    told = opened.value.text()
    assert not any(name in told for name in ("-none-", "-slight-", "-strong-", "irregularity"))
    chosen: list[int] = []
    while (kind := typist.kind()) != "page":
        if kind != "comparison":
            typist.answer("5")
            continue
        pictures = shown_pictures(page)
        if len(chosen) == 0:
            assert len(pictures) == 1
            expect(page.locator(f"{OPEN} #comparison-question")).to_have_text("Which text is better?")
        else:
            assert len(set(pictures)) == 2
            expect(page.locator(f"{OPEN} #comparison-question")).to_have_text("Which picture is better?")
            tops = page.locator(f"{OPEN} img.picture").evaluate_all("all => all.map(i => i.getBoundingClientRect().y)")
            assert tops[0] == tops[1]
        if len(chosen) == 3:
            page.reload()
            assert typist.kind() == "comparison"
            assert shown_pictures(page) == pictures
        place = len(chosen) % 2
        if len(chosen) in (2, 5):
            page.locator(f"{OPEN} img.picture").nth(place).click()
        else:
            page.keyboard.press(str(place + 1))
        expect(page.locator(f'{OPEN} article [aria-pressed="true"]')).to_have_count(1)
        chosen.append(place)
        typist.mark()
        page.keyboard.press("Enter")
    expect(page.get_by_text("SHAPES-DONE")).to_be_visible()
    context.close()

    assert problems == []
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "comparison"]
    assert len(rows) == len(chosen) == 1 + 6 + 1
    assert [row["first_place_rank"] for row in rows] == ["1" if place == 0 else "2" for place in chosen]
    options = {(row["comparison"], row["place"]): row for row in options_of(tmp_path / "data")}
    assert list(next(iter(options.values())))[-1] == "image"
    for row in rows[1:]:
        files = row["text"].split(" || ")
        of_row = [found for found in options.values() if found["position"] == row["position"]]
        assert [found["image"] for found in of_row] == files
        if row["chosen"]:
            assert [found["option"] for found in of_row] == [file.split("-")[1] for file in files]
            assert f"-{row['chosen']}-" in files[int(row["first_place_rank"]) - 1]
    platform.manage("check_data", slug)


@pytest.mark.full("an order of pictures that touches do not make; an order of texts is always tested")
def test_pictures_are_put_in_order_by_touch_on_a_small_telephone(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    slug = "shapes-in-order"
    path = write_shapes(tmp_path / "study", slug=slug, task="ranking")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    page = context.new_page()
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    n_ranked = 0
    while (kind := typist.kind()) != "page":
        if kind != "comparison":
            typist.answer("5")
            continue
        boxes = [box.bounding_box() for box in page.locator(f"{OPEN} .compared-texts article").all()]
        tops = [box["y"] for box in boxes if box]
        assert tops == sorted(set(tops))
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.wait_for_timeout(400)  # a sooner tap would be one gesture with that which left the page before
        buttons = page.locator(f"{OPEN} .compared-texts article button")
        if shown_pictures(page)[1:]:
            page.locator(f"{OPEN} img.picture").nth(2).tap()
        else:
            buttons.nth(2).tap()
        buttons.nth(0).tap()
        n_ranked += 1
        typist.mark()
        page.locator(".sheet .primary").tap()
    expect(page.get_by_text("SHAPES-DONE")).to_be_visible()
    context.close()
    trials_of(platform, slug, tmp_path / "data")
    options = options_of(tmp_path / "data")
    assert len(options) == 3 * n_ranked == 3 * 8
    assert {(row["place"], row["rank"]) for row in options} == {("1", "2"), ("2", "3"), ("3", "1")}


@pytest.mark.parametrize(
    ("language", "task", "width"),
    [
        ("ar", "ranking", 360),
        *(only_in_full("a page of pictures that axe objects to in one language alone", *look) for look in LOOKS),
    ],
)
def test_axe_finds_nothing_on_pages_of_compared_pictures(
    platform: Platform, browser: Browser, tmp_path: Path, language: str, task: str, width: int
) -> None:
    slug = f"shapes-axe-{task}"
    path = write_shapes(tmp_path, slug=slug, task=task, language=language)
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = browser.new_page(viewport={"width": width, "height": 740})
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    while typist.kind() != "comparison":
        typist.answer("5")
    found = violations(page, "practice", [*WCAG, "best-practice"])
    page.keyboard.press("1")
    page.keyboard.press("2")
    typist.mark()
    page.keyboard.press("Enter")
    assert typist.kind() == "comparison"
    assert len(shown_pictures(page)) == (2 if task == "pair" else 3)
    found += violations(page, "open", [*WCAG, "best-practice"])
    page.keyboard.press("Enter")  # refused: nothing is answered yet
    expect(page.locator(".message")).not_to_be_empty()
    page.keyboard.press("2")
    page.keyboard.press("1")
    found += violations(page, "answered", [*WCAG, "best-practice"])
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.close()
    assert found == []

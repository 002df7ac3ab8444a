"""A participant of a rating study at a keyboard, four texts side by side; what axe finds on its pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility.test_pages_are_accessible import WCAG, violations
from tests.browser.example_studies import write_example
from tests.browser.exported import trials_of
from tests.browser.languages_and_widths import in_languages_at_widths
from tests.browser.platform import Platform, log_in
from tests.browser.typist import Typist

QUESTIONS = ("grammaticality", "non_redundancy", "referential_clarity", "focus", "structure")


def text_to_rate(page: Page) -> str:
    """Return the text that the open page asks about."""
    several = page.locator(".sheet:not([data-seen]) article.active .rated")
    return (several if several.count() else page.locator(".sheet:not([data-seen]) .rated")).inner_text()


def texts_of_page(page: Page) -> list[str]:
    return page.locator(".sheet:not([data-seen]) .rated").all_inner_texts()


def rate_everything(typist: Typist) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Rate by digits until the end; return what was pressed for each text, and the texts beside it in their places."""
    pressed: dict[str, str] = {}
    beside: dict[str, list[str]] = {}
    for _ in range(80):
        kind = typist.kind()
        if kind == "page":
            return pressed, beside
        if "rating" not in kind:
            typist.answer("5")
            continue
        text = text_to_rate(typist.page)
        digits = "".join(str(1 + (len(pressed) * 7 + place) % 5) for place in range(5))
        pressed[text] = digits
        beside[text] = texts_of_page(typist.page)
        typist.mark()
        typist.page.keyboard.type(digits)
        typist.page.keyboard.press("Enter")
    raise AssertionError("The study did not end within 80 pages.")


def test_26_texts_rated_by_digits_are_exported_as_they_were_rated(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    slug = "rating-by-keys"
    path = write_example(tmp_path / "study", slug=slug, name="system-ratings")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    pressed, beside = rate_everything(typist)
    expect(page.get_by_text("RATING-EXAMPLE")).to_be_visible()
    context.close()

    assert problems == []
    rows = [row for row in trials_of(platform, slug, tmp_path / "data") if row["plugin"] == "rating"]
    assert Counter(row["text"] for row in rows) == Counter(pressed.keys())
    for row in rows:
        assert "".join(row[name] for name in QUESTIONS) == pressed[row["text"]]
        assert [float(row[f"{name}_rt_ms"]) for name in QUESTIONS] == sorted(
            float(row[f"{name}_rt_ms"]) for name in QUESTIONS
        )
        assert float(row["rt_ms"]) >= float(row["structure_rt_ms"])
        assert int(row["texts_shown"]) == len(beside[row["text"]])
        assert beside[row["text"]][int(row["text_place"]) - 1] == row["text"]
    systems = defaultdict(set)
    for row in rows:
        if row["system"]:
            systems[row["item"]].add(row["system"])
    assert {len(seen) for seen in systems.values()} == {4}
    platform.manage("check_data", slug)


@in_languages_at_widths
def test_axe_finds_nothing_on_rating_pages_of_every_kind_of_question(
    platform: Platform, browser: Browser, tmp_path: Path, language: str, width: int, height: int
) -> None:
    slug = f"rating-axe-{language}-{width}"
    path = write_example(tmp_path, slug=slug, name="system-ratings", changes={"language": f'"{language}"'})
    text = path.read_text(encoding="utf-8")
    first, rest = text.split('kind = "scale"\npoints = 5\n', 1)
    text = first + 'kind = "slider"\n' + rest
    last = '[[settings.questions]]\nname = "ease"\ntext = "How easy was it?"\nkind = "magnitude"\n\n[procedure]'
    path.write_text(text.replace("[procedure]", last, 1), encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = browser.new_page(viewport={"width": width, "height": height})
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/{slug}/")
    found: list[str] = []
    seen: set[int] = set()
    for _ in range(12):
        if "rating" not in typist.kind():
            typist.answer("5")
            continue
        shown = len(texts_of_page(page))
        if shown not in seen:
            seen.add(shown)
            found += violations(page, f"{shown} texts", [*WCAG, "best-practice"])
            page.keyboard.press("Enter")  # refused: nothing is answered yet
            found += violations(page, f"{shown} texts, refused", [*WCAG, "best-practice"])
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        if seen >= {1, 4}:
            break
        typist.mark()
        slider = page.locator("input[type=range]")
        slider.focus()
        page.keyboard.press("ArrowRight")
        for group in page.locator("fieldset.scale").all():
            group.locator("input").nth(2).check()
        page.locator(".rating.number input").fill("12")
        page.keyboard.press("Enter")
    page.close()
    assert seen >= {1, 4}
    assert found == []


def test_questions_are_edited_by_blocks_put_in_by_sets_and_added_one_by_one(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    slug = "rating-edited"
    platform.manage(
        "create_study", str(write_example(tmp_path, slug=slug, name="system-ratings")), "--owner", "researcher"
    )
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    log_in(page, platform)
    page.goto(f"{platform.base_url}/admin/studies/{slug}/procedure/")
    blocks = page.locator(".rating-questions details.question")
    assert blocks.count() == 5
    page.click("text=Fluency and clarity (any number)")
    assert blocks.count() == 7
    page.click("text=Add a question")
    added = blocks.nth(7)
    added.locator("input[name$=text]").fill("Wie leicht war der Text?")
    added.locator("input[name$=-name]").fill("ease")
    added.locator("select").select_option("slider")
    expect(added.locator(".rating-points")).to_be_hidden()
    added.locator("textarea[name$=labels]").fill("schwer\nleicht")
    assert violations(page, "editing questions", WCAG) == []
    page.click("button[value=save]")
    expect(blocks).to_have_count(8)
    assert page.locator(".question-title").all_inner_texts()[7] == "Wie leicht war der Text?"
    assert problems == []
    page.close()

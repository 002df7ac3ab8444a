"""No page of a participant is wider than a telephone of 320 pixels, however long the words of the title are."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.exported import trials_of
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform
from tests.browser.typist import Typist, wait_for_check

SLUG = "narrow"
TITLE = "Wie wirkt Informationsstrukturverarbeitungsgeschwindigkeit?"
TOO_WIDE = """() => [...document.querySelectorAll("main *")]
  .filter(element => element.getBoundingClientRect().right > window.innerWidth)
  .map(element => element.outerHTML.slice(0, 80))"""


def test_a_title_of_a_long_word_widens_no_page(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    path = write_study(tmp_path, slug=SLUG, items=8, language="de")
    path.write_text(path.read_text(encoding="utf-8").replace("How sentences sound", TITLE), encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = browser.new_page(viewport={"width": 320, "height": 640})
    page.goto(f"{platform.base_url}/s/{SLUG}/")
    assert page.locator("h1").first.inner_text() == TITLE
    assert page.evaluate(TOO_WIDE) == []
    page.click("#landing [data-next]")
    wait_for_check(page)
    assert page.evaluate(TOO_WIDE) == []
    page.click("#check [data-next]")
    page.wait_for_selector("#consent", state="visible")
    assert page.evaluate(TOO_WIDE) == []
    page.goto(f"{platform.base_url}/s/{SLUG}/withdraw/")
    assert page.evaluate(TOO_WIDE) == []
    page.close()


COMPOUND = "Donaudampfschifffahrtsgesellschaftskapitän und Rechtsschutzversicherungsgesellschaften streiten."
HEBREW = "הילד אכל pizza אתמול בערב."
MODULUS = "הספר על pizza נקרא."
WIDTHS = (320, 390, 1280)
# The places of the first word, of the Latin word and of the full stop, from the left.
PLACES = """paragraph => {
  const text = paragraph.firstChild;
  const at = start => {
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, start + 1);
    return range.getBoundingClientRect().left;
  };
  return [at(0), at(text.data.indexOf("p")), at(text.data.length - 1)];
}"""


def test_a_compound_wraps_a_hebrew_sentence_runs_from_the_right_and_a_reload_keeps_what_was_typed(
    platform: Platform, browser: Browser, tmp_path: Path
) -> None:
    path = write_study(tmp_path, slug="written-otherwise", items=8)
    (tmp_path / "materials.csv").write_text(f"item,text\ni1,{HEBREW}\ni2,{COMPOUND}\n", encoding="utf-8")
    source = path.read_text(encoding="utf-8").replace(
        "What the gate was closed because of was that it rained.", MODULUS
    )
    path.write_text(source, encoding="utf-8")
    platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    typist = Typist(page)
    typist.begin(f"{platform.base_url}/s/written-otherwise/")
    judged = set()
    while (kind := typist.kind()) != "page":
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate(TOO_WIDE) == []
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        if kind == "magnitude-estimation":
            text = page.locator(".stimulus").inner_text()
            judged.add(text)
            for shown in page.locator("main p").all():
                if shown.inner_text() in {HEBREW, MODULUS}:
                    first, latin, stop = shown.evaluate(PLACES)
                    assert first > latin > stop
            if text == COMPOUND:
                page.keyboard.type("12")
                page.reload()
                page.locator("#number:focus").wait_for()
                assert page.locator("#number").input_value() == "12"
        typist.answer("7")
    assert judged == {MODULUS, HEBREW, COMPOUND}
    page.close()
    rows = trials_of(platform, "written-otherwise", tmp_path / "out")
    restored = {row["text"]: (row["typed"], row["draft_restored"]) for row in rows if row["phase"] == "main"}
    assert restored == {HEBREW: ("7", ""), COMPOUND: ("127", "true")}

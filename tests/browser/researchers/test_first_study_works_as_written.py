"""docs/first-study.md, walked as it is written: every word in bold is used, in the order in which it stands there.

From the first start of an empty platform to a report and an export, in the browser alone.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Download, Locator, Page, expect

from tests.browser.platform import ROOT
from tests.browser.researchers.first_start import FirstStart
from tests.browser.typist import Typist, wait_for_check

pytestmark = pytest.mark.full("a step of the first study that is no longer as its document says")

DOCUMENT = ROOT / "docs" / "first-study.md"
ADDRESS, PASSWORD = "grace@example.org", "twenty-kettles-boil"


class Guide:
    """The document, read from top to bottom."""

    def __init__(self) -> None:
        self.text = DOCUMENT.read_text(encoding="utf-8")
        self.place = 0

    def label(self, expected: str) -> str:
        """Return the next words in bold, which must be the expected ones."""
        found = re.compile(r"\*\*(.+?)\*\*", re.DOTALL).search(self.text, self.place)
        assert found is not None, f"The document ends before it names **{expected}**."
        assert " ".join(found[1].split()) == expected
        self.place = found.end()
        return expected

    def value(self, expected: str) -> str:
        """Return something to type, which must stand in the document after the label that was read last."""
        place = self.text.find(f"`{expected}`", self.place)
        assert place >= 0, f"The document does not give `{expected}` after character {self.place}."
        return expected

    def table(self) -> str:
        """Return the materials that the document lets the reader paste."""
        found = re.search(r"```csv\n(.+?)```", self.text, re.DOTALL)
        assert found is not None
        return found[1]

    def skip(self, *labels: str) -> None:
        """Pass over labels of which the document speaks without asking the reader to use them there."""
        for label in labels:
            self.label(label)


def link(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("link", name=re.compile(rf"^\W*{re.escape(name)}")).first


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}")).first


def choose_step(page: Page, guide: Guide, name: str) -> None:
    """Choose a step in the left column and wait for its page."""
    steps = page.get_by_role("navigation", name="Steps of the study").locator("visible=true")
    steps.get_by_role("link").filter(has_text=guide.label(name)).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


def saved(page: Page, sentence: str) -> None:
    expect(page.get_by_text(sentence).first).to_be_visible()


@pytest.fixture(scope="module")
def guide() -> Guide:
    return Guide()


@pytest.fixture
def started(tmp_path: Path) -> Iterator[FirstStart]:
    platform = FirstStart(tmp_path / "var")
    try:
        yield platform
    finally:
        platform.stop()


def test_the_first_study_can_be_made_as_the_document_says(started: FirstStart, browser: Browser, guide: Guide) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    make_the_first_account(page, started, guide)
    make_the_study(page, guide)
    fill_in_procedure_and_texts(page, guide)
    look_at_the_preview(page, guide)
    open_the_study(page, guide)
    take_part(page, browser, started, guide)
    watch_and_withdraw(page, guide)
    simulate(page, guide)
    analyse(page, started, guide)
    export(page, started, guide)
    guide.skip("Texts", "Monitor", "Close", "Open")
    assert "**" not in guide.text[guide.place :], "The document goes on after the walk has ended."
    context.close()


def make_the_first_account(page: Page, started: FirstStart, guide: Guide) -> None:
    guide.skip("bold")
    assert "\n    make run\n" in guide.text
    page.goto(started.link)
    page.get_by_label(guide.label("Your name")).fill("Grace Hopper")
    page.get_by_label(guide.label("E-mail")).fill(ADDRESS)
    page.get_by_label(guide.label("Password"), exact=True).fill(PASSWORD)
    page.get_by_label(guide.label("Password again")).fill(PASSWORD)
    button(page, guide.label("Make my account")).click()
    for way in ("Look at an example", "Make your own study", "Open a study file"):
        expect(page.get_by_role("link", name=guide.label(way))).to_be_visible()

    page.get_by_role("link", name=guide.label("Invite somebody")).locator("visible=true").first.click()
    button(page, guide.label("Make a link")).click()
    expect(page.get_by_text("/admin/account/invitation/")).to_be_visible()
    assert page.request.get(started.link).status == 410


def make_the_study(page: Page, guide: Guide) -> None:
    page.get_by_role("link", name=guide.label("Studies")).locator("visible=true").first.click()
    link(page, guide.label("New study")).click()
    expect(link(page, guide.label("From an example"))).to_be_visible()
    link(page, guide.label("By task")).click()
    page.get_by_role("radio", name=guide.label("Acceptability judgement by magnitude estimation")).check()
    page.get_by_label(guide.label("Title")).fill(guide.value("How sentences sound"))
    page.get_by_label(guide.label("Address")).fill(guide.value("kettles"))
    page.get_by_label(guide.label("Language")).select_option(label=guide.value("English"))
    button(page, guide.label("Create the study")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Materials")

    choose_step(page, guide, "Materials")
    page.get_by_label(guide.label("Or paste from a spreadsheet")).fill(guide.table())
    button(page, guide.label("Check")).click()
    expect(page.get_by_role("heading", name="Is this what you mean?")).to_be_visible()
    button(page, guide.label("Store the materials")).click()
    saved(page, "Stored: 4 items, 2 conditions, 2 lists.")
    expect(link(page, guide.label("Replace"))).to_be_visible()
    link(page, "candle").click()
    expect(button(page, "Save the texts")).to_be_visible()

    choose_step(page, guide, "Design")
    page.get_by_role("columnheader", name=guide.label("List 1")).first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("List 1")
    page.go_back()
    expect(link(page, "Next: Procedure")).to_be_visible()


def fill_in_procedure_and_texts(page: Page, guide: Guide) -> None:
    choose_step(page, guide, "Procedure")
    page.get_by_label(guide.label("Modulus sentence")).fill(
        guide.value("What the fair was put off by was that it rained.")
    )
    page.get_by_label(guide.label("Training with lines")).uncheck()
    page.locator("summary", has_text=guide.label("More rules for the order")).click()
    page.get_by_label(guide.label("Fillers at the start")).fill(guide.value("1"))
    page.get_by_label("Completion code").fill(guide.value("KETTLES-1"))
    guide.skip("Completion code")
    button(page, guide.label("Save")).click()
    saved(page, "The procedure was saved.")

    link(page, guide.label("Edit the questions")).click()
    button(page, guide.label("Add a question")).click()
    question = page.locator("details.question").last
    question.get_by_label(guide.label("Question"), exact=True).fill(guide.value("Is English your first language?"))
    question.get_by_label(guide.label("Column in the data")).fill(guide.value("first_language"))
    question.get_by_label(guide.label("Kind of answer")).select_option(label=guide.value("Choice from a list"))
    answers = [guide.value("yes"), guide.value("no")]
    question.get_by_label(guide.label("Answers to choose from")).fill("\n".join(answers))
    button(page, guide.label("Save the questions")).click()
    saved(page, "The questions were saved.")

    choose_step(page, guide, "Texts")
    link(page, guide.label("Consent")).click()
    expect(button(page, guide.label("Save"))).to_be_visible()
    page.get_by_role("link", name=guide.label("Settings")).locator("visible=true").first.click()
    page.get_by_label(guide.label("Responsible")).fill("Language Laboratory")
    page.get_by_label(guide.label("Contact address")).fill("laboratory@example.org")
    minutes = page.get_by_label(guide.label("Estimated duration in minutes"))
    assert int(minutes.input_value()) >= 1
    minutes.fill(guide.value("5"))
    page.get_by_label(guide.label("Data protection note")).fill("On the laboratory's server for two years.")
    page.get_by_label(guide.label("Delete the data on")).fill("2031-12-31")
    button(page, guide.label("Save")).click()
    saved(page, "The settings were saved.")
    link(page, guide.label("People")).click()
    for label in ("User name", "Role"):
        expect(page.get_by_label(guide.label(label), exact=True)).to_be_visible()
    expect(button(page, guide.label("Add"))).to_be_visible()
    expect(link(page, guide.label("Invite somebody without an account"))).to_be_visible()


def look_at_the_preview(page: Page, guide: Guide) -> None:
    choose_step(page, guide, "Preview")
    with page.context.expect_page() as opened:
        link(page, guide.label("Start preview")).click()
    preview = opened.value
    expect(preview.get_by_text("Nothing is stored.")).to_be_visible()
    button(preview, guide.label("Skip this page")).click()
    expect(preview.locator(".records > li")).to_have_count(1)
    onward = button(preview, guide.label("Skip to the next part"))
    for _ in range(10):
        if preview.get_by_role("heading", name="End of the preview").count():
            break
        onward.click()
        preview.wait_for_timeout(500)
    expect(preview.get_by_role("heading", name="End of the preview")).to_be_visible()
    preview.close()


def open_the_study(page: Page, guide: Guide) -> None:
    choose_step(page, guide, "Open")
    guide.label("Fix this")
    expect(link(page, "Fix this")).to_have_count(0)
    page.get_by_label(guide.label("Quota")).fill(guide.value("20"))
    button(page, guide.label("Save the quota")).click()
    saved(page, "The quota is now 20.")
    link(page, guide.label("Open the study")).click()
    button(page, guide.label("Open the study")).click()
    saved(page, "The study is open.")
    expect(link(page, guide.label("Duplicate the study"))).to_be_visible()
    expect(page.get_by_role("heading", name=guide.label("Links"), exact=True)).to_be_visible()
    expect(button(page, guide.label("Download the links"))).to_be_visible()


def take_part(page: Page, browser: Browser, started: FirstStart, guide: Guide) -> None:
    address = page.get_by_label(guide.label("General link")).inner_text()
    assert address == f"{started.base_url}/s/kettles/"
    private = browser.new_context()
    participant = private.new_page()
    participant.goto(address)
    button(participant, guide.label("Continue")).click()
    wait_for_check(participant)
    participant.locator("#check").get_by_role("button", name=guide.label("Continue")).click()
    for statement in participant.locator("#consent").get_by_role("checkbox").all():
        statement.check()
    button(participant, guide.label("I agree and start")).click()
    participant.wait_for_url("**/run/")
    typist = Typist(participant)
    typist.finish(["20", "35", "12,5", "50"])
    assert len(typist.typed) == 7  # four items, two fillers, one practice sentence
    expect(participant.get_by_text("KETTLES-1")).to_be_visible()
    expect(participant.get_by_text(guide.label("Your withdrawal code"))).to_be_visible()
    expect(link(participant, "Page for withdrawing")).to_be_visible()
    private.close()


def watch_and_withdraw(page: Page, guide: Guide) -> None:
    choose_step(page, guide, "Monitor")
    expect(page.locator(".quota")).to_have_text(re.compile(r"^\s*1\s*/ 20\s*finished"))
    expect(link(page, guide.label("All participants"))).to_be_visible()
    link(page, guide.label("All participants")).click()
    page.locator("tbody th a").first.click()
    expect(page.locator("table.trials")).to_contain_text("kettle")
    link(page, guide.label("Withdraw the participant")).click()
    button(page, guide.label("Erase everything")).click()
    saved(page, "erased")
    choose_step(page, guide, "Monitor")
    expect(link(page, guide.label("Notifications"))).to_be_visible()
    expect(page.locator("summary").filter(has_text=guide.label("Comments"))).to_be_visible()


def simulate(page: Page, guide: Guide) -> None:
    choose_step(page, guide, "Monitor")
    link(page, guide.label("Simulate")).click()
    page.get_by_label(guide.label("How many take part")).fill(guide.value("12"))
    button(page, guide.label("Simulate")).click()
    expect(page.get_by_role("heading", name=re.compile("Simulated participants are"))).to_be_visible()
    saved(page, "12 simulated participants have taken part.")
    expect(link(page, guide.label("Remove all 12 simulated participants"))).to_be_visible()


def files_in(page: Page, started: FirstStart, download_link: Locator) -> list[str]:
    """Click what downloads an archive and return the names in it.

    A browser may give a download up; then it is clicked once more, unless the server is at fault.
    """

    def clicked() -> Download:
        with page.expect_download() as download:
            download_link.click()
        return download.value

    first = clicked()
    if first.failure() is None:
        return zipfile.ZipFile(first.path()).namelist()
    assert page.request.get(first.url).ok
    assert "Traceback" not in started.output.read_text(encoding="utf-8")
    return zipfile.ZipFile(clicked().path()).namelist()


def analyse(page: Page, started: FirstStart, guide: Guide) -> None:
    choose_step(page, guide, "Analyse")
    expect(page.get_by_role("heading", name="Suggested for this study")).to_be_visible()
    analysis = page.locator(".analysis-list li").filter(has_text=re.compile(r"\? By participants \(F1\)"))
    button(analysis, guide.label("Run")).click()
    expect(page.locator(".findings")).to_contain_text("F")
    expect(page.locator(".findings")).to_contain_text("connective")
    expect(page.get_by_text("Simulated data.")).to_be_visible()
    assert "anova.csv" in files_in(page, started, link(page, guide.label("Download all")))
    link(page, guide.label("All analyses")).click()


def export(page: Page, started: FirstStart, guide: Guide) -> None:
    choose_step(page, guide, "Export")
    names = files_in(page, started, link(page, guide.label("Download everything (ZIP)")))
    assert {"trials.csv", "participants.csv", "codebook.csv", "manifest.json"} <= set(names)
    assert any(name.startswith("reports/rm-anova-") for name in names)

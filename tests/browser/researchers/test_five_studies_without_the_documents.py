"""Five usual studies, made from a table, opened, simulated and analysed by what the pages say and nothing else.

Somebody who has not read the documents follows the buttons: what is next, what is missing, what is fine. What only this
test finds: that one page leads to the other up to a report, and how many presses that takes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.platform import Platform, log_in
from tests.browser.researchers.five_tables import write_pictures, write_tables
from tests.browser.researchers.hands import Effort, Hands
from tests.browser.typist import Typist

pytestmark = pytest.mark.full("a page that does not lead on to the next one, or asks for more presses than it did")

# Clicks, fields and pages of each study, as docs/decisions/0057-how-a-study-begins.md tells them.
BUDGET = {
    "ratings": Effort(17, 6, 15),
    "primes": Effort(16, 3, 14),
    "reading": Effort(16, 3, 14),
    "pictures": Effort(20, 3, 17),
    "battery": Effort(35, 9, 24),
}
# The same before studies began with cards; the pages with those that loaded themselves again when their work was done.
BEFORE = {
    "ratings": Effort(25, 6, 23),
    "primes": Effort(27, 13, 23),
    "reading": Effort(25, 7, 25),
    "pictures": Effort(29, 6, 27),
    "battery": Effort(58, 18, 44),
}
REPORT_MS = 300_000


@dataclass
class Researcher:
    """Somebody who makes studies, and what that took."""

    hands: Hands
    base_url: str
    took: dict[str, Effort] = field(default_factory=dict)

    @property
    def page(self) -> Page:
        return self.hands.page

    def begin(self, slug: str, card: str, tasks: tuple[str, ...] = ()) -> None:
        """Begin a study with a card."""
        self.hands.begin(f"{self.base_url}/admin/studies/")
        self.hands.go(self.page.locator("main a[href$='/studies/new/']").first)
        choice = self.page.locator(f"input[name=preset][value={card}]")
        if not choice.is_checked():
            self.hands.click(choice)
        for task in tasks:
            self.hands.click(self.page.locator(f"[name=tasks][value={task}]"))
        self.hands.fill(self.page.locator("[name=title]"), slug.title())
        self.hands.fill(self.page.locator("[name=slug]"), slug)
        self.hands.submit("form:has([name=preset])")

    def next(self) -> None:
        """Press what the page says is next."""
        self.hands.go(self.page.locator(".page-head .actions > a.button-primary"))

    def is_fine(self) -> None:
        """Say that what the page shows is fine."""
        self.hands.submit(".looked-at")

    def give_table(self, table: Path) -> None:
        """Upload a table, see what it means, and store it."""
        self.hands.give(self.page.locator("#id_file"), table)
        self.hands.submit("form:has(#id_file)")
        self.hands.submit("form[action$='/materials/store/']")

    def look_at_the_rest(self) -> None:
        """Follow the pages from the materials on until the study can be opened."""
        self.next()
        while "/open/" not in self.page.url:
            facts = self.page.locator("#facts")
            if facts.count():
                self.hands.fill(facts.locator("[name=responsible]"), "Laboratory of Examples")
                self.hands.fill(facts.locator("[name=contact]"), "laboratory@example.org")
                self.hands.fill(facts.locator("[name=data_protection_note]"), "On our server for ten years.")
                self.hands.submit("#facts")
            if self.page.locator(".looked-at").count():
                self.is_fine()
            else:
                self.next()

    def open(self) -> None:
        """Open the study."""
        self.hands.go(self.page.locator("a[href$='/open/start/']").first)
        self.hands.submit("main form[method=post]")

    def simulate(self) -> None:
        """Let a few simulated participants take part, and go on to their data."""
        self.hands.go(self.page.locator(".study-sidebar a[href$='/watch/']"))
        self.hands.go(self.page.locator("main a[href$='/watch/simulate/']").first)
        self.hands.fill(self.page.locator("[name=participants]"), "8")
        self.hands.submit("form:has([name=participants])")
        done = self.page.locator(".note a[href$='/analyse/']")
        done.wait_for(timeout=REPORT_MS)
        self.hands.go(done)

    def analyse(self) -> Locator:
        """Run what is suggested first and return its report."""
        self.hands.submit("form[action*='/analyse/suggested/']")
        report = self.page.locator("article.report")
        expect(report.or_(self.page.locator("main .note-error")).first).to_be_visible(timeout=REPORT_MS)
        expect(report).to_be_visible()
        return report

    def finish(self, name: str) -> None:
        """Go from finished materials to a report, and note what the study took."""
        self.look_at_the_rest()
        self.open()
        self.simulate()
        expect(self.analyse()).to_contain_text(re.compile(r"\d"))
        self.took[name] = self.hands.effort


def of_ratings(researcher: Researcher, tables: dict[str, Path]) -> None:
    researcher.begin("ratings", "acceptability-likert")
    researcher.give_table(tables["ratings"])


def of_primes(researcher: Researcher, tables: dict[str, Path]) -> None:
    researcher.begin("primes", "masked-priming")
    researcher.give_table(tables["primes"])


def of_reading(researcher: Researcher, tables: dict[str, Path]) -> None:
    researcher.begin("reading", "self-paced-reading")
    researcher.give_table(tables["reading"])


def of_pictures(researcher: Researcher, tables: dict[str, Path]) -> None:
    researcher.begin("pictures", "picture-naming")
    hands, page = researcher.hands, researcher.page
    hands.go(page.locator("main a[href$='/media/']").first)
    hands.give(page.locator("[name=files]"), write_pictures(tables["pictures"].parent))
    hands.submit("form:has([name=files])")
    hands.go(page.locator(".page-head a[href$='/materials/']"))
    researcher.give_table(tables["pictures"])


def of_a_battery(researcher: Researcher, tables: dict[str, Path]) -> None:
    """Two tasks for two groups, one of which is told to be fast and the other to make no mistakes."""
    researcher.begin("battery", "several-tasks", ("lexical-decision", "acceptability-likert"))
    hands, page = researcher.hands, researcher.page
    pages = {"fast": "Answer as fast as you can.", "careful": "Make no mistakes."}
    for field_of_group, group in zip(page.locator("#groups [name=name]").all(), pages, strict=True):
        hands.fill(field_of_group, group)
    hands.submit("#groups form")
    for group, said in pages.items():
        hands.fill(page.locator("#part-name"), f"be-{group}")
        hands.choose(page.locator("#part-what"), value="page")
        hands.choose(page.locator("#part-place"), value="0")
        hands.submit("#add form:has([name=what])")
        part = page.locator(f"#part_be-{group}")
        hands.click(part.locator(f"[name=groups][value={group}]"))
        hands.fill(part.locator("[name=body]"), said)
        hands.submit(f"#part_be-{group} form:has([name=body])")
    for table in ("primes", "ratings"):
        researcher.next()
        researcher.give_table(tables[table])


MAKERS: dict[str, Callable[[Researcher, dict[str, Path]], None]] = {
    "ratings": of_ratings,
    "primes": of_primes,
    "reading": of_reading,
    "pictures": of_pictures,
    "battery": of_a_battery,
}


def test_five_studies_are_made_by_what_the_pages_say(platform: Platform, browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    log_in(page, platform)
    researcher = Researcher(Hands(page), platform.base_url)
    tables = write_tables(tmp_path)
    for name, make in MAKERS.items():
        make(researcher, tables)
        researcher.finish(name)
        print(f"{name}: {researcher.took[name]}, before {BEFORE[name]}")  # noqa: T201
    page.close()

    person = browser.new_context().new_page()
    typist = Typist(person)
    typist.begin(f"{platform.base_url}/s/ratings/")
    assert typist.kind() != "page"
    person.context.close()

    for name, took in researcher.took.items():
        most = BUDGET[name]
        assert took.clicks <= most.clicks, f"{name}: {took}"
        assert took.fields <= most.fields, f"{name}: {took}"
        assert took.pages <= most.pages, f"{name}: {took}"
    assert sum(one.clicks for one in BUDGET.values()) <= 0.75 * sum(one.clicks for one in BEFORE.values())

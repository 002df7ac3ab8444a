"""Pages beside the main road for the screenshots: every paradigm, every method's report, every refusal and error."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.example_studies import write_example
from tests.browser.gallery import DESKTOP, PHONE, Gallery, View
from tests.browser.paper_study import write_study
from tests.browser.platform import Platform, log_in
from tests.browser.typist import Typist

READING = "mouse-reading"
PARADIGMS = (READING, "sentence-recall", "system-ratings", "relative-clauses", "simplified-sentences")
REFUSING = ("paused", "closed", "full")
# Pages on the way to the first trial; what comes after needs hands of its own, which the tests of the paradigm have.
ON_THE_WAY = {"questions", "pages"}
ERRORS = ("400", "403", "403_csrf", "404", "500", "503")

# The one session of the full study counts as a person's, who alone fills a quota.
PREPARE = """
import json
from django.template.loader import render_to_string
from experiments.models import Study
from participants.models import Participant, Session
from tests.browser.reports import add_reports, add_states

Study.objects.filter(slug="paused").update(is_paused=True)
Study.objects.filter(slug="closed").update(status="closed")
Study.objects.filter(slug="full").update(quota=1)
for model in (Participant, Session):
    model.objects.filter(study__slug="full").update(is_simulated=False)
study = Study.objects.get(slug="causal-sentences")
runs = {**add_reports(study), **add_states(study)}
errors = {name: render_to_string(f"{name}.html") for name in ERRORS}
codes = [person.withdrawal_code for person in Participant.objects.filter(study__slug="mouse-reading")]
print(json.dumps({"runs": runs, "errors": errors, "codes": codes}))
"""


class Prepared:
    """What was made: runs by method or state, pages of errors by status, the withdrawal codes of the reading study."""

    def __init__(self, told: str) -> None:
        facts = json.loads(told)
        self.runs: dict[str, int] = facts["runs"]
        self.errors: dict[str, str] = facts["errors"]
        self.codes: list[str] = facts["codes"]


def fill(platform: Platform, folder: Path) -> Prepared:
    """Make a study of each paradigm, those that refuse, one for the laboratory, and a report of every method."""
    for name in PARADIGMS:
        path = write_example(folder / name, slug=name, name=name)
        platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    for slug in (*REFUSING, "laboratory"):
        path = write_study(folder / slug, slug=slug, items=8)
        if slug == "laboratory":
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("[procedure]", "[procedure]\nsupervised = true"), encoding="utf-8")
        platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    for slug in (READING, "closed", "full"):
        platform.manage("simulate", slug, "--participants", "1", "--seed", "9", "--base-url", platform.base_url)
    return Prepared(platform.manage("shell", "-v", "0", "-c", f"ERRORS = {ERRORS}\n{PREPARE}"))


def researcher(gallery: Gallery, view: View, prepared: Prepared) -> None:
    """Look at the reports of all methods and at the pages that the steps lead to."""
    if view not in (DESKTOP, PHONE):
        return
    with gallery.window(view) as page:
        log_in(page, gallery.platform)
        studies = f"{gallery.base_url}/admin/studies/"
        for name, address in addresses(prepared.runs).items():
            page.goto(studies + address)
            gallery.shoot(page, view, name)
        for name, number in prepared.runs.items():
            page.goto(f"{studies}causal-sentences/runs/{number}/")
            gallery.shoot(page, view, f"report-of-{name}")
            if view is DESKTOP:
                gallery.print(page, f"report-of-{name}")
        laboratory(gallery, view, page, studies)
        page.goto(f"{studies}{READING}/watch/participants/")
        page.locator("tbody th a").first.click()
        page.wait_for_load_state()
        gallery.shoot(page, view, "reading-participant")
        page.get_by_role("link", name="Replay").first.click()
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        page.keyboard.press("ArrowRight")
        gallery.shoot(page, view, "reading-replay")


def addresses(runs: dict[str, int]) -> dict[str, str]:
    """Return the addresses of pages that need no click, by the name of their picture."""
    example = "causal-sentences/"
    return {
        "profile-of-materials": "system-ratings/materials/profile/",
        "profile-of-1152-texts": "large/materials/profile/",
        "plan": example + "plan/",
        "plan-of-a-draft": "large/plan/",
        "new-power": example + "analyse/new/power/",
        "new-ranking": "system-ratings/analyse/new/ranking/",
        "compare": f"{example}runs/{runs['rm-anova']}/compare/",
        "compare-nothing": f"{example}runs/{runs['consistency']}/compare/",
        "rating-study": f"{example}runs/{runs['perturb']}/rating-study/",
        "delete-analysis": f"{example}runs/{runs['rm-anova']}/delete/",
        "erase-all": "closed/watch/erase/",
        "erase-identities": example + "watch/recruitment/erase/",
        "watch-nobody": "laboratory/watch/",
        "watch-closed": "closed/watch/",
        "open-paused": "paused/open/",
        "delete-draft": "large/delete/",
        "rating-questions": "system-ratings/procedure/",
        "error-404": "no-such-study/",
    }


def laboratory(gallery: Gallery, view: View, page: Page, studies: str) -> None:
    """Look at the experimenter's page before and after the first session code."""
    page.goto(f"{studies}laboratory/watch/supervision/")
    gallery.shoot(page, view, "laboratory")
    page.get_by_role("button", name="New session code").click()
    page.wait_for_load_state()
    gallery.shoot(page, view, "laboratory-code")


def participant(gallery: Gallery, view: View, prepared: Prepared) -> None:
    """Go as far as the first trial of every paradigm, into every refusal and error, and up to a withdrawal."""
    for slug in PARADIGMS:
        with gallery.window(view) as page:
            first_pages(gallery, view, Typist(page), slug)
    with gallery.window(view) as page:
        for slug in REFUSING:
            page.goto(f"{gallery.base_url}/s/{slug}/")
            gallery.shoot(page, view, f"participant-{slug}")
        for name, html in prepared.errors.items():
            page.goto("about:blank")  # without the content-security policy of another page
            page.set_content(html)
            gallery.shoot(page, view, f"error-{name}")
        page.goto(f"{gallery.base_url}/s/laboratory/")
        gallery.shoot(page, view, "participant-laboratory")
        withdrawal(gallery, view, page, prepared.codes[0])


def withdrawal(gallery: Gallery, view: View, page: Page, code: str) -> None:
    """Type a wrong withdrawal code and a right one; what would be lost is named, and nothing is erased."""
    page.goto(f"{gallery.base_url}/s/{READING}/withdraw/")
    for typed, name in (("WRONG-CODE", "refused"), (code, "confirm")):
        page.fill("#withdrawal_code", typed)
        page.get_by_role("button", name="Continue").click()
        page.wait_for_load_state()
        gallery.shoot(page, view, f"participant-withdraw-{name}")


def first_pages(gallery: Gallery, view: View, typist: Typist, slug: str) -> None:
    """Take part in a study up to its first trial, or to the sentence that says why this device will not do."""
    page = typist.page
    page.goto(f"{gallery.base_url}/s/{slug}/")
    gallery.shoot(page, view, f"{slug}-01-landing")
    typist.press_button("#landing [data-next]")
    page.wait_for_timeout(2000)
    gallery.shoot(page, view, f"{slug}-02-check")
    if not page.locator("#check [data-next]").is_enabled():
        return  # too narrow or without a pointer: the page has said so
    typist.pass_check()
    for number in range(3, 12):
        kind = typist.kind()
        gallery.shoot(page, view, f"{slug}-{number:02}-{kind.replace(' ', '-')}")
        if kind not in ON_THE_WAY:
            return
        typist.answer("")

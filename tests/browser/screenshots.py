"""`make screenshots`: every page at two widths, some at 200 % zoom, in the dark and in German, into `screenshots/`.

Starts a platform of its own, fills it with a small study, a German one, one of 1,152 texts and simulated participants,
and looks at every page as a researcher and as a participant. Reports are printed on A4 as well. Ends with an error
where a page logs an error, breaks the content-security policy, is wider than the screen, or axe finds a fault in it.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser import further_pages
from tests.browser.gallery import DARK, DESKTOP, GERMAN, GERMAN_PHONE, OUT, PHONE, ZOOMED, Gallery, View
from tests.browser.paper_study import write_study
from tests.browser.platform import ROOT, Platform, log_in
from tests.browser.typist import Typist, wait_for_check
from tests.conftest import ARGUMENTS

EXAMPLE = ROOT / "experiments" / "examples" / "causal-sentences" / "study.toml"
FAULTY = ROOT / "tests" / "experiments" / "data" / "faulty_materials.csv"
NOTE = "Kept on the laboratory's server for ten years; only the people named here can see them."
LONG_TITLE = (
    "Wie natürlich klingen Sätze über Ursachen und Wirkungen, wenn Verknüpfung und Informationsstruktur sich ändern?"
)

# A recall study that two people have coded in part, one that nobody codes, and one without recalls.
CODING = """
from django.contrib.auth import get_user_model
from analysis.coding import queues, saving
from experiments.study.lifecycle import save_member
from tests.analysis.recalls import add_recalls, make_recall_study, user_named

owner = get_user_model().objects.get(username="researcher")
for slug, participants in (("recalls", 32), ("recalls-uncoded", 4), ("recalls-none", 0)):
    study = make_recall_study(slug, n_items=16)
    study.owner, study.title = owner, "What is remembered of causes"
    study.save()
    add_recalls(study, participants)
    for number, (name, count) in enumerate((("anna", 300), ("ben", 120)) if slug == "recalls" else ()):
        coder = user_named(name)
        coder.set_password("a-password-for-tests")
        coder.save()
        save_member(study, coder, "coder", owner)
        queue = queues.create_queue(study, coder=coder, user=owner, share=1 - number / 2, is_second=number > 0, seed=3)
        for view in queues.items(queue, count=count):
            suggested = view.suggestion.codes if view.suggestion else ()
            codes = [["0"], ["3", "4"]][number] if view.position % 7 == 0 else list(suggested) or ["2"]
            saving.save(queue, view.recall_id, codes, seconds=7 + number, note="Is A there?" * (view.position % 9 == 0))
"""


def main() -> int:
    """Take all screenshots; return the exit status."""
    # Ended from outside, it still stops the platform that it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    shutil.rmtree(OUT, ignore_errors=True)
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        platform = Platform(Path(folder))
        platform.start()
        try:
            fill(platform, Path(folder))
            prepared = further_pages.fill(platform, Path(folder))
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            gallery = Gallery(browser, platform)
            for view in (DESKTOP, PHONE, ZOOMED, DARK, GERMAN, GERMAN_PHONE):
                researcher_pages(gallery, view)
                further_pages.researcher(gallery, view, prepared)
            for view in (DESKTOP, PHONE, ZOOMED):
                participant_pages(gallery, view)
                further_pages.participant(gallery, view, prepared)
            browser.close()
        finally:
            platform.stop()
    print(f"{gallery.taken} screenshots in {OUT.name}/")  # noqa: T201
    for finding in gallery.findings:
        print(f"  {finding}", file=sys.stderr)  # noqa: T201
    return 1 if gallery.findings else 0


def fill(platform: Platform, folder: Path) -> None:
    """Make the studies and let virtual participants take part."""
    example = folder / "example"
    shutil.copytree(EXAMPLE.parent, example)
    study = example / "study.toml"
    text = study.read_text(encoding="utf-8")
    if "data_protection_note" not in text:
        text = f'data_protection_note = "{NOTE}"\n{text}'
    study.write_text(text, encoding="utf-8")
    platform.manage("create_study", str(study), "--owner", "researcher", "--open")
    platform.manage(
        "simulate", "causal-sentences", "--participants", "32", "--seed", "8", "--dropout", "0.2",
        "--base-url", platform.base_url,
    )  # fmt: skip
    short = "line_length_training = true\nline_length_trials = 3\nbreak_every = 4"
    for slug, language in (("short", "en"), ("kurz", "de")):
        path = write_study(folder / slug, slug=slug, items=8, language=language, settings=short)
        if language == "de":
            written = path.read_text(encoding="utf-8")
            path.write_text(written.replace("How sentences sound", LONG_TITLE), encoding="utf-8")
        platform.manage("create_study", str(path), "--owner", "researcher", "--open")
    path = write_study(folder / "large", slug="large")
    platform.manage("create_study", str(path), "--owner", "researcher")
    platform.manage("shell", "-v", "0", "-c", CODING)


def researcher_pages(gallery: Gallery, view: View) -> None:
    """Look at every page of a researcher."""
    with gallery.window(view) as page:
        page.goto(f"{gallery.base_url}/admin/login/")
        gallery.shoot(page, view, "log-in")
        log_in(page, gallery.platform)
        studies = f"{gallery.base_url}/admin/studies/"
        for name, address in study_addresses().items():
            page.goto(studies + address)
            gallery.shoot(page, view, name)
        if view not in (DESKTOP, PHONE):
            return
        draft(gallery, view, page, studies)
        coding(gallery, view)
        page.goto(studies + "causal-sentences/watch/participants/?sort=participant")
        page.locator("tbody th a").first.click()
        page.wait_for_load_state()
        gallery.shoot(page, view, "study-10-participant")
        page.goto(page.url + "withdraw/")
        gallery.shoot(page, view, "study-11-withdraw")
        reports(gallery, view, page, studies)
        for name in ("participants_session", "participants_response", "experiments_auditentry", "auth_user"):
            page.goto(f"{gallery.base_url}/admin/{name.replace('_', '/')}/")
            gallery.shoot(page, view, f"records-{name}")
        page.goto(studies + "no-such-study/")
        gallery.shoot(page, view, "not-found")


def study_addresses() -> dict[str, str]:
    """Return the addresses of the pages that need no click to get to, by the name of their picture."""
    example = "causal-sentences/"
    return {
        "studies": "",
        "studies-none-found": "?q=nothing+like+this",
        **{f"new-{way}": f"new/?way={way}" for way in ("paradigm", "example", "file", "copy")},
        "study-0-overview": example,
        "study-1-materials": example + "materials/",
        "study-2-design": example + "design/",
        "study-3-procedure": example + "procedure/",
        "study-3-questions": example + "procedure/questions/",
        "study-4-texts": example + "texts/",
        "study-4-read": example + "texts/read/",
        "study-4-consent": example + "texts/consent/",
        "study-5-preview": example + "preview/",
        "study-6-open": example + "open/",
        "study-6-close": example + "open/close/",
        "study-7-watch": example + "watch/",
        "study-7-participants": example + "watch/participants/",
        "code-overview": "recalls/code/",
        "code-nobody": "recalls-uncoded/code/",
        "code-no-recalls": "recalls-none/code/",
        "code-codes": "recalls/code/codes/",
        "code-codes-free": "recalls-uncoded/code/codes/",
        "code-spreadsheet": "recalls/code/coders/1/sheet/",
        "code-remove": "recalls/code/coders/2/remove/",
        "code-freeze": "recalls/code/freeze/",
        "code-settle": "recalls/code/adjudicate/",
        "study-8-analyse": example + "analyse/",
        "study-8-model": example + "analyse/new/lmm/?suggested=0",
        "study-9-export": example + "export/",
        "study-settings": example + "settings/",
        "study-copy": example + "copy/",
        "large-1-materials": "large/materials/",
        "large-2-design": "large/design/",
        "german-0-overview": "kurz/",
        "german-7-watch": "kurz/watch/",
    }


def draft(gallery: Gallery, view: View, page: Page, studies: str) -> None:
    """Begin a study, check faulty and sound materials, look at what is missing, and delete it again."""
    slug, title = f"draft-{view.name}", "Word order and information structure"
    page.goto(studies + "new/?way=paradigm")
    page.fill("#id_title", title)
    page.fill("#id_slug", slug)
    page.get_by_role("button", name="Create the study").click()
    page.wait_for_url(f"**/{slug}/materials/")
    page.goto(studies + f"{slug}/")
    gallery.shoot(page, view, "draft-0-overview")
    for name, file in (("draft-1-faults", FAULTY), ("draft-1-check", EXAMPLE.parent / "materials.csv")):
        page.goto(studies + slug + "/materials/")
        if name == "draft-1-faults":
            gallery.shoot(page, view, "draft-1-materials")
        page.set_input_files("#id_file", file)
        page.get_by_role("button", name="Check", exact=True).click()
        page.wait_for_load_state()
        gallery.shoot(page, view, name)
    for name in ("open", "watch", "design", "analyse", "delete"):
        page.goto(f"{studies}{slug}/{name}/")
        gallery.shoot(page, view, f"draft-{name}")
    page.get_by_label("Type the title of the study").fill(title)
    page.get_by_role("button", name="Delete the study").click()
    page.wait_for_url("**/admin/studies/")


def coding(gallery: Gallery, view: View) -> None:
    """Look at the workspace of a coder in its states."""
    with gallery.window(view) as page:
        page.goto(f"{gallery.base_url}/admin/login/?next=/admin/")
        page.fill("input[name=username]", "ben")
        page.fill("input[name=password]", "a-password-for-tests")
        page.press("input[name=password]", "Enter")
        page.wait_for_url("**/admin/")
        gallery.shoot(page, view, "coder-0-home")
        page.goto(f"{gallery.base_url}/admin/studies/recalls/code/work/")
        expect(page.locator("[data-part=stimulus]")).not_to_be_empty()
        gallery.shoot(page, view, "coder-1-recall")
        for keys, name in (("34", "codes"), ("0", "alone"), ("s", "suggestion"), ("d", "unmarked"), ("?", "keys")):
            for key in keys:
                page.keyboard.press(key)
            gallery.shoot(page, view, f"coder-2-{name}")
        page.keyboard.press("Escape")
        page.keyboard.press("p")
        gallery.shoot(page, view, "coder-3-paused")


def reports(gallery: Gallery, view: View, page: Page, studies: str) -> None:
    """Run the suggested analyses once and look at their reports."""
    overview = studies + "causal-sentences/analyse/"
    page.goto(overview)
    waiting = page.locator("form[action*='/analyse/suggested/'] button")
    while waiting.count():
        waiting.first.click()
        expect(page.locator("article.report")).to_be_visible(timeout=120_000)
        page.goto(overview)
    addresses = [link.get_attribute("href") for link in page.locator(".analysis-list a.button").all()]
    for number, address in enumerate(addresses, start=1):
        page.goto(f"{gallery.base_url}{address}")
        gallery.shoot(page, view, f"report-{number}")


def participant_pages(gallery: Gallery, view: View) -> None:
    """Take part in the short study in both languages and look at every kind of page on the way."""
    with gallery.window(view) as page:
        for name, address in (("home", "/"), ("withdraw", "/s/short/withdraw/"), ("not-open", "/s/large/")):
            page.goto(gallery.base_url + address)
            gallery.shoot(page, view, f"participant-{name}")
    for slug in ("short", "kurz"):
        with gallery.window(view) as page:
            take_part(gallery, view, Typist(page), slug)


def take_part(gallery: Gallery, view: View, typist: Typist, slug: str) -> None:
    page = typist.page
    page.goto(f"{gallery.base_url}/s/{slug}/")
    gallery.shoot(page, view, f"{slug}-01-landing")
    typist.press_button("#landing [data-next]")
    wait_for_check(page)
    gallery.shoot(page, view, f"{slug}-02-check")
    typist.press_button("#check [data-next]")
    gallery.shoot(page, view, f"{slug}-03-consent")
    for box in page.locator("#consent input[data-required]").all():
        box.check()
    typist.press_button("#agree")
    page.wait_for_url("**/run/")
    seen: set[str] = set()
    for number in range(60):
        kind = typist.kind()
        if kind not in seen:
            seen.add(kind)
            gallery.shoot(page, view, f"{slug}-{len(seen) + 3:02}-{kind.replace(' ', '-')}")
        if typist.answer(["50", "12,5", "80"][number % 3]) == "page":
            return


if __name__ == "__main__":
    sys.exit(main())

"""`make recording`: a study from nothing to its report in sixty seconds, into `docs/pictures/demo.webp`.

Starts a platform of its own, goes through it in Chromium as a researcher and as a participant, and puts what is seen
into one moving picture with a line under each frame. The typing of the participant is real; the other participants are
simulated, as in `make demo`.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.paper_study import write_study
from tests.browser.platform import PATIENCE_MS, ROOT, Platform, log_in
from tests.browser.screenshots import EXAMPLE
from tests.browser.typist import Typist
from tests.conftest import ARGUMENTS

OUT = ROOT / "docs" / "pictures" / "demo.webp"
WIDTH, HEIGHT, LINE = 1080, 680, 54
SECONDS = 60.0


@dataclass
class Recording:
    """Frames with the share of the time that each is shown."""

    frames: list[Image.Image] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)

    def take(self, page: Page, said: str, share: float = 1.0) -> None:
        """Take the window as it is, with a line under it."""
        page.wait_for_timeout(250)
        shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        frame = Image.new("RGB", (WIDTH, HEIGHT + LINE), "#1d2733")
        frame.paste(shown, (0, 0))
        font = ImageFont.load_default(size=22)
        ImageDraw.Draw(frame).text((24, HEIGHT + LINE / 2), said, font=font, fill="white", anchor="lm")
        self.frames.append(frame)
        self.shares.append(share)

    def save(self, path: Path) -> None:
        """Write the moving picture; it plays once."""
        path.parent.mkdir(parents=True, exist_ok=True)
        durations = [round(1000 * SECONDS * share / sum(self.shares)) for share in self.shares]
        first, *others = self.frames
        first.save(path, save_all=True, append_images=others, duration=durations, loop=1, quality=82, method=6)


def main() -> int:
    """Make the recording; return the exit status."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    recording = Recording()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        platform = Platform(Path(folder))
        platform.start()
        try:
            fill(platform, Path(folder))
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            make_a_study(recording, browser, platform)
            take_part(recording, browser, platform)
            read_the_report(recording, browser, platform)
            browser.close()
        finally:
            platform.stop()
    recording.save(OUT)
    print(f"{len(recording.frames)} frames, {OUT.stat().st_size / 1e6:.1f} MB: {OUT.relative_to(ROOT)}")  # noqa: T201
    return 0


def fill(platform: Platform, folder: Path) -> None:
    """Make a study that people take part in, and a short one for the participant."""
    platform.manage("create_study", str(EXAMPLE), "--owner", "researcher", "--open")
    platform.manage(
        "simulate", "causal-sentences", "--participants", "32", "--seed", "8", "--base-url", platform.base_url
    )
    short = write_study(folder / "short", slug="short", items=8)
    platform.manage("create_study", str(short), "--owner", "researcher", "--open")


def window(browser: Browser) -> Page:
    return browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB").new_page()


def make_a_study(recording: Recording, browser: Browser, platform: Platform) -> None:
    """From a paradigm and a table to a study that can be opened."""
    page = window(browser)
    log_in(page, platform)
    studies = f"{platform.base_url}/admin/studies/"
    page.goto(studies + "new/?way=paradigm")
    recording.take(page, "A new study begins with a paradigm, an example, or a file.")
    page.fill("#id_title", "Causes before effects")
    page.fill("#id_slug", "causes")
    page.locator("#id_title").scroll_into_view_if_needed()
    recording.take(page, "It gets a title and an address.")
    page.get_by_role("button", name="Create the study").click()
    page.wait_for_url("**/causes/")
    recording.take(page, "Every step is in the browser; each says what is missing.")
    page.goto(studies + "causes/materials/")
    recording.take(page, "The materials are one table: a row for each text.")
    page.set_input_files("#id_file", EXAMPLE.parent / "materials.csv")
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_load_state()
    recording.take(page, "It is checked before anything is stored, with all faults and their lines.")
    page.locator("form[action*='store'] button[type=submit]").first.click()
    page.wait_for_load_state()
    recording.take(page, "Items, conditions and fillers are known from the columns.")
    page.goto(studies + "causes/design/")
    recording.take(page, "Lectern makes the Latin square.")
    for step, said in (
        ("procedure/", "Order, breaks, questions and exclusions are settings."),
        ("texts/consent/", "Welcome, consent and instructions begin with texts that work."),
        ("plan/", "The analyses are planned before there are data."),
        ("open/", "Open lists what is missing and what to know, and freezes the plan."),
    ):
        page.goto(studies + "causes/" + step)
        recording.take(page, said)
    page.context.close()


def take_part(recording: Recording, browser: Browser, platform: Platform) -> None:
    """One participant, from the start page to a few judgements."""
    page = window(browser)
    typist = Typist(page)
    page.goto(f"{platform.base_url}/s/short/")
    recording.take(page, "Participants open a link.")
    typist.press_button("#landing [data-next]")
    typist.pass_check()
    shown: dict[str, int] = {}
    lines = {
        "questions": "They answer a few questions …",
        "pages": "… read the instructions …",
        "magnitude-estimation": "… and judge sentences: any number, in proportion to a reference.",
    }
    for number in range(40):
        kind = typist.kind()
        shown[kind] = shown.get(kind, 0) + 1
        if kind in lines and shown[kind] <= (3 if kind == "magnitude-estimation" else 1):
            if kind == "magnitude-estimation" and page.locator(".sheet:not([data-seen]) input").count():
                page.keyboard.type(["50", "75", "25"][shown[kind] - 1])
                recording.take(page, lines[kind])
                for _ in range(2):
                    page.keyboard.press("Backspace")
            else:
                recording.take(page, lines[kind])
        if shown.get("magnitude-estimation", 0) >= 4 or typist.answer(["50", "75", "25"][number % 3]) == "page":
            break
    page.context.close()


def read_the_report(recording: Recording, browser: Browser, platform: Platform) -> None:
    """From the participants that arrive to the report and the exports."""
    page = window(browser)
    log_in(page, platform)
    study = f"{platform.base_url}/admin/studies/causal-sentences/"
    page.goto(study + "watch/")
    recording.take(page, "Watch shows who is where, and what to look at.")
    page.goto(study + "watch/participants/")
    recording.take(page, "Every participant, by pseudonym.")
    page.goto(study + "analyse/")
    recording.take(page, "The analyses that suit the design are one click away.")
    page.locator("form[action*='/analyse/suggested/'] button").nth(1).click()
    expect(page.locator("article.report")).to_be_visible(timeout=PATIENCE_MS)
    recording.take(page, "A report begins with its sentences and the table for the paper.", 1.5)
    page.locator("article.report figure").first.scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    recording.take(page, "Figures come in the widths of journals, light and dark.", 1.5)
    page.goto(study + "export/")
    recording.take(page, "Everything is a CSV with a codebook, and the study as a manuscript.")
    page.context.close()


if __name__ == "__main__":
    sys.exit(main())

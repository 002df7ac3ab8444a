"""`make recording`: a study from nothing to its report in sixty seconds, into `docs/pictures/demo.webp`.

Starts a platform, goes through it in Chromium as a researcher and as a participant, and puts what is seen into one
moving picture. Under each frame is the line that `experiments/tour.py` has for its scene. The typing of the participant
is real; the other participants are simulated, as in `make demo`.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from experiments.tour import MOVING, SCENES, STILL
from tests.browser.paper_study import write_study
from tests.browser.platform import PATIENCE_MS, ROOT, Platform, log_in
from tests.browser.screenshots import EXAMPLE
from tests.browser.typist import Typist
from tests.conftest import ARGUMENTS

OUT, FIRST_FRAME = ROOT / "docs" / MOVING, ROOT / "docs" / STILL
WIDTH, HEIGHT, LINE = 1080, 680, 54
SECONDS = 60.0


@dataclass
class Recording:
    """Frames with the share of the time that each is shown, and the scenes that were shown."""

    frames: list[Image.Image] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    scenes: list[str] = field(default_factory=list)

    def take(self, page: Page, scene: str, share: float = 1.0) -> None:
        """Take the window as it is, with the line of a scene under it."""
        page.wait_for_timeout(250)
        shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        frame = Image.new("RGB", (WIDTH, HEIGHT + LINE), "#1d2733")
        frame.paste(shown, (0, 0))
        font = ImageFont.load_default(size=22)
        ImageDraw.Draw(frame).text((24, HEIGHT + LINE / 2), SCENES[scene], font=font, fill="white", anchor="lm")
        self.frames.append(frame)
        self.shares.append(share)
        self.scenes.append(scene)

    def save(self) -> None:
        """Write the moving picture, which plays once, and its first frame.

        Raises:
            ValueError: the scenes are not those of the tour, in their order.
        """
        if list(dict.fromkeys(self.scenes)) != list(SCENES):
            raise ValueError(f"These scenes were recorded: {', '.join(dict.fromkeys(self.scenes))}")
        OUT.parent.mkdir(parents=True, exist_ok=True)
        durations = [round(1000 * SECONDS * share / sum(self.shares)) for share in self.shares]
        first, *others = self.frames
        first.save(OUT, save_all=True, append_images=others, duration=durations, loop=1, quality=82, method=6)
        first.save(FIRST_FRAME, quality=82, method=6)


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
    recording.save()
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


def show(page: Page, what: Locator) -> None:
    """Scroll so that something is at the top of the window, below the bar."""
    what.evaluate("element => element.scrollIntoView({ block: 'start' })")
    page.mouse.wheel(0, -70)


def make_a_study(recording: Recording, browser: Browser, platform: Platform) -> None:
    """From a task and a table to a study that can be opened."""
    page = window(browser)
    log_in(page, platform)
    studies = f"{platform.base_url}/admin/studies/"
    page.goto(studies + "new/?way=task")
    recording.take(page, "begin")
    page.locator("input[type=radio][value='acceptability-magnitude']").check()
    page.fill("#id_title", "Causes before effects")
    page.fill("#id_slug", "causes")
    page.locator("#id_title").scroll_into_view_if_needed()
    recording.take(page, "title")
    page.get_by_role("button", name="Create the study").click()
    page.wait_for_url("**/causes/materials/")
    page.goto(studies + "causes/")
    recording.take(page, "steps")
    page.goto(studies + "causes/materials/")
    recording.take(page, "materials")
    page.set_input_files("#id_file", EXAMPLE.parent / "materials.csv")
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_load_state()
    recording.take(page, "check")
    page.locator("form[action*='store'] button[type=submit]").first.click()
    page.wait_for_load_state()
    recording.take(page, "items")
    page.goto(studies + "causes/design/")
    show(page, page.get_by_role("heading", name="Latin square"))
    recording.take(page, "design")
    for step, scene in (
        ("procedure/", "procedure"),
        ("texts/consent/", "consent"),
        ("plan/", "plan"),
        ("open/", "open"),
    ):
        page.goto(studies + "causes/" + step)
        recording.take(page, scene)
    page.context.close()


def take_part(recording: Recording, browser: Browser, platform: Platform) -> None:
    """One participant, from the start page to a few judgements."""
    page = window(browser)
    typist = Typist(page)
    page.goto(f"{platform.base_url}/s/short/")
    recording.take(page, "link")
    typist.press_button("#landing [data-next]")
    typist.pass_check()
    shown: dict[str, int] = {}
    scenes = {
        "questions": "questions",
        "pages": "instructions",
        "magnitude-estimation": "trial",
    }
    for number in range(40):
        kind = typist.kind()
        shown[kind] = shown.get(kind, 0) + 1
        if kind in scenes and shown[kind] <= (3 if kind == "magnitude-estimation" else 1):
            if kind == "magnitude-estimation" and page.locator(".sheet:not([data-seen]) input").count():
                page.keyboard.type(["50", "75", "25"][shown[kind] - 1])
                recording.take(page, scenes[kind])
                for _ in range(2):
                    page.keyboard.press("Backspace")
            else:
                recording.take(page, scenes[kind])
        if shown.get("magnitude-estimation", 0) >= 4 or typist.answer(["50", "75", "25"][number % 3]) == "page":
            break
    page.context.close()


def read_the_report(recording: Recording, browser: Browser, platform: Platform) -> None:
    """From the participants that arrive to the report and the exports."""
    page = window(browser)
    log_in(page, platform)
    study = f"{platform.base_url}/admin/studies/causal-sentences/"
    page.goto(study + "watch/")
    recording.take(page, "progress")
    page.goto(study + "watch/participants/")
    recording.take(page, "participants")
    page.goto(study + "analyse/")
    recording.take(page, "picture")
    show(page, page.get_by_role("heading", name="Suggested for this study"))
    recording.take(page, "suggested")
    page.get_by_role("button", name=re.compile(r"^Run.+By participants \(F1\)")).first.click()
    expect(page.locator("article.report")).to_be_visible(timeout=PATIENCE_MS)
    recording.take(page, "report", 1.5)
    show(page, page.locator("article.report figure").first)
    page.wait_for_timeout(500)
    recording.take(page, "figures", 1.5)
    page.goto(study + "export/")
    recording.take(page, "export")
    page.context.close()


if __name__ == "__main__":
    sys.exit(main())

"""Simulate participants in real browsers for `benchmarks.loss_browsers`, on pages of Lectern and of jsPsych.

Each has a profile of their own, which outlives the browser. A key that is pressed is an answer from the moment the page
goes on, because nobody was told before that it had been taken: *pressed* are all, *answered* are those after which the
page went on. The page says itself that it went on, as it puts the next thing up, so that this is known of pages, too,
that are killed in the next moment.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import BrowserContext, Page, Playwright, Request
from playwright.sync_api import Error as BrowserError

from benchmarks.loss import SLUG
from benchmarks.loss_people import ACCEPTED
from tests.browser.processes import processes_of
from tests.browser.shown import Shown
from tests.browser.typist import Typist, wait_for_check

KILLED_WITHIN = 0.3
# A server may be killed again and again before somebody gets an answer; the limit only ends what hangs.
LONGEST_WAIT_MS = 900_000
# The completion code of `tests.participants.studies`.
COMPLETED = "DONE-1"
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage"]


class Participant:
    """A browser with a profile that outlives its process, and what was pressed and answered in it."""

    # What is on the page while something can be answered there, and when all is over.
    shows: str

    def __init__(self, playwright: Playwright, executable: str, folder: Path, base: str, *, number: int) -> None:
        self.playwright, self.executable, self.base, self.number = playwright, executable, base, number
        self.profile = folder / f"profile-{number}"
        self.pressed: list[str] = []
        self.answered: set[str] = set()
        self.acknowledged: set[str] = set()
        self.context: BrowserContext | None = None
        self.shown: Shown | None = None

    def open(self) -> Page:
        """Return a page of the browser, which is started where it does not run."""
        if self.context is None:
            self.context = self.playwright.chromium.launch_persistent_context(
                str(self.profile), executable_path=self.executable, args=ARGUMENTS, headless=True
            )
            self.context.set_default_timeout(LONGEST_WAIT_MS)
            self.shown = Shown(self.context, self.shows)
        page = self.context.new_page()
        page.on("requestfinished", self.note)
        return page

    def note(self, request: Request) -> None:
        """Keep what the server acknowledged, where the browser still lives to tell."""
        if not (answers := self.answers_in(request)):
            return
        with suppress(BrowserError):
            answer = request.response()
            if answer is not None and answer.status in ACCEPTED:
                self.acknowledged |= answers

    def answers_in(self, request: Request) -> set[str]:
        """Return the names of the answers that a request carries."""
        raise NotImplementedError

    def visit(self, page: Page, address: str) -> None:
        """Load a page; who finds no server there looks again."""
        while True:
            try:
                page.goto(address)
                return
            except BrowserError as error:
                if "net::ERR_" not in str(error):
                    raise
                page.wait_for_timeout(1_000)

    def crash(self, page: Page) -> None:
        """Kill the process that shows the page."""
        with suppress(BrowserError):
            page.goto("chrome://crash", timeout=2_000)
        with suppress(BrowserError):
            page.close()

    def kill(self) -> None:
        """SIGKILL the browser, every process of it."""
        for process in processes_of(self.profile):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        if self.context is not None:
            with suppress(BrowserError):
                self.context.close()
        self.context = None

    def end(self) -> None:
        """Close the browser and forget its profile."""
        if self.context is not None:
            self.context.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def take_part(self, *, trials: int, kills: dict[int, str], rng: random.Random) -> None:
        """Answer every trial; after the n-th answer whatever `kills` names is killed, once."""
        raise NotImplementedError

    def pages_shown(self) -> int:
        """Return how many pages have been put up in the browser that was started last."""
        return self.shown.number if self.shown is not None else 0

    def killed(self, page: Page, kind: str, rng: random.Random, *, shown_before: int) -> None:
        """Kill what `kind` names; what was pressed last is an answer if the page went on before its end."""
        time.sleep(rng.uniform(0, KILLED_WITHIN))
        if kind == "page":
            self.crash(page)
        else:
            self.kill()
        if self.pages_shown() > shown_before:
            self.answered.add(self.pressed[-1])


class OfLectern(Participant):
    """Goes from the landing page to the last page of a magnitude estimation study, every number typed once."""

    shows = "#lectern .sheet"

    def answers_in(self, request: Request) -> set[str]:
        if not request.url.endswith("/session/results/"):
            return set()
        payloads = [entry.get("payload", {}) for entry in (request.post_data_json or {}).get("entries", [])]
        return {payload["typed"] for payload in payloads if "typed" in payload}

    def take_part(self, *, trials: int, kills: dict[int, str], rng: random.Random) -> None:
        address = f"{self.base}/s/{SLUG}/"
        typist = Typist(self.open())
        self.begin(typist, address)
        last: list[str] = []
        while True:
            number = str(self.number * 1_000 + len(self.pressed) + 1)
            typist.kind()
            self.answered.update(last)
            shown = self.pages_shown()
            kind = typist.answer(number)
            if kind == "page":
                # The last page, or one that says that the server cannot be reached just now.
                typist.page.locator(f".sheet:not(.page), .sheet.page:has-text('{COMPLETED}')").first.wait_for()
                if typist.page.get_by_text(COMPLETED).count():
                    return
            if kind != "magnitude-estimation":
                continue
            self.pressed.append(number)
            last = [number]
            if how := kills.pop(len(self.pressed), ""):
                self.killed(typist.page, how, rng, shown_before=shown)
                last = []
                typist.page = self.open()
                self.visit(typist.page, address)
                typist.page.locator("#landing a.primary").click()

    def begin(self, typist: Typist, address: str) -> None:
        """Go from the landing page to the first trial; press again where no session could be started."""
        page = typist.page
        self.visit(page, address)
        typist.press_button("#landing [data-next]")
        wait_for_check(page)
        typist.press_button("#check [data-next]")
        for box in page.locator("#consent input[data-required]").all():
            box.check()
        while not page.url.endswith("/run/"):
            typist.press_button("#agree")
            page.locator("#lectern, #consent-message:not(:empty)").first.wait_for(state="attached")


class OfThePeer(Participant):
    """Presses a key for every trial; who comes back begins again."""

    shows = "[id^=trial-], #over"

    def __init__(self, *arguments: Any, at_the_end: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.at_the_end = at_the_end

    def answers_in(self, request: Request) -> set[str]:
        return {row["id"] for row in request.post_data_json or []} if request.url.endswith("/save") else set()

    def take_part(self, *, trials: int, kills: dict[int, str], rng: random.Random) -> None:
        page, visit, position = self.open(), 0, 0
        self.begin(page, visit, trials)
        while position < trials:
            page.locator(f"#trial-{position}").wait_for()
            if position:
                self.answered.add(self.pressed[-1])
            shown = self.pages_shown()
            page.keyboard.press("f")
            self.pressed.append(f"{self.number} {visit} {position}")
            position += 1
            if how := kills.pop(len(self.pressed), ""):
                self.killed(page, how, rng, shown_before=shown)
                page, visit, position = self.open(), visit + 1, 0
                self.begin(page, visit, trials)
        page.locator("#over").wait_for()
        self.answered.add(self.pressed[-1])
        # Somebody reads that it is over before the page is closed.
        page.wait_for_timeout(1_000)

    def begin(self, page: Page, visit: int, trials: int) -> None:
        query = {"person": self.number, "visit": visit, "trials": trials, "each": int(not self.at_the_end)}
        self.visit(page, f"{self.base}/?{urlencode(query)}")

"""What becomes of participants' answers in real browsers: Lectern's pages beside jsPsych's, killed in the middle.

    python -m benchmarks.loss_browsers [--sessions 200] [--trials 20] [--seed 1] [--only CONDITION] [--results FOLDER]

The browser form of `benchmarks.loss`: the same servers, faults and lossy proxy, but the real pages in Chromium, each
participant with a profile of their own, who type a number that nobody else types (Lectern) or press a key (jsPsych). A
page is killed by crashing its renderer and a browser by SIGKILL, within 0.3 s after an answer; everybody comes back
with the same profile. The sessions are divided among the conditions. Counted are answers: planned, given,
acknowledged to the page as far as the browser lived to see it, stored, stored twice; *lost* is given and not stored.
Writes `loss_browsers.json` and `loss_browsers.md` into benchmarks/results/. Exit code 1 where Lectern lost anything.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import BrowserContext, Page, Playwright, Request, sync_playwright
from playwright.sync_api import Error as BrowserError

from benchmarks.loss import ARMS, SLUG, Condition, compare, options_of, rows_of
from benchmarks.loss_people import ACCEPTED
from benchmarks.loss_proxy import LossyProxy
from benchmarks.loss_servers import OTHER_TRIALS, LecternServer, PeerServer
from tests.browser.platform import PATIENCE_MS
from tests.browser.processes import main_processes
from tests.browser.typist import Typist, wait_for_check

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = 3
KILLED_WITHIN = 0.3
# The completion code of `tests.participants.studies`.
COMPLETED = "DONE-1"
# Seconds in which a page can be loaded and some trials be answered.
BETWEEN_KILLS = (10.0, 30.0)
ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage"]
CONDITIONS = (
    Condition("nothing"),
    Condition("10 % of requests cut", loss=0.10),
    Condition("page killed", pages_killed=True),
    Condition("browser killed", browsers_killed=True),
    Condition("server killed", server_killed=True),
    Condition("all of it, 5 % cut", loss=0.05, pages_killed=True, browsers_killed=True, server_killed=True),
)
TYPED = """
from participants.models import Response
for payload in Response.objects.order_by("pk").values_list("payload", flat=True):
    if "typed" in payload: print(payload["typed"])
"""


class Participant:
    """A browser with a profile that outlives its process, and what was answered in it."""

    def __init__(self, playwright: Playwright, executable: str, folder: Path, base: str, *, number: int) -> None:
        self.playwright, self.executable, self.base, self.number = playwright, executable, base, number
        self.profile = folder / f"profile-{number}"
        self.answered: list[str] = []
        self.acknowledged: set[str] = set()
        self.context: BrowserContext | None = None

    def open(self) -> Page:
        """Return a page of the browser, which is started where it does not run."""
        if self.context is None:
            self.context = self.playwright.chromium.launch_persistent_context(
                str(self.profile), executable_path=self.executable, args=ARGUMENTS, headless=True
            )
            self.context.set_default_timeout(PATIENCE_MS)
        page = self.context.new_page()
        page.on("requestfinished", self.note)
        return page

    def note(self, request: Request) -> None:
        """Keep what the server acknowledged."""
        raise NotImplementedError

    def crash(self, page: Page) -> None:
        """Kill the process that shows the page."""
        with suppress(BrowserError):
            page.goto("chrome://crash", timeout=2_000)
        with suppress(BrowserError):
            page.close()

    def kill(self) -> None:
        """SIGKILL the browser."""
        for process in main_processes(self.profile):
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

    def killed(self, page: Page, kind: str, rng: random.Random) -> None:
        time.sleep(rng.uniform(0, KILLED_WITHIN))
        if kind == "page":
            self.crash(page)
        else:
            self.kill()


class OfLectern(Participant):
    """Goes from the landing page to the last page of a magnitude estimation study, every number typed once."""

    def note(self, request: Request) -> None:
        answer = request.response() if request.url.endswith("/session/results/") else None
        if answer is None or answer.status not in ACCEPTED:
            return
        for entry in (request.post_data_json or {}).get("entries", []):
            if "typed" in entry.get("payload", {}):
                self.acknowledged.add(entry["payload"]["typed"])

    def take_part(self, *, trials: int, kills: dict[int, str], rng: random.Random) -> None:
        address = f"{self.base}/s/{SLUG}/"
        typist = Typist(self.open())
        self.begin(typist, address)
        while True:
            number = str(self.number * 1_000 + len(self.answered) + 1)
            kind = typist.answer(number)
            if kind == "page":
                # The last page, or one that says that the server cannot be reached just now.
                typist.page.locator(f".sheet:not(.page), .sheet.page:has-text('{COMPLETED}')").first.wait_for()
                if typist.page.get_by_text(COMPLETED).count():
                    return
            if kind != "magnitude-estimation":
                continue
            self.answered.append(number)
            if how := kills.pop(len(self.answered), ""):
                self.killed(typist.page, how, rng)
                typist.page = self.open()
                typist.page.goto(address)
                typist.page.locator("#landing a.primary").click()

    def begin(self, typist: Typist, address: str) -> None:
        """Go from the landing page to the first trial; press again where no session could be started."""
        page = typist.page
        page.goto(address)
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

    def __init__(self, *arguments: Any, at_the_end: bool, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.at_the_end = at_the_end

    def note(self, request: Request) -> None:
        answer = request.response() if request.url.endswith("/save") else None
        if answer is not None and answer.status in ACCEPTED:
            self.acknowledged |= {row["id"] for row in request.post_data_json or []}

    def take_part(self, *, trials: int, kills: dict[int, str], rng: random.Random) -> None:
        page, visit, position = self.open(), 0, 0
        self.begin(page, visit, trials)
        while position < trials:
            page.locator(f"#trial-{position}").wait_for()
            page.keyboard.press("f")
            self.answered.append(f"{self.number} {visit} {position}")
            position += 1
            if how := kills.pop(len(self.answered), ""):
                self.killed(page, how, rng)
                page, visit, position = self.open(), visit + 1, 0
                self.begin(page, visit, trials)
        page.locator("#over").wait_for()
        # Somebody reads that it is over before the page is closed.
        page.wait_for_timeout(1_000)

    def begin(self, page: Page, visit: int, trials: int) -> None:
        query = {"person": self.number, "visit": visit, "trials": trials, "each": int(not self.at_the_end)}
        page.goto(f"{self.base}/?{urlencode(query)}")


def kills_of(condition: Condition, *, answers: int, rng: random.Random) -> dict[int, str]:
    """Return after which answers what is killed: each kind once, never after the last answer."""
    kinds = ["page"] * condition.pages_killed + ["browser"] * condition.browsers_killed
    places = rng.sample(range(1, answers), len(kinds))
    return dict(zip(places, kinds, strict=True))


def take_turns(
    arm: str,
    condition: Condition,
    base: str,
    numbers: list[int],
    trials: int,
    seed: int,
    folder: Path,
    told: Queue[Any],
) -> None:
    """Let these people take part one after the other, in a process of their own, and tell what they did."""
    executable = os.environ["CHROMIUM"]
    try:
        with sync_playwright() as playwright:
            for number in numbers:
                rng = random.Random(f"{seed} {arm} {condition.name} {number}")
                common: tuple[Any, ...] = (playwright, executable, folder, base)
                somebody: Participant = (
                    OfLectern(*common, number=number)
                    if arm == ARMS[0]
                    else OfThePeer(*common, number=number, at_the_end=arm == ARMS[1])
                )
                answers = trials if arm != ARMS[0] else trials - 1
                somebody.take_part(trials=trials, kills=kills_of(condition, answers=answers, rng=rng), rng=rng)
                somebody.end()
                told.put((somebody.answered, somebody.acknowledged))
    except Exception as error:  # noqa: BLE001 - whatever ended a browser is reported
        told.put(f"{arm}, {condition.name}: {error!r}")
    told.put(None)


def run(arm: str, condition: Condition, *, sessions: int, trials: int, seed: int) -> dict[str, Any]:
    """Let people take part in browsers and return what was counted."""
    with tempfile.TemporaryDirectory(prefix="lectern-loss-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        server = LecternServer(folder, slug=SLUG, trials=trials) if arm == ARMS[0] else PeerServer(folder)
        proxy = None
        try:
            if arm == ARMS[0]:
                server.run("manage.py", "collectstatic", "--no-input", "--verbosity", "0")
            server.start()
            proxy = LossyProxy(server.port, loss=condition.loss, seed=seed)
            base = f"http://127.0.0.1:{proxy.port}"
            processes = get_context("spawn")
            told: Queue[Any] = processes.Queue()
            people = [
                processes.Process(
                    target=take_turns,
                    args=(arm, condition, base, list(range(place, sessions + 1, BROWSERS)), trials, seed, folder, told),
                    daemon=True,
                )
                for place in range(1, min(BROWSERS, sessions) + 1)
            ]
            for one in people:
                one.start()
            done, disturbed = gathered(people, told, server, condition, seed=seed)
            server.stop()
            stored = server.ask(TYPED).splitlines() if arm == ARMS[0] else [one for one, _ in server.stored_answers()]
            planned = sessions * (trials - 1 if arm == ARMS[0] else trials)
            return {
                **counted(done, stored, planned=planned), "proxy": dict(proxy.faults), "faults": dict(disturbed),
            }  # fmt: skip
        finally:
            if proxy is not None:
                proxy.stop()
            server.end()


def gathered(
    people: list[BaseProcess], told: Queue[Any], server: LecternServer, condition: Condition, *, seed: int
) -> tuple[list[tuple[list[str], set[str]]], Counter[str]]:
    """Return what everybody did, and how often the server was killed meanwhile."""
    done: list[tuple[list[str], set[str]]] = []
    disturbed: Counter[str] = Counter()
    rng = random.Random(f"faults {seed} {condition.name}")
    at_work = len(people)
    while at_work:
        if condition.server_killed:
            time.sleep(rng.uniform(*BETWEEN_KILLS))
            server.kill("both SIGKILL")
            disturbed["server_killed"] += 1
        while at_work and (not condition.server_killed or not told.empty()):
            said = told.get()
            if isinstance(said, str):
                raise AssertionError(said)
            if said is None:
                at_work -= 1
            else:
                done.append(said)
    return done, disturbed


def counted(done: list[tuple[list[str], set[str]]], stored: list[str], *, planned: int) -> dict[str, Any]:
    """Compare what people did with what is stored."""
    times = Counter(stored)
    answered = {name for names, _ in done for name in names}
    acknowledged = {name for _, names in done for name in names}
    return {
        "sessions": len(done),
        "planned": planned,
        "answered": len(answered),
        "acknowledged": len(acknowledged),
        "stored": len(times),
        "stored twice": sum(number > 1 for number in times.values()),
        "lost": len(answered - set(times)),
        "broken promises": len(acknowledged - set(times)),
    }


def table(outcome: dict[str, Any]) -> str:
    """Return the outcome as a page of Markdown."""
    names = ("sessions", "planned", "answered", "acknowledged", "stored", "stored twice", "lost", "broken promises")
    return f"""# What becomes of answers in browsers that are killed

Written by `python -m benchmarks loss-browsers` on {outcome["at"][:10]}, with seed {outcome["seed"]}:
{outcome["sessions"]:,} sessions of {outcome["trials"]} trials for each kind of page, in Chromium.
Pages and browsers are killed within {KILLED_WITHIN:g} s after an answer. *Planned* are the answers of
people whom nothing befalls; whoever begins again gives more. *Acknowledged* is what the browser lived
to hear from the server.

{rows_of(outcome, names)}
"""


def main() -> None:
    parser = options_of("What becomes of answers in browsers that are killed.", CONDITIONS, sessions=200)
    options = parser.parse_args()
    if options.trials <= OTHER_TRIALS + 2:
        parser.error(f"--trials: at least {OTHER_TRIALS + 3}")
    os.environ["CHROMIUM"] = subprocess.run(
        ["tests/browser/find_chromium.sh"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    compare(options, CONDITIONS, run, table, name="loss_browsers")


if __name__ == "__main__":
    main()

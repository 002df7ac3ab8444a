"""The benchmark of loss in real Chromium: pages of Lectern beside plain jsPsych, over a lossy proxy, killed in between.

    python -m benchmarks.loss_browser [--sessions 200] [--trials 20] [--seed 1] [--results FOLDER]

One request in twenty is cut. Of three people, one is left alone, one's tab is crashed in the middle, one's browser is
killed with SIGKILL; both come back to the same address with the same profile. The server is killed every half minute.
Answers are keys that were pressed on the real pages. Writes `loss_browser.json` and `loss_browser.md`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from threading import Lock, Thread
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from playwright.sync_api import BrowserContext, Page, Playwright, sync_playwright  # noqa: E402
from playwright.sync_api import Error as BrowserGone  # noqa: E402

from benchmarks.loss import ARMS, ROOT, SLUG  # noqa: E402 - the settings have to be named first
from benchmarks.loss_proxy import LossyProxy  # noqa: E402
from benchmarks.loss_servers import LecternServer, PeerServer, Served  # noqa: E402
from tests.browser.typist import wait_for_check  # noqa: E402

LOSS, WINDOWS, SERVER_LIVES = 0.05, 2, 30.0
FATES = ("left alone", "tab crashed", "browser killed")
PATIENCE = 120.0
ATTEMPTS = 8
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--no-first-run"]
STORED = """
from participants.models import RecruitmentIdentity, Response
people = dict(RecruitmentIdentity.objects.values_list("participant_id", "external_id"))
rows = Response.objects.filter(trial__plugin="magnitude-estimation")
for participant, position, typed in rows.values_list(
    "trial__session__participant_id", "trial__position", "payload__typed"
):
    print(people[participant], position, typed)
"""


class PagesServer(LecternServer):
    """Lectern with the scripts and styles of its pages."""

    def start(self) -> None:
        self.run("manage.py", "collectstatic", "--no-input", "--verbosity", "0")
        super().start()


class Person:
    """Somebody with a browser profile of their own, who presses keys until the study says that it is over."""

    def __init__(self, playwright: Playwright, folder: Path, number: int, *, trials: int, seed: int) -> None:
        self.playwright, self.profile, self.name = playwright, folder / f"profile-{number}", f"person-{number}"
        self.rng = random.Random(f"{seed} {number}")
        self.fate = FATES[number % len(FATES)]
        self.killed_at = self.rng.randrange(1, trials) if self.fate != FATES[0] else -1
        self.answered: list[str] = []
        self.acknowledged: set[str] = set()
        self.context: BrowserContext | None = None
        self.page = self.open()

    def open(self) -> Page:
        """Open a tab, and the browser where there is none."""
        if self.context is None:
            self.context = self.playwright.chromium.launch_persistent_context(
                str(self.profile), executable_path=os.environ.get("CHROMIUM") or "/usr/bin/chromium", args=ARGUMENTS
            )
        self.page = self.context.new_page()
        self.page.on("response", self.note)
        return self.page

    def note(self, answer: Any) -> None:
        """Note what the server acknowledged to the page."""
        raise NotImplementedError

    def interrupt(self) -> bool:
        """Kill the tab or the browser, once, and open it again; return whether that was done."""
        if len(self.answered) != self.killed_at:
            return False
        self.killed_at = -1
        assert self.context is not None
        if self.fate == "tab crashed":
            with contextlib.suppress(BrowserGone):  # as it was asked to
                self.context.new_cdp_session(self.page).send("Page.crash")
        else:
            mine = f"--user-data-dir={self.profile}"
            for folder in Path("/proc").glob("[0-9]*"):
                try:
                    words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
                except OSError:
                    continue
                if mine in words and not any(word.startswith("--type=") for word in words):
                    os.kill(int(folder.name), signal.SIGKILL)
            self.context = None
            time.sleep(0.5)
        self.open()
        return True

    def close(self) -> None:
        if self.context is not None:
            self.context.close()


class LecternPerson(Person):
    """Takes part on the pages of Lectern."""

    def note(self, answer: Any) -> None:
        if not answer.url.endswith("/session/results/") or answer.status != 200:
            return
        try:
            outcomes = answer.json()["results"]
        except (BrowserGone, ValueError):
            return
        self.acknowledged |= {f"{self.name} {one['sequence']}" for one in outcomes if one["kind"] == "result"}

    def take_part(self, address: str) -> None:
        self.arrive(f"{address}/s/{SLUG}/?PROLIFIC_PID={self.name}")
        until = time.monotonic() + PATIENCE * 3
        while time.monotonic() < until:
            if self.interrupt():
                self.arrive(f"{address}/s/{SLUG}/?PROLIFIC_PID={self.name}")
            sheet = self.page.locator("#lectern .sheet:not([data-seen])").first
            sheet.wait_for(timeout=PATIENCE * 1000)
            kind = (sheet.get_attribute("class") or "").replace("sheet", "").strip()
            if kind == "page":
                if self.page.get_by_text("DONE-1").count():
                    return
                time.sleep(0.2)
                continue
            number = str(self.rng.randint(1, 999))
            if kind == "magnitude-estimation":
                self.page.locator("#number:focus").wait_for()
                self.page.keyboard.type(number)
            sheet.evaluate("sheet => { sheet.dataset.seen = 'yes' }")
            self.page.keyboard.press("Enter")
            if kind == "magnitude-estimation":
                self.answered.append(number)
        raise TimeoutError(f"{self.name} did not come to an end.")

    def arrive(self, address: str) -> None:
        """Start, or go on where the session is known; load the page again where it does not get on, as people do."""
        for _ in range(ATTEMPTS):
            try:
                self.enter(address)
                self.page.wait_for_url("**/run/", timeout=15_000)
            except BrowserGone as trouble:
                last = trouble
            else:
                return
        raise last

    def enter(self, address: str) -> None:
        self.page.goto(address, timeout=PATIENCE * 1000)
        go_on = self.page.locator("#landing a.primary")
        if not go_on.count():
            self.page.wait_for_timeout(1000)  # the page may find its session again by itself
        if go_on.count():
            go_on.click()
            return
        self.page.locator("#landing [data-next]").click()
        wait_for_check(self.page)
        self.page.locator("#check [data-next]").click()
        for box in self.page.locator("#consent input[data-required]").all():
            box.check()
        self.page.locator("#agree").click()


class PlainPerson(Person):
    """Takes part on a plain jsPsych page, from the beginning whenever it is opened."""

    def __init__(self, *arguments: Any, per_trial: bool, trials: int, **options: Any) -> None:
        self.per_trial, self.trials, self.visits = per_trial, trials, 0
        super().__init__(*arguments, trials=trials, **options)

    def note(self, answer: Any) -> None:
        if answer.url.endswith("/save") and answer.status == 200:
            self.acknowledged |= {one["id"] for one in json.loads(answer.request.post_data or "[]")}

    def take_part(self, address: str) -> None:
        while not self.visit(address):
            continue

    def visit(self, address: str) -> bool:
        """Go through all trials; return False where the page was killed before the end."""
        self.visits += 1
        query = f"person={self.name}&visit={self.visits}&trials={self.trials}&each={int(self.per_trial)}"
        self.page.goto(f"{address}/?{query}", timeout=PATIENCE * 1000)
        for position in range(self.trials):
            self.page.locator(f"#trial-{position}").wait_for(timeout=PATIENCE * 1000)
            self.page.keyboard.press(self.rng.choice("fj"))
            self.answered.append(f"{self.name} {self.visits} {position}")
            if self.interrupt():
                return False
        self.page.locator("#over").wait_for(timeout=PATIENCE * 1000)
        self.page.wait_for_timeout(1500)  # what was sent without waiting for an answer gets its time
        return True


def run(arm: str, *, sessions: int, trials: int, seed: int) -> dict[str, Any]:
    """Let people take part and return what was counted."""
    with tempfile.TemporaryDirectory(prefix="lectern-loss-browser-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        # One of the answers is to the modulus.
        server: Served = PagesServer(folder, slug=SLUG, trials=trials + 1) if arm == ARMS[0] else PeerServer(folder)
        proxy = None
        try:
            server.start()
            proxy = LossyProxy(server.port, loss=LOSS, seed=seed)
            people, kills = crowd(arm, server, proxy.port, folder, sessions=sessions, trials=trials, seed=seed)
            server.stop()
            stored = browser_answers(server) if isinstance(server, LecternServer) and arm == ARMS[0] else [
                name for name, _ in server.stored_answers()
            ]  # fmt: skip
            return {"server killed": kills, "proxy": dict(proxy.faults), **counted(arm, people, stored, trials)}
        finally:
            if proxy is not None:
                proxy.stop()
            server.end()


def browser_answers(server: LecternServer) -> list[str]:
    """Return who answered which judgement with what."""
    return server.ask(STORED).splitlines()


def crowd(
    arm: str, server: Served, port: int, folder: Path, *, sessions: int, trials: int, seed: int
) -> tuple[list[Person], int]:
    """Let people take part in several windows at a time, while the server is killed now and then."""
    numbers, lock = iter(range(sessions)), Lock()
    people: list[Person] = []
    errors: list[str] = []

    def window() -> None:
        with sync_playwright() as playwright:
            while True:
                with lock:
                    number = next(numbers, None)
                if number is None or errors:
                    return
                options: dict[str, Any] = {"trials": trials, "seed": seed}
                person: Person = (
                    LecternPerson(playwright, folder, number, **options)
                    if arm == ARMS[0]
                    else PlainPerson(playwright, folder, number, per_trial=arm == ARMS[2], **options)
                )
                try:
                    person.take_part(f"http://127.0.0.1:{port}")
                except Exception as error:  # noqa: BLE001 - whatever ended somebody's session is reported
                    errors.append(f"{person.name}: {error!r}")
                finally:
                    people.append(person)
                    person.close()

    threads = [Thread(target=window, daemon=True) for _ in range(WINDOWS)]
    for thread in threads:
        thread.start()
    kills, last = 0, time.monotonic()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.5)
        if time.monotonic() > last + SERVER_LIVES:
            server.kill("both SIGKILL")
            kills, last = kills + 1, time.monotonic()
    if errors:
        raise AssertionError(f"{arm}: {errors[0]}")
    return people, kills


def counted(arm: str, people: list[Person], stored: list[str], trials: int) -> dict[str, Any]:
    """Compare what people did with what is stored."""
    acknowledged = {name for person in people for name in person.acknowledged}
    if arm == ARMS[0]:
        # An answer that was typed and whose page was killed before the key was taken is asked for again.
        rows = [line.split() for line in stored]
        given = Counter(f"{person.name} {number}" for person in people for number in person.answered)
        kept = Counter(f"{name} {typed}" for name, _, typed in rows)
        positions = Counter(f"{name} {position}" for name, position, _ in rows)
        judged = {name for name in acknowledged if name in positions}
        lost, twice = sum((given - kept).values()), sum(number > 1 for number in positions.values())
        # Position 0 holds the instructions, which are no judgement.
        broken = sum(name not in positions for name in acknowledged if not name.endswith(" 0"))
        return {
            "planned": trials * len(people), "answered": given.total(), "acknowledged": len(judged),
            "stored": len(positions), "stored twice": twice, "lost": lost, "broken promises": broken,
        }  # fmt: skip
    answered = {name for person in people for name in person.answered}
    times = Counter(stored)
    return {
        "planned": trials * len(people), "answered": len(answered), "acknowledged": len(acknowledged),
        "stored": len(times), "stored twice": sum(number > 1 for number in times.values()),
        "lost": len(answered - set(times)), "broken promises": len(acknowledged - set(times)),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="What becomes of answers when things break, in real Chromium.")
    parser.add_argument("--sessions", type=int, default=200, help="for each kind of page")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=ROOT / "benchmarks" / "results", help="where the numbers go")
    options = parser.parse_args()
    rows = []
    for arm in ARMS:
        rows.append({"arm": arm, **run(arm, sessions=options.sessions, trials=options.trials, seed=options.seed)})
        print(json.dumps(rows[-1]), flush=True)
    names = ("planned", "answered", "acknowledged", "stored", "stored twice", "lost", "broken promises")
    lines = [f"| {row['arm']} | " + " | ".join(f"{row[name]:,}" for name in names) + " |" for row in rows]
    page = "\n".join(
        [
            "# Answers in real Chromium when things break",
            "",
            f"Written by `python -m benchmarks.loss_browser` (seed {options.seed}): {options.sessions} people for each",
            f"kind of page, {options.trials} answers each, {LOSS:.0%} of requests cut, a third of the tabs crashed,",
            f"a third of the browsers killed, the server killed every {SERVER_LIVES:g} s.",
            "",
            "| page | " + " | ".join(names) + " |",
            "|" + "---|" * (len(names) + 1),
            *lines,
            "",
        ]
    )
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "loss_browser.json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    (options.results / "loss_browser.md").write_text(page, encoding="utf-8")
    print(page)
    if any(rows[0][name] for name in ("lost", "stored twice", "broken promises")):
        sys.exit("Lectern lost something.")


if __name__ == "__main__":
    main()

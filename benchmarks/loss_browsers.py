"""Measure data loss in real browsers that are killed during a session: Lectern and jsPsych.

    python -m benchmarks.loss_browsers [--sessions 200] [--trials 20] [--seed 1] [--only CONDITION] [--results FOLDER]

The browser form of `benchmarks.loss`: the same servers, faults and lossy proxy, but the real pages in Chromium, each
participant with a profile of their own, who type a number that nobody else types (Lectern) or press a key (jsPsych). A
page is killed by crashing its renderer and a browser by SIGKILL of all its processes, within 0.3 s after a key;
everybody comes back with the same profile. The sessions are divided among the conditions. Counted are answers: planned,
pressed, answered (the page went on after the key), acknowledged to the page as far as the browser lived to see it,
stored, stored twice; *lost* is answered and not stored, *cut off* is pressed and not stored where the page had not
gone on. Writes `loss_browsers.json` and `loss_browsers.md` into benchmarks/results/. Exit code 1 where Lectern lost
anything.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

from benchmarks import needs
from benchmarks.loss import ARMS, SLUG, Condition, compare, options_of, rows_of
from benchmarks.loss_browser_people import KILLED_WITHIN, OfLectern, OfThePeer, Participant
from benchmarks.loss_proxy import LossyProxy
from benchmarks.loss_servers import OTHER_TRIALS, LecternServer, PeerServer

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = 3
# Seconds in which a page can be loaded and some trials be answered.
BETWEEN_KILLS = (10.0, 30.0)
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


class Done(NamedTuple):
    """The names of what one person did."""

    pressed: set[str]
    answered: set[str]
    acknowledged: set[str]


def kills_of(condition: Condition, *, answers: int, rng: random.Random) -> dict[int, str]:
    """Return after how many keys what is killed: each kind once, never after the last answer."""
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
                told.put(Done({*somebody.pressed}, somebody.answered, somebody.acknowledged))
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
    people: Sequence[BaseProcess], told: Queue[Any], server: LecternServer, condition: Condition, *, seed: int
) -> tuple[list[Done], Counter[str]]:
    """Return what everybody did, and how often the server was killed meanwhile."""
    done: list[Done] = []
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


def counted(done: list[Done], stored: list[str], *, planned: int) -> dict[str, Any]:
    """Compare what people did with what is stored."""
    times = Counter(stored)
    pressed = {name for one in done for name in one.pressed}
    answered = {name for one in done for name in one.answered}
    acknowledged = {name for one in done for name in one.acknowledged}
    return {
        "sessions": len(done),
        "planned": planned,
        "pressed": len(pressed),
        "answered": len(answered),
        "acknowledged": len(acknowledged),
        "stored": len(times),
        "stored twice": sum(number > 1 for number in times.values()),
        "cut off": len(pressed - answered - set(times)),
        "lost": len(answered - set(times)),
        "broken promises": len(acknowledged - set(times)),
    }


def table(outcome: dict[str, Any]) -> str:
    """Return the outcome as a page of Markdown."""
    names = (
        "sessions", "planned", "pressed", "answered", "acknowledged", "stored", "stored twice", "cut off", "lost",
        "broken promises",
    )  # fmt: skip
    return f"""# What becomes of answers in browsers that are killed

Written by `python -m benchmarks loss-browsers` on {outcome["at"][:10]}, with seed {outcome["seed"]}:
{outcome["sessions"]:,} sessions of {outcome["trials"]} trials for each kind of page, in Chromium.
Pages and browsers are killed within {KILLED_WITHIN:g} s after a key. *Planned* are the answers of people
whom nothing befalls; whoever begins again gives more. *Pressed* are the keys with which people answered,
*answered* are those after which the page went on to what comes next, so that they could believe that it
had taken the answer. *Acknowledged* is what the browser lived to hear from the server. *Lost* is answered
and not stored; *cut off* is not stored, and the page had not gone on either.

{rows_of(outcome, names)}
"""


def main() -> None:
    parser = options_of("What becomes of answers in browsers that are killed.", CONDITIONS, sessions=200)
    options = parser.parse_args()
    if options.trials <= OTHER_TRIALS + 2:
        parser.error(f"--trials: at least {OTHER_TRIALS + 3}")
    needs.or_exit(*needs.LOSS_BROWSERS)
    os.environ["CHROMIUM"] = str(needs.chromium())
    compare(options, CONDITIONS, run, table, name="loss_browsers")


if __name__ == "__main__":
    main()

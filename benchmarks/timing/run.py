"""Measure reaction times and display durations against the compositor, compared with plain jsPsych in the same run.

    python -m benchmarks timing -- [--trials 80] [--displays 60] [--seed 1]

Needs Chromium (on the path, or named in CHROMIUM) and `make setup`.
Writes benchmarks/results/timing.json and timing.md.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import http.server
import json
import os
import platform
import random
import subprocess
import tempfile
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright

from benchmarks import needs
from benchmarks.timing.chrome_trace import Screen, read_screen
from benchmarks.timing.report import markdown
from benchmarks.timing.summary import summarise_displays, summarise_errors

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = HERE.parent / "results"
FRAME_MS = 1000 / 60
# A round holds a block of every condition, so that what else the machine does meets all of them alike.
ROUNDS = 4
# The first displays of a page load its typeface and are left out, for both systems.
WARM_UP = 2

HIDE_ELEMENT_TIMING = """
Object.defineProperty(PerformanceObserver, "supportedEntryTypes", {
  value: PerformanceObserver.supportedEntryTypes.filter((type) => type !== "element"),
});
"""


@dataclass(frozen=True)
class System:
    """One way to take a reaction time."""

    name: str
    label: str
    implementation: str
    isolated: bool = True
    element_timing: bool = True


SYSTEMS = (
    System("lectern", "Lectern, Element Timing, cross-origin isolated", "lectern"),
    System("lectern-plain", "Lectern, Element Timing, not isolated", "lectern", isolated=False),
    System("lectern-frames", "Lectern, frame clock (no Element Timing)", "lectern", element_timing=False),
    System("jspsych", "jsPsych html-keyboard-response", "jspsych"),
)


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves the built page; under /plain without the headers that isolate it."""

    def end_headers(self) -> None:
        if "plain" not in self.path:
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        return


@contextmanager
def serving(directory: Path) -> Iterator[str]:
    """Serve a directory on a free port of this machine for as long as the block lasts."""
    handler = functools.partial(Files, directory=str(directory))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def build_page(directory: Path) -> None:
    """Build the measuring page into a directory."""
    vite = ROOT / "frontend" / "node_modules" / ".bin" / "vite"
    command = [str(vite), "build", "--config", str(HERE / "vite.config.mjs"), "--outDir", str(directory)]
    subprocess.run([*command, "--logLevel", "warn"], check=True, cwd=HERE)


async def new_page(browser: Browser, address: str, *, system: System, chance: random.Random) -> Page:
    """Open the measuring page as a system needs it, with the keys that it may ask for."""
    context = await browser.new_context(viewport={"width": 1280, "height": 800})
    page = await context.new_page()
    keyboard = await context.new_cdp_session(page)

    async def press_keys() -> None:
        for key, code, text in (("5", 53, "5"), ("Enter", 13, "\r")):
            await asyncio.sleep(chance.uniform(0.08, 0.24))
            pressed = {"key": key, "windowsVirtualKeyCode": code, "text": text}
            await keyboard.send("Input.dispatchKeyEvent", {"type": "keyDown", **pressed})
            await keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": key, "windowsVirtualKeyCode": code})

    await page.expose_function("pressKeys", press_keys)
    if not system.element_timing:
        await page.add_init_script(HIDE_ELEMENT_TIMING)
    await page.goto(address if system.isolated else f"{address}?plain")
    await page.bring_to_front()
    return page


async def traced(browser: Browser, page: Page, expression: str, argument: dict[str, Any]) -> tuple[Any, Screen]:
    """Evaluate something on the page under a trace; return its value and what was on the screen."""
    await browser.start_tracing(page=page, categories=["-*", "benchmark", "blink.user_timing"])
    try:
        value = await page.evaluate(expression, argument)
    finally:
        trace = await browser.stop_tracing()
    return value, read_screen(json.loads(trace)["traceEvents"])


async def measure_reaction_times(
    browser: Browser, address: str, *, trials: int, rounds: int, chance: random.Random
) -> Any:
    """Return {(system, busy): [one dict per trial]}; `error_ms` is None where the trace does not know the onset."""
    found: dict[tuple[str, bool], list[dict[str, Any]]] = defaultdict(list)
    blocks = [(system, busy) for system in SYSTEMS for busy in (False, True)]
    for part in range(rounds):
        chance.shuffle(blocks)
        for system, busy in blocks:
            page = await new_page(browser, address, system=system, chance=chance)
            argument = {"system": system.implementation, "busy": busy, "trials": trials // rounds}
            records, screen = await traced(browser, page, "options => timing.reactionTimes(options)", argument)
            if await page.evaluate("crossOriginIsolated") != system.isolated:
                raise RuntimeError(f"The page of {system.name} has the wrong isolation.")
            await page.context.close()
            for record in records:
                shown = screen.shown_after(record["mark"])
                truth = None if shown is None else record["response_ms"] - shown
                error = None if truth is None else record["rt_ms"] - truth
                found[system.name, busy].append({**record, "truth_ms": truth, "error_ms": error})
        print(f"reaction times: round {part + 1} of {rounds}", flush=True)
    return found


async def measure_displays(browser: Browser, address: str, *, displays: int, rounds: int, chance: random.Random) -> Any:
    """Return {(system, kind): [one dict per display]} for displays of 100 ms and of n × 500 ms, errors as above."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    systems = [SYSTEMS[0], SYSTEMS[-1]]
    for part in range(rounds):
        for kind in ("100 ms", "n × 500 ms"):
            count = WARM_UP + displays // rounds
            durations = [100 if kind == "100 ms" else 500 * chance.randint(1, 3) for _ in range(count)]
            for system in chance.sample(systems, 2):
                page = await new_page(browser, address, system=system, chance=chance)
                argument = {"system": system.implementation, "durations": durations}
                records, screen = await traced(browser, page, "options => timing.displays(options)", argument)
                await page.context.close()
                for record in records[WARM_UP:]:
                    marks = [f"{record['mark']}-{edge}" for edge in ("on", "off")]
                    on, off = (screen.shown_after(mark) for mark in marks)
                    first, last = (screen.tick_after(mark, frame_ms=FRAME_MS) for mark in marks)
                    swap = None if on is None or off is None else off - on - record["intended_ms"]
                    shown = None if first is None or last is None else last - first - record["intended_ms"]
                    found[system.name, kind].append({**record, "swap_error_ms": swap, "screen_error_ms": shown})
        print(f"displays: round {part + 1} of {rounds}", flush=True)
    return found


def machine(browser_version: str) -> dict[str, Any]:
    """Return what the numbers were measured on."""
    packages = json.loads((ROOT / "frontend" / "package-lock.json").read_text())["packages"]
    model = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": model,
        "cores": os.cpu_count(),
        "load_average": round(os.getloadavg()[0], 2),
        "chromium": browser_version,
        "jspsych": packages["node_modules/jspsych"]["version"],
        "html_keyboard_response": packages["node_modules/@jspsych/plugin-html-keyboard-response"]["version"],
    }


def known(records: list[dict[str, Any]], name: str) -> list[float]:
    """Return the errors whose truth is known."""
    return [record[name] for record in records if record[name] is not None]


def reaction_report(found: dict[tuple[str, bool], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return one row per system and load, with its ratio to the peer under the same load."""
    rows = []
    for busy in (False, True):
        peer = summarise_errors(known(found["jspsych", busy], "error_ms"))
        for system in SYSTEMS:
            trials = found[system.name, busy]
            errors = known(trials, "error_ms")
            summary = summarise_errors(errors)
            clocks = sorted({trial["clock"] for trial in trials})
            ratio = summary.mean_absolute / peer.mean_absolute
            row = {"system": system.name, "label": system.label, "load": "busy" if busy else "quiet", "clocks": clocks}
            without = len(trials) - len(errors)
            rows.append({**row, "without_truth": without, **asdict(summary), "ratio_to_jspsych": ratio})
    return rows


def display_report(found: dict[tuple[str, str], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return one row per system and kind of duration."""
    labels = {system.name: system.label for system in SYSTEMS}
    rows = []
    for (name, kind), displays in sorted(found.items(), key=lambda item: item[0][::-1]):
        errors = known(displays, "screen_error_ms")
        flagged = [display["flagged"] for display in displays if display["screen_error_ms"] is not None]
        summary = summarise_displays(errors, flagged=flagged, frame_ms=FRAME_MS)
        swaps = summarise_errors(known(displays, "swap_error_ms"))
        label = "Lectern, target time on a primed frame loop" if name == "lectern" else f"{labels[name]} (setTimeout)"
        row = {"system": name, "label": label, "durations": kind, "without_truth": len(displays) - len(errors)}
        rows.append({**row, **asdict(summary), "swap": asdict(swaps)})
    return rows


async def measure(options: argparse.Namespace) -> None:
    """Build, measure, write the results."""
    chance = random.Random(options.seed)
    executable = needs.chromium()
    with tempfile.TemporaryDirectory() as directory:
        build_page(Path(directory))
        with serving(Path(directory)) as address:
            async with async_playwright() as playwright:
                arguments = ["--no-sandbox", "--headless=new"]
                browser = await playwright.chromium.launch(executable_path=executable, args=arguments)
                facts = machine(browser.version)
                reactions = await measure_reaction_times(
                    browser, address, trials=options.trials, rounds=options.rounds, chance=chance
                )
                displays = await measure_displays(
                    browser, address, displays=options.displays, rounds=options.rounds, chance=chance
                )
                await browser.close()
    facts["load_average_after"] = round(os.getloadavg()[0], 2)
    results = {
        "machine": facts,
        "seed": options.seed,
        "reaction_times": reaction_report(reactions),
        "displays": display_report(displays),
    }
    folder = options.results
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "timing.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    (folder / "timing.md").write_text(markdown(results))
    print((folder / "timing.md").read_text())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure timing against the compositor, beside plain jsPsych.")
    parser.add_argument("--trials", type=int, default=80, help="reaction times per system and load")
    parser.add_argument("--displays", type=int, default=60, help="displays per system and kind of duration")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="blocks of each condition, in a new order each time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the numbers go")
    given = parser.parse_args()
    needs.or_exit(*needs.TIMING)
    asyncio.run(measure(given))

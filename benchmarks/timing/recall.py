"""Measure display durations of sentence recall against the compositor, compared with plain jsPsych in the same run.

    python -m benchmarks recall-displays -- [--displays 60] [--seed 1]

Whole sentences of n words for n × 500 ms, and word by word at 500 ms each, by the trial that participants get. Needs
what `timing` needs. Writes benchmarks/results/recall_displays.json and recall_displays.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import tempfile
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright

from benchmarks import needs
from benchmarks.timing.run import (
    FRAME_MS,
    RESULTS,
    ROUNDS,
    SYSTEMS,
    build_page,
    known,
    machine,
    new_page,
    serving,
    traced,
)
from benchmarks.timing.summary import summarise_displays, summarise_errors

WHOLE, WORD_BY_WORD = "whole sentence, n × 500 ms", "word by word, 500 ms"
FEWEST_WORDS, MOST_WORDS = 2, 5
PAIR = (SYSTEMS[0], SYSTEMS[-1])
LABELS = {"lectern": "Lectern, sentence-recall trial", "jspsych": "jsPsych html-keyboard-response (setTimeout)"}

NOTES = """\
- The truth is the tick of the 60 Hz timer at which the compositor's frame becomes visible; see timing.md, whose remarks
  on headless Chromium hold here too.
- "Within one frame" are displays shown for their intended duration to within one frame, "exact" those to within half
  of one. "Missed" are displays off by more than half a frame which the system did not flag itself; jsPsych flags none.
- The first sentence of each page is left out for both. "Unknown" counts what the trace does not hold.
- Above a load of the number of cores the machine itself holds frames back, for both systems alike: the ratio of mean
  absolute errors within this run is the result, not the milliseconds.
"""


def sentences_of(kind: str, *, displays: int, chance: random.Random) -> list[int]:
    """Return the number of words of each sentence of one block: one to warm up, then enough for the displays."""
    if kind == WHOLE:
        return [chance.randint(FEWEST_WORDS, MOST_WORDS) for _ in range(displays + 1)]
    return [5] * (max(1, displays // 5) + 1)


async def measure_displays(browser: Browser, address: str, *, displays: int, rounds: int, chance: random.Random) -> Any:
    """Return {(system, kind): [one dict per display]}, errors in milliseconds."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for part in range(rounds):
        for kind in (WHOLE, WORD_BY_WORD):
            sentences = sentences_of(kind, displays=displays // rounds, chance=chance)
            for system in chance.sample(PAIR, 2):
                page = await new_page(browser, address, system=system, chance=chance)
                argument = {
                    "system": system.implementation,
                    "sentences": sentences,
                    "wordByWord": kind == WORD_BY_WORD,
                }
                records, screen = await traced(browser, page, "options => timing.recallDisplays(options)", argument)
                await page.context.close()
                warm_up = 1 if kind == WHOLE else sentences[0]
                for record in records[warm_up:]:
                    on, off = f"{record['mark']}-on", f"{record['mark']}-off"
                    first, last = (screen.tick_after(mark, frame_ms=FRAME_MS) for mark in (on, off))
                    error = None if first is None or last is None else last - first - record["intended_ms"]
                    found[system.name, kind].append({**record, "screen_error_ms": error})
        print(f"round {part + 1} of {rounds}", flush=True)
    return found


def report(found: dict[tuple[str, str], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return one row per kind of display and system, with the ratio of mean absolute errors to jsPsych's."""
    rows = []
    for kind in (WHOLE, WORD_BY_WORD):
        peer = summarise_errors(known(found["jspsych", kind], "screen_error_ms")).mean_absolute
        for system in PAIR:
            displays = found[system.name, kind]
            errors = known(displays, "screen_error_ms")
            flagged = [display["flagged"] for display in displays if display["screen_error_ms"] is not None]
            absolute = summarise_errors(errors).mean_absolute
            rows.append(
                {
                    "system": system.name,
                    "label": LABELS[system.name],
                    "displays_of": kind,
                    "without_truth": len(displays) - len(errors),
                    # A tenth of a frame is left to the jitter of time stamps.
                    "within_one_frame": sum(abs(error) <= 1.1 * FRAME_MS for error in errors),
                    **asdict(summarise_displays(errors, flagged=flagged, frame_ms=FRAME_MS)),
                    "mean_absolute": absolute,
                    "ratio_to_jspsych": absolute / peer if peer else None,
                }
            )
    return rows


def markdown(results: dict[str, Any]) -> str:
    """Return the page for recall_displays.md."""
    facts = results["machine"]
    lines = [
        "# Displays of sentence recall against the compositor",
        "",
        f"{facts['date']} · {facts['system']}, {facts['processor']}, {facts['cores']} cores, load "
        f"{facts['load_average']} before, {facts['load_average_after']} after · Chromium {facts['chromium']} "
        f"headless · jsPsych {facts['jspsych']} · seed {results['seed']}",
        "",
        "Shown minus intended duration, in ms.",
        "",
        "| display | system | displays | unknown | within one frame | exact | mean ± sd | mean absolute | largest "
        "| flagged | missed | ratio to jsPsych |",
        "|---|---|" + "---:|" * 10,
    ]
    for row in results["displays"]:
        ratio = "–" if row["ratio_to_jspsych"] is None else f"{row['ratio_to_jspsych']:.3f}"
        cells = [
            row["displays_of"], row["label"], row["displays"], row["without_truth"], row["within_one_frame"],
            row["exact"], f"{row['mean']:+.2f} ± {row['sd']:.2f}", f"{row['mean_absolute']:.2f}",
            f"{row['largest']:.2f}", row["flagged"], row["missed_unflagged"], ratio,
        ]  # fmt: skip
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join([*lines, "", NOTES])


async def measure(options: argparse.Namespace) -> None:
    """Build, measure, write the results."""
    chance = random.Random(options.seed)
    executable = needs.chromium()
    with tempfile.TemporaryDirectory() as directory:
        build_page(Path(directory))
        with serving(Path(directory)) as address:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(
                    executable_path=executable, args=["--no-sandbox", "--headless=new"]
                )
                facts = machine(browser.version)
                found = await measure_displays(
                    browser, address, displays=options.displays, rounds=options.rounds, chance=chance
                )
                await browser.close()
    facts["load_average_after"] = round(os.getloadavg()[0], 2)
    results = {"machine": facts, "seed": options.seed, "displays": report(found)}
    folder = options.results
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "recall_displays.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    (folder / "recall_displays.md").write_text(markdown(results))
    print((folder / "recall_displays.md").read_text())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure the displays of sentence recall, beside plain jsPsych.")
    parser.add_argument("--displays", type=int, default=60, help="displays per system and kind")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="blocks of each kind, in a new order each time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the numbers go")
    given = parser.parse_args()
    needs.or_exit(*needs.TIMING)
    asyncio.run(measure(given))

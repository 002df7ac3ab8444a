"""Measure reaction times and displays against the pixels of a screen, of the platform and of plain jsPsych.

    python -m benchmarks pixels [-- --scale 1] [--browsers chromium firefox] [--seed 1] [--results FOLDER]

Needs Xvfb, a C compiler with the headers of libX11 and libXtst, Chromium, Firefox, and `make setup`. Writes
pixels.json and pixels.md into benchmarks/results/, and the table into docs/timing.md; with --results into
that folder alone. About eleven minutes at scale 1. The machine should do nothing else: its load is part of the result.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import needs
from benchmarks.pixels.cells import BROWSERS, KINDS, cells
from benchmarks.pixels.measure import build_peer, measure
from benchmarks.pixels.report import markdown, put_into, summary
from benchmarks.pixels.screen import screen
from benchmarks.pixels.sessions import platform_with_script

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results"


def processor_time() -> list[int]:
    """Return the ticks of all processors: all, and those that the host took."""
    ticks = [int(value) for value in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    return [sum(ticks[:8]), ticks[7]]


def processor() -> str:
    """Return the name of the processor."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor()
    )


def run(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure all cells, one after the other; a cell that fails is told, leaves a picture and is left out."""
    chance = random.Random(options.seed)
    kinds = tuple(kind for kind in KINDS if kind.name in options.kinds)
    planned = cells(scale=options.scale, browsers=tuple(options.browsers), chance=chance, kinds=kinds)
    rows: list[dict[str, Any]] = []
    last = time.monotonic() + 60 * options.minutes
    pictures = options.results or ROOT / "var" / "pixels"
    with tempfile.TemporaryDirectory(prefix="lectern-pixels-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        build_peer(folder / "peer")
        (folder / "platform").mkdir()
        with platform_with_script(folder / "platform", peer=folder / "peer") as served, screen(folder) as shown:
            for number, cell in enumerate(planned):
                if time.monotonic() > last:
                    print(f"No time for {cell.browser}, {cell.load}, {cell.kind.label}: {cell.system}", flush=True)
                    continue
                try:
                    rows += measure(
                        cell, run=str(number), platform=served, screen=shown, chance=chance, pictures=pictures
                    )
                except TimeoutError as error:
                    print(error, file=sys.stderr, flush=True)
                    continue
                print(f"{cell.browser}, {cell.load}, {cell.kind.label}: {cell.system}", flush=True)
    return rows


def versions(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the browsers as they name themselves."""
    found = {re.findall(r"(?:Chrome|Firefox)/[\d.]+", row["agent"])[0].replace("/", " ") for row in rows}
    return sorted(found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write, and return 1 where nothing could be measured."""
    parser = argparse.ArgumentParser(description="Measure timing against pixels, beside plain jsPsych.")
    parser.add_argument("--scale", type=float, default=1.0, help="more or fewer trials of everything")
    parser.add_argument("--browsers", nargs="+", default=list(BROWSERS), choices=BROWSERS)
    names = [kind.name for kind in KINDS]
    parser.add_argument("--kinds", nargs="+", default=names, choices=names)
    parser.add_argument("--minutes", type=float, default=12, help="nothing new is begun after so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, help="write here, and leave the documentation as it is")
    options = parser.parse_args(arguments)
    browsers = {"chromium": needs.CHROMIUM, "firefox": needs.FIREFOX}
    others = {name for name in browsers if name not in options.browsers}
    needs.or_exit(*(need for need in needs.PIXELS if need not in map(browsers.get, others)))
    began, (all_before, taken_before), load_before = time.monotonic(), processor_time(), os.getloadavg()[0]
    rows = run(options)
    if not rows:
        return 1
    all_after, taken_after = processor_time()
    packages = json.loads((ROOT / "frontend" / "package-lock.json").read_text())["packages"]
    facts = {
        "date": datetime.now(UTC).date().isoformat(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        "cores": os.cpu_count(),
        "load_before": round(load_before, 2),
        "load_after": round(os.getloadavg()[0], 2),
        "steal_per_cent": round(100 * (taken_after - taken_before) / max(1, all_after - all_before), 1),
        "priority": "normal" if (nice := os.nice(0)) == 0 else f"nice {nice}",
        "browsers": versions(rows),
        "jspsych": packages["node_modules/jspsych"]["version"],
        "longest_gap_ms": max(row["longest_gap"] for row in rows),
        "minutes": round((time.monotonic() - began) / 60, 1),
        "seed": options.seed,
        "scale": options.scale,
    }
    results = {"facts": facts, "cells": summary(rows)}
    folder = options.results or RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pixels.json").write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / "pixels.md").write_text(markdown(results), encoding="utf-8")
    if options.results is None:
        put_into(ROOT / "docs" / "timing.md", results)
    print(markdown(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())

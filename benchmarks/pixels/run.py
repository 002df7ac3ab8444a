"""Measure against the pixels of the screen."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.pixels.cells import BROWSERS, cells  # noqa: E402
from benchmarks.pixels.measure import build_peer, measure  # noqa: E402
from benchmarks.pixels.screen import screen  # noqa: E402
from benchmarks.pixels.sessions import platform_with_script  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--browsers", nargs="+", default=list(BROWSERS))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--raw", type=Path)
    options = parser.parse_args()
    chance = random.Random(1)
    rows = []
    with tempfile.TemporaryDirectory(prefix="lectern-pixels-") as name:
        folder = Path(name)
        peer = folder / "peer"
        build_peer(peer)
        (folder / "platform").mkdir()
        with platform_with_script(folder / "platform", peer=peer) as platform, screen(folder) as shown:
            for number, cell in enumerate(cells(scale=options.scale, browsers=tuple(options.browsers), chance=chance)):
                words = {cell.browser, cell.load, cell.kind.name, cell.system}
                if not all(only in words for only in options.only):
                    continue
                began = time.monotonic()
                found = measure(cell, run=str(number), platform=platform, screen=shown, chance=chance)
                rows += found
                errors = [r.get("error_ms", r.get("off_ms")) for r in found]
                known = [e for e in errors if e is not None]
                print(cell.browser, cell.load, cell.kind.name, cell.system, len(found), len(known),
                      [round(e, 1) for e in known], round(time.monotonic() - began, 1), flush=True)
    if options.raw:
        options.raw.write_text(json.dumps(rows, indent=1))


main()

"""`python -m benchmarks [NAME …]`: run the benchmarks one after the other; each writes into benchmarks/results/.

Without names all of them run: `methods` and `mixed` (against R, where Rscript is installed), `published` (maximal
models of published data, whose folder is named after `--`), `intake` (against a bare insert), `scale` (one and two web
processes, classes that start at once), `loss` (what becomes of answers when things break), `export` (rows a second),
`power` and `power-large` (two workers against one, and a large design, where redis-server is installed), `error-rates`
(of the suggested mixed models under a true null hypothesis), `sequential` (the same of sequential plans, and people
saved), `distractors` and `maze` (effects found again) of the Maze task, `timed-choice` (effects of simulated
participants, found again), `pictures` (over a line that is slow and cuts), `timing` and `recall-displays` (against the
compositor and plain jsPsych), all three where Chromium is installed, `pixels` (against the pixels of a screen) and
`displays` (what could show a text for a time, against pixels) where Xvfb is installed. What follows `--` goes to the
benchmark, as in `python -m benchmarks pixels -- --scale 2`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = {
    "methods": ["-m", "benchmarks.methods_against_r"],
    "mixed": ["benchmarks/mixed_models_against_r.py"],
    "published": ["-m", "benchmarks.published_models"],
    "intake": ["-m", "benchmarks.intake"],
    "scale": ["-m", "benchmarks.scale"],
    "loss": ["-m", "benchmarks.loss"],
    "loss-browsers": ["-m", "benchmarks.loss_browsers"],
    "export": ["-m", "benchmarks.export"],
    "power": ["-m", "benchmarks.power_workers"],
    "power-large": ["-m", "benchmarks.power_workers", "--large"],
    "error-rates": ["-m", "benchmarks.error_rates"],
    "sequential": ["-m", "benchmarks.sequential"],
    "distractors": ["-m", "benchmarks.distractors"],
    "timed-choice": ["-m", "benchmarks.timed_choice"],
    "maze": ["-m", "benchmarks.maze"],
    "timing": ["benchmarks/timing/run.py"],
    "recall-displays": ["benchmarks/timing/recall.py"],
    "pictures": ["-m", "benchmarks.pictures"],
    "pixels": ["-m", "benchmarks.pixels.run"],
    "displays": ["-m", "benchmarks.displays.run"],
}


def main(names: list[str]) -> int:
    """Run the named benchmarks and return 1 where one of them failed."""
    names, options = (names[: names.index("--")], names[names.index("--") + 1 :]) if "--" in names else (names, [])
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"There is no benchmark '{unknown[0]}'. Known are {', '.join(BENCHMARKS)}.", file=sys.stderr)
        return 2
    failed = []
    for name in names or BENCHMARKS:
        print(f"== {name}", flush=True)
        if subprocess.run([sys.executable, *BENCHMARKS[name], *options], cwd=ROOT, check=False).returncode != 0:
            failed.append(name)
    if failed:
        print(f"Failed: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

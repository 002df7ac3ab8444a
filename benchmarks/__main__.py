"""`python -m benchmarks [NAME …]`: run the benchmarks one after the other; each writes into benchmarks/results/.

Without names all of them run: `methods` and `mixed` (against R), `published` (maximal models of published data, whose
folder is named after `--`), `intake` (against a bare insert), `scale` (one and two web processes, classes that start at
once), `loss` (what becomes of answers when things break), `export` (rows a second), `growth` (pages and exports with
many participants), `power` and `power-large` (two workers against one, and a large design), `error-rates` (of the
suggested mixed models under a true null hypothesis), `calibration` (the same of calibrated p, over 30 designs), `ids`
(of files whose ids begin anew), `sequential` (of sequential plans, and people saved), `distractors` and `maze` (effects
found again) of the Maze task, `timed-choice` (effects of simulated participants, found again), `pictures` (over a line
that is slow and cuts), `briefs` (studies that somebody drafted from thirty methods sections; here the right ones),
`timing` and `recall-displays` (against the compositor and plain jsPsych), `pixels` (against the pixels of a screen) and
`displays` (what could show a text for a time, against pixels).
What follows `--` goes to the benchmark, as in `python -m benchmarks pixels -- --scale 2`.

What a benchmark needs and does not find is named first, with the package to install. That benchmark is left out, the
others run, and the exit code is 1.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks import needs

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Benchmark:
    """A module that measures when it is run, and what it needs beside Python."""

    module: str
    options: tuple[str, ...] = ()
    needed: tuple[needs.Need, ...] = ()


BENCHMARKS = {
    "methods": Benchmark("benchmarks.methods_against_r", needed=needs.METHODS),
    "mixed": Benchmark("benchmarks.mixed_models_against_r", needed=needs.MIXED),
    "published": Benchmark("benchmarks.published_models"),
    "intake": Benchmark("benchmarks.intake"),
    "scale": Benchmark("benchmarks.scale", needed=(needs.LINUX,)),
    "loss": Benchmark("benchmarks.loss"),
    "loss-browsers": Benchmark("benchmarks.loss_browsers", needed=needs.LOSS_BROWSERS),
    "export": Benchmark("benchmarks.export"),
    "growth": Benchmark("benchmarks.growth", needed=(needs.LINUX,)),
    "power": Benchmark("benchmarks.power_workers", needed=(needs.REDIS,)),
    "power-large": Benchmark("benchmarks.power_workers", ("--large",), needed=(needs.REDIS,)),
    "error-rates": Benchmark("benchmarks.error_rates"),
    "calibration": Benchmark("benchmarks.calibrated_rates"),
    "ids": Benchmark("benchmarks.ids_begun_anew"),
    "sequential": Benchmark("benchmarks.sequential"),
    "distractors": Benchmark("benchmarks.distractors"),
    "timed-choice": Benchmark("benchmarks.timed_choice"),
    "maze": Benchmark("benchmarks.maze"),
    "timing": Benchmark("benchmarks.timing.run", needed=needs.TIMING),
    "recall-displays": Benchmark("benchmarks.timing.recall", needed=needs.TIMING),
    "pictures": Benchmark("benchmarks.pictures", needed=needs.PICTURES),
    "briefs": Benchmark("benchmarks.briefs"),
    "pixels": Benchmark("benchmarks.pixels.run", needed=needs.PIXELS),
    "displays": Benchmark("benchmarks.displays.run", needed=needs.DISPLAYS),
}


def main(names: list[str]) -> int:
    """Run the named benchmarks and return 1 where one of them failed."""
    names, options = (names[: names.index("--")], names[names.index("--") + 1 :]) if "--" in names else (names, [])
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"There is no benchmark '{unknown[0]}'. Known are {', '.join(BENCHMARKS)}.", file=sys.stderr)
        return 2
    # Options are those of one benchmark, which says by itself what it needs with them.
    missing = {} if options else {name: needs.missing(BENCHMARKS[name].needed) for name in names or BENCHMARKS}
    for name, sentences in missing.items():
        for sentence in sentences:
            print(f"{name} is left out: {sentence}", file=sys.stderr, flush=True)
    failed = [name for name, sentences in missing.items() if sentences]
    for name in names or BENCHMARKS:
        if missing.get(name):
            continue
        print(f"== {name}", flush=True)
        benchmark = BENCHMARKS[name]
        command = [sys.executable, "-m", benchmark.module, *benchmark.options, *options]
        if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
            failed.append(name)
    if failed:
        print(f"Failed or left out: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Time each method of the statistical core against R in the same run, on data of the same file.

    python benchmarks/methods_against_r.py [--repetitions 5]

Data are generated: 50 and 1,000 participants × 144 trials, 4 markers × 2 orders in a Latin square. Timed is everything
from reading the file to the finished report, without loading packages, on both sides: processor time of one thread,
which a busy machine disturbs less than the clock; the median of the repetitions.
Each pair also compares one number, so that both compute the same. Writes benchmarks/results/methods.md and .json.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import django  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

django.setup()

from analysis.analyse_file import read_table  # noqa: E402
from analysis.methods import registry  # noqa: E402
from analysis.methods.report import Report  # noqa: E402

FACTORS = {"dv": "z", "within": "marker,order"}
SIZES = (50, 1000)


def study(participants: int, *, seed: int = 20100602) -> pd.DataFrame:
    """Generate ratings of a Latin square of 8 conditions over 144 items, two per cent of them missing."""
    random = np.random.default_rng(seed)
    people = np.repeat(np.arange(participants), 144)
    items = np.tile(np.arange(144), participants)
    condition = (people + items) % 8
    slopes = random.normal(0, 0.35, (participants, 8)) + random.normal(0, 0.4, (participants, 1))
    of_items = random.normal(0, 0.45, (144, 8))
    z = slopes[people, condition] + of_items[items, condition] + random.normal(0, 0.9, len(people))
    frame = pd.DataFrame(
        {
            "participant": [f"P{person:04d}" for person in people],
            "item": [f"I{item:03d}" for item in items],
            "marker": np.array(["because", "because-of", "cause-noun", "cause-verb"])[condition // 2],
            "order": np.array(["cause-effect", "effect-cause"])[condition % 2],
            "words": random.integers(8, 25, 144)[items],
            "z": (z + 0.15 * (condition % 3)).round(4),
        }
    )
    return frame[random.random(len(frame)) > 0.02]


def number_of(report: Report, table: str, column: str, *, row: int = 0) -> float:
    """Return one number of a report."""
    return float(report.table(table).frame()[column].iloc[row])


METHODS: dict[str, tuple[str, dict[str, str], Callable[[Report], float]]] = {
    "normalise": ("normalise", {"dv": "z"}, lambda report: float((report.table("scores").frame()["z_z"] ** 3).sum())),
    "rm-anova": ("rm-anova", FACTORS, lambda report: number_of(report, "anova", "f", row=2)),
    "rm-anova, items": ("rm-anova", {**FACTORS, "unit": "item"}, lambda report: number_of(report, "anova", "f", row=2)),
    "min-f": ("min-f", FACTORS, lambda report: number_of(report, "minf", "minf", row=2)),
    "tukey, multivariate": (
        "tukey",
        {**FACTORS, "error": "multivariate"},
        lambda report: float(report.table("comparisons").frame()["se"].sum()),
    ),
    "n-best": (
        "n-best",
        {"dv": "z", "condition": "marker,order"},
        lambda report: number_of(report, "nbest", "mean"),
    ),
    "correlation": (
        "correlation",
        {"x": "z", "y": "words", "unit": "item"},
        lambda report: number_of(report, "correlation", "r"),
    ),
}


def seconds_of(name: str, data: Path, *, repetitions: int) -> tuple[float, float]:
    """Return the median time of a method and the number to compare."""
    slug, given, number = METHODS[name]
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        report = registry.run(registry.method_named(slug), read_table(data), given)
        times.append(time.process_time() - start)
    return statistics.median(times), number(report)


def seconds_of_r(data: Path, *, repetitions: int) -> dict[str, tuple[float, float]]:
    """Return the same for R, for all methods in one process."""
    command = ["Rscript", str(HERE / "methods_against_r.R"), str(data), str(repetitions)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    rows = [line.split("\t") for line in printed.splitlines() if line.count("\t") == 2]
    return {name: (float(seconds), float(number)) for name, seconds, number in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    repetitions = parser.parse_args().repetitions
    if shutil.which("Rscript") is None:
        print("Rscript is not installed; there is nothing to compare with.")
        return 0
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for participants in SIZES:
            data = Path(folder) / f"{participants}.csv"
            study(participants).to_csv(data, index=False)
            peers = seconds_of_r(data, repetitions=repetitions)
            for name in METHODS:
                mine, number = seconds_of(name, data, repetitions=repetitions)
                theirs, expected = peers[name]
                rows.append(
                    {
                        "participants": participants,
                        "method": name,
                        "lectern_seconds": round(mine, 4),
                        "r_seconds": round(theirs, 4),
                        "r_over_lectern": round(theirs / mine, 1),
                        "equal": bool(np.isclose(number, expected, rtol=1e-6)),
                    }
                )
                print(rows[-1])
    write(rows, repetitions=repetitions)
    return 0 if all(row["equal"] for row in rows) else 1


def write(rows: list[dict[str, object]], *, repetitions: int) -> None:
    """Write the table with what it was measured on."""
    facts = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, shared with other work",
        "versions": registry.versions(),
        "r": subprocess.run(["Rscript", "--version"], capture_output=True, text=True, check=True).stdout.strip(),
        "repetitions": repetitions,
    }
    results = HERE / "results"
    results.mkdir(exist_ok=True)
    (results / "methods.json").write_text(json.dumps({**facts, "rows": rows}, indent=2) + "\n", encoding="utf-8")
    lines = [
        "# Methods against R",
        "",
        f"Processor seconds from a CSV file to the finished report, median of {repetitions} runs, {facts['date']}, "
        f"{facts['machine']}; "
        f"{facts['r']}; Python {platform.python_version()}.",
        "",
        "| participants × 144 | method | Lectern (s) | R (s) | R / Lectern | same result |",
        "|---|---|---|---|---|---|",
        *(
            f"| {row['participants']} | {row['method']} | {row['lectern_seconds']} | {row['r_seconds']} | "
            f"{row['r_over_lectern']} | {'yes' if row['equal'] else 'NO'} |"
            for row in rows
        ),
    ]
    lines += [
        "",
        "R computes the scores, ranks and coefficients alone; Lectern's reports also hold a table of participants with "
        "flags (normalise), means on held-out ratings from 20 splits (n-best) and the points behind a coefficient "
        "(correlation). All rows include reading the file and the checks of every column.",
    ]
    (results / "methods.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())

"""Time each method against R in the same run, on data of the same file.

    python -m benchmarks.methods_against_r [METHOD …] [--participants 50 1000] [--repetitions 5] [--limit 300]

Data are generated: 50 and 1,000 participants × 144 trials, 4 markers × 2 orders in a Latin square. Timed is everything
from reading the file to the finished tables, on both sides after all packages are loaded: processor time of one thread,
which a busy machine disturbs less than the clock; the median of the repetitions, fewer where they take long.
R makes the tables that Lectern's report holds, in ordinary R; numbers of both are then compared.
Each row is kept in benchmarks/results/methods.json as soon as it is there, so that named methods can be measured alone;
the page methods.md beside it is written from all rows.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import django  # noqa: E402
import numpy as np  # noqa: E402

django.setup()

from analysis.data.analyse_file import read_table  # noqa: E402
from analysis.methods import registry, versions  # noqa: E402
from benchmarks import needs  # noqa: E402
from benchmarks.methods_cases import CASES, Case  # noqa: E402
from benchmarks.methods_data import write_files  # noqa: E402
from benchmarks.methods_packages import load_packages, refuse_late  # noqa: E402

SIZES = (50, 1000)
RESULTS = HERE / "results"
KEPT = "methods.json"
LONG = 20.0  # seconds of processor time after which a method is not repeated


def measured(case: Case, folder: Path, *, repetitions: int) -> tuple[float, list[float]]:
    """Return the median time of a method and the numbers to compare."""
    times: list[float] = []
    data = folder / f"{case.file}.csv"
    loaded = set(sys.modules)
    while len(times) < repetitions and sum(times) < LONG:
        start = time.process_time()
        report = registry.run(registry.method_named(case.method), read_table(data), case.given)
        times.append(time.process_time() - start)
    refuse_late(loaded)
    return statistics.median(times), case.numbers(report)


def measured_in_r(name: str, folder: Path, *, repetitions: int, limit: float) -> tuple[float, list[float]] | None:
    """Return the same for R; None where it does not come to an end within `limit` seconds."""
    command = ["Rscript", str(HERE / "methods_against_r.R"), str(folder), name, str(repetitions)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    try:
        ran = subprocess.run(command, check=True, capture_output=True, text=True, env=environment, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"R failed at {name}: {error.stderr[-800:]}") from error
    found = json.loads(ran.stdout.strip().splitlines()[-1])
    return float(found["seconds"]), [float(number) for number in found["numbers"]]


def row_of(name: str, participants: int, folder: Path, *, repetitions: int, limit: float) -> dict[str, Any]:
    """Measure one method on both sides."""
    case = CASES[name]
    theirs = measured_in_r(name, folder, repetitions=repetitions, limit=limit)
    seconds, numbers = measured(case, folder, repetitions=repetitions)
    row: dict[str, Any] = {
        "participants": participants,
        "method": name,
        "peer": case.peer,
        "lectern_seconds": round(seconds, 4),
        "date": datetime.now(UTC).date().isoformat(),
        "load": round(os.getloadavg()[0], 1),
        "runs": repetitions,
    }
    if theirs is None:
        return {**row, "r_seconds": None, "r_over_lectern": None, "equal": None, "limit": limit}
    equal = len(numbers) == len(theirs[1]) and bool(np.allclose(numbers, theirs[1], rtol=case.tolerance, atol=1e-12))
    if not equal:
        print(f"{name}, Lectern: {numbers}\n{name}, R:       {theirs[1]}", file=sys.stderr)
    return {
        **row,
        "r_seconds": round(theirs[0], 4),
        "r_over_lectern": round(theirs[0] / seconds, 1),
        "compared": len(numbers),
        "equal": equal,
    }


def kept_rows(kept: Path) -> dict[tuple[int, str], dict[str, Any]]:
    """Return the rows of earlier runs that are still measured."""
    if not kept.exists():
        return {}
    rows = json.loads(kept.read_text(encoding="utf-8"))["rows"]
    return {(row["participants"], row["method"]): row for row in rows if row["method"] in CASES and "peer" in row}


def write(rows: dict[tuple[int, str], dict[str, Any]], kept: Path) -> None:
    """Write the table with what it was measured on."""
    facts = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, shared with other work",
        "versions": {
            library: version
            for method in registry.analyses().values()
            for library, version in versions.versions(method.function.__module__).items()
        },
        "r": subprocess.run(["Rscript", "--version"], capture_output=True, text=True, check=True).stdout.strip(),
    }
    ordered = [
        rows[size, name] for size in sorted({size for size, _ in rows}) for name in CASES if (size, name) in rows
    ]
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({**facts, "rows": ordered}, indent=2) + "\n", encoding="utf-8")
    dates = sorted({row["date"] for row in ordered})
    measured_on = " to ".join(dict.fromkeys((dates[0], dates[-1])))
    lines = [
        "# Methods against R",
        "",
        f"Processor seconds from a CSV file to the finished tables, {measured_on}, {facts['machine']}; {facts['r']}; "
        f"Python {platform.python_version()}. The median of the runs, fewer where they took more than {LONG:g} s "
        f"together; load is that of the machine then, over about 2 both sides are slowed down. "
        f"R / Lectern above 1: Lectern is faster. People × 144 trials. "
        f"Numbers is how many numbers of the report were compared with R's.",
        "",
        "| people | method | R beside it | Lectern (s) | R (s) | R / Lectern | numbers | equal | runs | load |",
        "|---|---|---|---|---|---|---|---|---|---|",
        *(
            f"| {row['participants']:,} | {row['method']} | {row['peer']} | {row['lectern_seconds']} | "
            f"{theirs(row, 'r_seconds')} | {theirs(row, 'r_over_lectern')} | {row.get('compared', '–')} | "
            f"{ {True: 'yes', False: 'NO', None: '–'}[row['equal']] } | {row['runs']} | {row['load']} |"
            for row in ordered
        ),
        "",
        "All rows include reading the file, and none loading packages, which both sides do before. "
        "R makes the tables of Lectern's report as well: the flags per participant "
        "(normalise), the means on held-out ratings from 20 splits (n-best), cross-validation by trial, participant "
        "and item (logistic); what rests on random splits is computed on both sides and not compared. "
        "Mixed models stand in [mixed.md](mixed.md). The reading measures have no counterpart in R, and power has none "
        "where simr is not installed; neither is measured here.",
    ]
    kept.with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def theirs(row: dict[str, Any], name: str) -> str:
    """Return a number of R's, or that it took longer than it was given."""
    if row[name] is not None:
        return str(row[name])
    over = row["limit"] if name == "r_seconds" else row["limit"] / row["lectern_seconds"]
    return f"> {over:.0f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", metavar="METHOD", help=f"any of: {'; '.join(CASES)}")
    parser.add_argument("--participants", type=int, nargs="+", default=SIZES)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--limit", type=float, default=300, help="seconds that R gets for one row")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the numbers go")
    options = parser.parse_args()
    unknown = [name for name in options.methods if name not in CASES]
    if unknown:
        parser.error(f"there is no method '{unknown[0]}' here; known are {'; '.join(CASES)}")
    needs.or_exit(*needs.METHODS)
    registry.analyses()  # imports every method
    load_packages()
    rows = kept_rows(options.results / KEPT)
    wrong = False
    for participants in options.participants:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_files(folder, participants)
            for method in options.methods or CASES:
                row = row_of(method, participants, folder, repetitions=options.repetitions, limit=options.limit)
                print(row, flush=True)
                wrong |= row["equal"] is False
                rows[participants, method] = row
                write(rows, options.results / KEPT)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())

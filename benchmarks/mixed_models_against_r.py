"""Compare time and memory of mixed models with lme4 in the same run, on the same data file.

    python -m benchmarks.mixed_models_against_r [CASE …] [--limit 3600]

Data are generated, but for VerbAgg, which lme4 brings. Every fit runs in a process of its own, with one thread. Timed
is the model alone (`lmm` and `glmm` with their tables, `lmer` and `glmer` with the summary), in processor seconds,
after all packages are loaded on both sides;
weighed is the peak of resident memory of the whole process, and of one that only loads packages and reads the file.
Each pair also compares the criterion, with factors coded alike (treatment), and the benchmark fails where the two are
too far apart to be about one model. A fit in R that takes longer than the limit (on the clock) is ended, and its row
says so. Every row is kept in benchmarks/results/mixed.json as soon as it is there, so that cases can be measured one
by one; mixed.md beside it is written from all rows.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks import needs

HERE = Path(__file__).resolve().parent
CHILD = """
import os, sys, time, json
sys.path.insert(0, sys.argv[1])
import pandas as pd
from analysis.methods import registry
from benchmarks.methods_packages import load_packages, refuse_late
frame = pd.read_csv(sys.argv[2], dtype="str", keep_default_na=False)
method = registry.method_named(sys.argv[3])
load_packages()
loaded = set(sys.modules)
start = time.process_time()
found = {"seconds": 0.0, "criterion": None}
if len(sys.argv) > 4:
    report = registry.run(method, frame, json.loads(sys.argv[4]))
    found["criterion"] = float(report.table("fit").frame()["criterion"].iloc[0])
    found["seconds"] = time.process_time() - start
    refuse_late(loaded)
print(json.dumps(found))
"""
SLOPES = "~ marker * order + (1 + order | participant) + (1 + order | item)"
INTERCEPTS = "~ marker * order + (1 | participant) + (1 | item)"
# As R codes factors where nothing is said. The restricted criterion depends on the columns: another coding moves it by
# the logarithm of a determinant, though the model is the same.
CODING = {"contrasts": "treatment"}
# glmer stops early by default, a few thousandths above its minimum; another model or coding differs by more than this.
SAME_CRITERION = 0.1
CASES: dict[str, tuple[str, int, int, str, str]] = {
    "lmm 50 x 144, slopes": ("lmm", 50, 144, "z " + SLOPES, "lmer"),
    "lmm 1,000 x 144, intercepts": ("lmm", 1000, 144, "z " + INTERCEPTS, "lmer"),
    "lmm 1,000 x 144, slopes": ("lmm", 1000, 144, "z " + SLOPES, "lmer"),
    "lmm 10,000 x 100, intercepts": ("lmm", 10000, 100, "z " + INTERCEPTS, "lmer"),
    "glmm VerbAgg (316 x 24)": ("glmm", 0, 0, "y ~ Anger + Gender + btype + situ + (1 | id) + (1 | item)", "glmer"),
    "glmm VerbAgg, tight tolerances": (
        "glmm", 0, 0, "y ~ Anger + Gender + btype + situ + (1 | id) + (1 | item)", "glmer-tight",
    ),
    "glmm 50 x 144, intercepts": ("glmm", 50, 144, "y " + INTERCEPTS, "glmer"),
    "glmm 50 x 144, slopes": ("glmm", 50, 144, "y " + SLOPES, "glmer"),
    "glmm 1,000 x 144, intercepts": ("glmm", 1000, 144, "y " + INTERCEPTS, "glmer"),
    "glmm 1,000 x 144, slopes": ("glmm", 1000, 144, "y " + SLOPES, "glmer"),
    "ordinal 50 x 144, intercepts": ("ordinal", 50, 144, "score " + INTERCEPTS, "clmm"),
    "glmm 1,000 x 32, intercepts": ("glmm", 1000, 32, "y " + INTERCEPTS, "glmer"),
    "glmm 1,000 x 32, slopes": ("glmm", 1000, 32, "y " + SLOPES, "glmer"),
}  # fmt: skip


def study(participants: int, items: int, *, seed: int = 20100602) -> pd.DataFrame:
    """Generate ratings `z` and answers `y` of a Latin square of 8 conditions; intercepts and order slopes vary."""
    random = np.random.default_rng(seed)
    people = np.repeat(np.arange(participants), items)
    item = np.tile(np.arange(items), participants)
    condition = (people + item) % 8
    order = condition % 2
    effect = random.normal(0, (0.8, 0.4), (participants, 2))
    other = random.normal(0, (0.6, 0.3), (items, 2))
    linear = effect[people, 0] + other[item, 0] + order * (0.4 + effect[people, 1] + other[item, 1])
    linear = linear + np.array([0.0, 0.2, -0.3, 0.1])[condition // 2]
    return pd.DataFrame(
        {
            "participant": [f"P{person:05d}" for person in people],
            "item": [f"I{number:03d}" for number in item],
            "marker": np.array(["because", "because-of", "cause-noun", "cause-verb"])[condition // 2],
            "order": np.array(["ab", "ba"])[order],
            "z": (linear + random.normal(0, 0.9, len(people))).round(4),
            "y": (random.random(len(people)) < 1 / (1 + np.exp(-linear))).astype(int),
            "score": np.digitize(linear + random.logistic(size=len(people)), [-2.0, -0.5, 0.5, 2.0]) + 1,
        }
    )


def measured(command: list[str], *, limit: float | None = None) -> dict[str, Any]:
    """Run a process; return what it printed as JSON in its last line, and its peak of resident memory in MB.

    Raises TimeoutError where it takes more than `limit` seconds; it is ended then.
    """
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as child:
        assert child.stdout is not None and child.stderr is not None  # noqa: PT018 - both were asked for
        ended = threading.Event()

        def end() -> None:
            ended.set()
            child.kill()

        timer = threading.Timer(limit or 0, end)
        if limit is not None:
            timer.start()
        printed, said = child.stdout.read().decode(), child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
    if ended.is_set():
        raise TimeoutError
    if child.returncode != 0:
        raise RuntimeError(f"{command[0]} failed: {said[-500:]}")
    return {**json.loads(printed.strip().splitlines()[-1]), "megabytes": round(usage.ru_maxrss / 1024)}


def row_of(name: str, folder: Path, *, limit: float) -> dict[str, Any]:
    """Fit one case on both sides; what R did not finish is None."""
    method, participants, items, formula, peer = CASES[name]
    data = folder / "data.csv"
    if participants:
        # In a process of its own: a child's peak of memory counts from what its parent held when it was started.
        make = "from benchmarks.mixed_models_against_r import study; "
        make += f"study({participants}, {items}).to_csv({str(data)!r}, index=False)"
        subprocess.run([sys.executable, "-c", make], check=True, cwd=HERE.parent)
    else:
        write = (
            'd <- lme4::VerbAgg; d$y <- as.integer(d$r2 == "Y"); write.csv(d, commandArgs(TRUE)[1], row.names = FALSE)'
        )
        subprocess.run(["Rscript", "-e", write, str(data)], check=True, capture_output=True)
    own = [sys.executable, "-c", CHILD, str(HERE.parent), str(data), method]
    script = ["Rscript", str(HERE / "mixed_models_against_r.R"), str(data), peer]
    idle, idle_r = measured(own), measured(script)
    mine = measured([*own, json.dumps({"formula": formula, **CODING})])
    row = {"case": name, "date": datetime.now(UTC).date().isoformat(), "lectern_seconds": round(mine["seconds"], 2)}
    try:
        theirs = measured([*script, formula], limit=limit)
    except TimeoutError:
        unknown = dict.fromkeys(("r_seconds", "r_over_lectern", "r_megabytes", "criterion_above_r"))
        sizes = {"lectern_megabytes": mine["megabytes"], "lectern_idle_megabytes": idle["megabytes"]}
        return {**row, **unknown, **sizes, "r_idle_megabytes": idle_r["megabytes"], "limit": limit}
    return {
        **row,
        "r_seconds": round(theirs["seconds"], 2),
        "r_over_lectern": round(theirs["seconds"] / mine["seconds"], 1),
        "lectern_megabytes": mine["megabytes"],
        "lectern_idle_megabytes": idle["megabytes"],
        "r_megabytes": theirs["megabytes"],
        "r_idle_megabytes": idle_r["megabytes"],
        "criterion_above_r": mine["criterion"] - theirs["criterion"],
    }


def write(rows: list[dict[str, Any]], results: Path) -> None:
    """Write the table with what it was measured on."""
    peer = "cat(R.version.string, '; lme4', as.character(packageVersion('lme4')), sep = ' ')"
    facts = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, shared with other work",
        "r": subprocess.run(["Rscript", "-e", peer], capture_output=True, text=True, check=True).stdout,
    }
    results.mkdir(parents=True, exist_ok=True)
    (results / "mixed.json").write_text(json.dumps({**facts, "rows": rows}, indent=2) + "\n", encoding="utf-8")
    shown = [
        [
            row["case"].replace(" x ", " × "),
            row["lectern_seconds"],
            f"> {row['limit']:.0f}" if row["r_seconds"] is None else row["r_seconds"],
            f"> {row['limit'] / row['lectern_seconds']:.0f}" if row["r_seconds"] is None else row["r_over_lectern"],
            *(
                f"{row[f'{side}_megabytes']} ({row[f'{side}_idle_megabytes']})" if row[f"{side}_megabytes"] else "–"
                for side in ("lectern", "r")
            ),
            "–" if row["criterion_above_r"] is None else f"{row['criterion_above_r']:.1e}",
        ]
        for row in rows
    ]
    lines = [
        "# Mixed models against lme4",
        "",
        f"Processor seconds of the model, one run, after packages are loaded on both sides, and peak memory of its "
        f"process (in brackets: with packages and data loaded, before the model), {facts['date']}, "
        f"{facts['machine']}; {facts['r']}; Python {platform.python_version()}. The last column is how far the "
        f"criterion that is made small (−2 log likelihood, restricted for lmm; factors have treatment contrasts on "
        f"both sides) lies above that of R: below zero Lectern came nearer to the minimum.",
        "",
        "| case | Lectern (s) | R (s) | R / Lectern | Lectern (MB) | R (MB) | criterion − R |",
        "|---|---|---|---|---|---|---|",
        *(f"| {' | '.join(map(str, cells))} |" for cells in shown),
    ]
    (results / "mixed.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def kept_rows(results: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of earlier runs, by case."""
    kept = results / "mixed.json"
    rows = json.loads(kept.read_text(encoding="utf-8"))["rows"] if kept.exists() else []
    return {row["case"]: row for row in rows if row["case"] in CASES}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"any of: {'; '.join(CASES)}")
    parser.add_argument("--limit", type=float, default=3600, help="seconds that R gets for one fit")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="where the numbers go")
    options = parser.parse_args()
    unknown = [name for name in options.cases if name not in CASES]
    if unknown:
        parser.error(f"there is no case '{unknown[0]}'; known are {'; '.join(CASES)}")
    needs.or_exit(*needs.MIXED)
    rows = kept_rows(options.results)
    apart = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.cases or CASES:
            rows[name] = row_of(name, Path(folder), limit=options.limit)
            print(rows[name], flush=True)
            write([rows[case] for case in CASES if case in rows], options.results)
            if abs(rows[name]["criterion_above_r"] or 0) > SAME_CRITERION:
                apart.append(name)
    for name in apart:
        difference = rows[name]["criterion_above_r"]
        print(f"{name}: the criteria are {difference:.3g} apart, so the two are not one model.", file=sys.stderr)
    return 1 if apart else 0


if __name__ == "__main__":
    raise SystemExit(main())

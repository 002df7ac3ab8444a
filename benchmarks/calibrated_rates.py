"""Measure how often `lmm` rejects a true null hypothesis over 30 designs: by its own p, and calibrated.

    python -m benchmarks.calibrated_rates --data-sets 2000

Six sizes, from six people on, five kinds each: balanced; unbalanced (four of ten rows of one condition are missing, and
people give unequally many answers); a condition between people; residuals as skewed as reaction times (lognormal); and
0 and 1 with 85 % of 1. People and items differ in their means and in the effect, which is zero on average.

Every data set is fitted, and two more are simulated from that fit, as `calibrate` does. The p of the simulated ones,
over all data sets of a design, is the distribution with which p is calibrated (the warp-speed bootstrap of Giacomini,
Politis and White 2013, Econometric Theory 29, 567–589): what is measured is the rate of the calibrated test without
thousands of simulations for each data set. `bootstrap` takes that p whether it is larger or smaller than the nominal
one, `calibrated` only where it is larger, as reports do. Writes benchmarks/results/calibrated_rates.json and a table in
Markdown beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.mixed.asked import asked
from analysis.methods.mixed.calibration.replicates import Replicates
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.estimates.hypotheses import type_three
from analysis.methods.mixed.estimates.satterthwaite import Fitted, fitted
from analysis.methods.mixed.fitting.crossproducts import Crossproducts, prepare
from analysis.methods.mixed.fitting.optimise import fit
from analysis.methods.proportion_intervals import wilson

RESULTS = Path(__file__).resolve().parent / "results"
SIZES = ((6, 12), (8, 8), (12, 12), (24, 8), (12, 24), (24, 24))
KINDS = ("balanced", "unbalanced", "between people", "skewed", "85 % correct")
PERSON, ITEM, SLOPE, ALPHA, PER_DATA_SET = 0.7, 0.5, 0.5, 0.05, 2
LOGIT_OF_85 = 2.2


def rows_of(people: int, items: int, kind: str, random: np.random.Generator) -> pd.DataFrame:
    """Return who answers what in which condition, without a measure."""
    made = pd.DataFrame(list(product(range(people), range(items))), columns=["p", "i"])
    made["b"] = made["p"] % 2 if kind == "between people" else (made["p"] + made["i"]) % 2
    if kind == "unbalanced":
        kept = random.random(len(made)) > np.where(made["b"] == 1, 0.4, 0.0) + 0.4 * (made["p"] % 3 == 0)
        made = made[kept].reset_index(drop=True)
    return made.assign(participant="P" + made["p"].astype(str), item="I" + made["i"].astype(str), condition=made["b"])


def measure_of(rows: pd.DataFrame, kind: str, random: np.random.Generator) -> Floats:
    """Return a measure in which people and items differ in means and effects, and no effect is there on average."""
    half = rows["b"].to_numpy() - 0.5
    p, i = rows["p"].to_numpy(), rows["i"].to_numpy()
    people, items = int(p.max()) + 1, int(i.max()) + 1
    eta = random.normal(0, PERSON, people)[p] + random.normal(0, ITEM, items)[i]
    eta = eta + half * (random.normal(0, SLOPE, items)[i] + random.normal(0, SLOPE, people)[p])
    if kind == "85 % correct":
        return np.asarray((eta + LOGIT_OF_85 + random.logistic(size=len(rows)) > 0).astype(np.float64))
    if kind == "skewed":
        single = np.exp(random.normal(size=len(rows)))
        return np.asarray(eta + (single - np.exp(0.5)) / np.sqrt((np.e - 1) * np.e))
    return np.asarray(eta + random.normal(size=len(rows)))


def design_of(rows: pd.DataFrame, kind: str, y: Floats) -> Design:
    """Return the design of the model with the slopes that the data allow."""
    slope = "1" if kind == "between people" else "1 + condition"
    question = asked(
        rows.assign(y=y), formula=f"y ~ condition + ({slope} || participant) + (1 + condition || item)",
        contrasts="sum", categorical=["condition"], levels=None, uncorrelated="by-term", confidence=0.95, keep="all",
    )  # fmt: skip
    return question.design(question.formula, question.read(question.formula))


def measured_rates(people: int, items: int, kind: str, *, data_sets: int, seed: int) -> dict[str, Any]:
    """Return how often the nominal and the calibrated p of one design reject."""
    random = np.random.default_rng([seed, people, items, KINDS.index(kind)])
    rows = rows_of(people, items, kind, random)
    began = time.process_time()
    design = design_of(rows, kind, measure_of(rows, kind, random))
    start = _fitted(design, prepare(design))
    tests = type_three(start)
    first = Replicates(start, tests)
    own: list[float] = []
    simulated: list[float] = []
    for number in range(data_sets):
        try:
            again = first.refitted(measure_of(rows, kind, random))
            inner = Replicates(again, tests, seed=number, frame=first.frame)
            found = [inner.tested(each) for each in range(PER_DATA_SET)]
        except ArithmeticError:
            continue
        if again.optimum.converged and all(one is not None for one in found):
            own.append(again.f_test(tests[0].contrasts)[3])
            simulated += [one[0][0] for one in found if one is not None]
    limit = float(np.quantile(simulated, ALPHA))
    limits = {"nominal": ALPHA, "bootstrap": limit, "calibrated": min(limit, ALPHA)}
    rejected = {name: int((np.array(own) <= most).sum()) for name, most in limits.items()}
    return {
        "people": people, "items": items, "kind": kind, "rows": len(rows), "data_sets": len(own),
        **{name: count / len(own) for name, count in rejected.items()},
        **{f"{name}_interval": wilson(count, len(own)) for name, count in rejected.items()},
        "limit": limit, "processor_seconds": round(time.process_time() - began, 1),
    }  # fmt: skip


def _fitted(design: Design, prepared: Crossproducts) -> Fitted:
    return fitted(design, prepared, fit(prepared, reml=True), reml=True)


def table_of(lines: list[dict[str, Any]]) -> str:
    """Return the rates in Markdown."""
    made = [
        "| people | items | kind | data sets | nominal, % | bootstrap, % | calibrated, % | 95 % interval |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for line in lines:
        low, high = (f"{100 * end:.1f}" for end in line["calibrated_interval"])
        made.append(
            f"| {line['people']} | {line['items']} | {line['kind']} | {line['data_sets']:,} | "
            f"{100 * line['nominal']:.1f} | {100 * line['bootstrap']:.1f} | {100 * line['calibrated']:.1f} | "
            f"{low}–{high} |"
        )
    for kind in dict.fromkeys(line["kind"] for line in lines):
        made.append(_together([line for line in lines if line["kind"] == kind], kind))
    return "\n".join([*made, _together(lines, "all kinds")]) + "\n"


def _together(lines: list[dict[str, Any]], kind: str) -> str:
    """Return the row of several designs together."""
    sets = sum(line["data_sets"] for line in lines)
    counts = {
        name: sum(round(line[name] * line["data_sets"]) for line in lines)
        for name in ("nominal", "bootstrap", "calibrated")
    }
    low, high = (f"{100 * end:.1f}" for end in wilson(counts["calibrated"], sets))
    rates = " | ".join(f"{100 * count / sets:.1f}" for count in counts.values())
    return f"| all | all | {kind} | {sets:,} | {rates} | {low}–{high} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-sets", type=int, default=2000)
    parser.add_argument("--designs", type=int, default=len(SIZES) * len(KINDS), help="only the first so many")
    parser.add_argument("--seed", type=int, default=2013)
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder where the numbers go")
    options = parser.parse_args()
    lines: list[dict[str, Any]] = []
    for kind, (people, items) in list(product(KINDS, SIZES))[: options.designs]:
        lines.append(measured_rates(people, items, kind, data_sets=options.data_sets, seed=options.seed))
        sys.stdout.write(table_of(lines[-1:]).splitlines()[2] + "\n")
        sys.stdout.flush()
        options.results.mkdir(parents=True, exist_ok=True)
        numbers = options.results / "calibrated_rates.json"
        numbers.write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")
        numbers.with_suffix(".md").write_text(table_of(lines), encoding="utf-8")


if __name__ == "__main__":
    main()

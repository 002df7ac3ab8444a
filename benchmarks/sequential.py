"""Measure error rates and sample sizes of sequential plans with the suggested mixed models.

    python -m benchmarks.sequential --simulations 2000                  everything
    python -m benchmarks.sequential --only "Self-paced" --simulations 100

Each data set has the people of the whole plan; a look analyses those so far, as the worker does, and the plan stops
where the p of the effect is not above the level of the look. All plans and the fixed number of people decide on the
same data sets. Counts are kept in benchmarks/results/sequential.json: a case that is run again with more simulations
goes on where it stopped, and every run writes the table of the document anew.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats
from analysis.methods.power.simulation import monte_carlo_interval
from analysis.methods.sequential.boundaries import Look, boundaries
from benchmarks.error_rate_cases import Case, suggested
from benchmarks.error_rate_models import Simulated, p_values_of
from experiments.rules.sequential import HWANG_SHIH_DECANI, OBRIEN_FLEMING, POCOCK

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "sequential.json"
DOCUMENT = ROOT / "docs" / "sequential.md"
ALPHA = 0.05
LOOKS = (12, 24, 36, 48)
PLANS = {"fixed": "", **{name: name for name in (OBRIEN_FLEMING, HWANG_SHIH_DECANI, POCOCK)}}
# In units of the standard deviation of single answers, as in benchmarks.error_rates.
EFFECTS = (0.0, 0.3, 0.5)
TESTED = "marker"
SEED = 20240229
SAVED_EVERY = 25
HEAD = """| analysis | effect | plan | found, % | 95 % interval | people | saved, % | ended at {looks} | data sets |
|---|---|---|---|---|---|---|---|---|"""


class SoFar:
    """The data sets of a simulation cut to the first people; what `p_values_of` needs of one."""

    def __init__(self, whole: Simulated, participants: int) -> None:
        self.whole, self.case = whole, replace(whole.case, participants=participants)
        self.family = whole.family
        self.kept = whole.layout.participant < participants
        self.trials = int(self.kept.sum())

    def outcome(self, number: int) -> Floats:
        """Return the outcome of one data set, the people so far."""
        return np.asarray(self.whole.outcome(number)[self.kept])

    def data(self, number: int) -> pd.DataFrame:
        """Return one data set as a study would give it, the people so far."""
        return self.whole.data(number)[self.kept].reset_index(drop=True)


def cases() -> list[Case]:
    """Return one suggested model of every kind for two by two conditions; the others have the same data and model."""
    chosen: dict[Any, Case] = {}
    for case in suggested():
        if TESTED in case.factors and len(case.factors) == 2 and case.participants == 24:
            whole = replace(case, participants=LOOKS[-1])
            chosen.setdefault((case.method, case.share, "characters" in str(case.params["formula"])), whole)
    return list(chosen.values())


def levels(spending: str) -> list[Look]:
    """Return the looks of a plan; the fixed number of people is looked at once, at the end."""
    if not spending:
        return [Look(1.0, ALPHA, 1.959963984540054, ALPHA)]
    return boundaries([people / LOOKS[-1] for people in LOOKS], spending=spending, alpha=ALPHA)


def counted(
    case: Case, *, simulations: int, known: Mapping[str, Any] | None, effect: float
) -> Iterator[dict[str, Any]]:
    """Yield the counts of a case every now and then: for each plan where it stopped, and how often it found it.

    A look whose model did not converge decides nothing; the plan goes on.
    """
    made: dict[str, Any] = {"simulations": 0, "untested": [0] * len(LOOKS), "plans": {}}
    if known and known["params"] == dict(case.params) and known["looks"] == list(LOOKS):
        made = {name: known[name] for name in made}
    made |= {"method": case.method, "params": dict(case.params), "looks": list(LOOKS)}
    if made["simulations"] >= simulations:
        yield made
        return
    whole = Simulated(case, seed=SEED, effect=effect)
    tests = [p_values_of(SoFar(whole, people)) for people in LOOKS]
    plans = {name: levels(spending) for name, spending in PLANS.items()}
    for number in range(made["simulations"] + 1, simulations + 1):
        found = [test(number) for test in tests]
        p = [1.0 if one is None else one[TESTED] for one in found]
        made["untested"] = [count + (one is None) for count, one in zip(made["untested"], found, strict=True)]
        for name, looks in plans.items():
            counts = made["plans"].setdefault(name, {"found": 0, "stopped": [0] * len(LOOKS)})
            stop, is_found = decided(p[-len(looks) :], looks)
            counts["found"] += is_found
            counts["stopped"][len(LOOKS) - len(looks) + stop] += 1
        made["simulations"] = number
        if number % SAVED_EVERY == 0 or number == simulations:
            yield made


def decided(p: list[float], looks: list[Look]) -> tuple[int, bool]:
    """Return the place of the look at which a plan stops, and whether it stops because the effect is found."""
    for place, (one, look) in enumerate(zip(p, looks, strict=True)):
        if one <= look.level:
            return place, True
    return len(looks) - 1, False


def key_of(case: Case, effect: float) -> str:
    """Return the name under which counts are kept."""
    return f"{case.name} | {case.design} | effect {effect:g};"


def run(*, simulations: int, only: str = "", results: Path = RESULTS, document: Path = DOCUMENT) -> dict[str, Any]:
    """Run the cases whose name holds `only`, keep the counts and write the document."""
    known: dict[str, Any] = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}
    for effect in EFFECTS:
        for case in cases():
            key = key_of(case, effect)
            if only not in key:
                continue
            print(key, flush=True)
            for made in counted(case, simulations=simulations, known=known.get(key), effect=effect):
                known[key] = json.loads(json.dumps(made))
                results.parent.mkdir(parents=True, exist_ok=True)
                results.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            for name, counts in known[key]["plans"].items():
                print(f"   {name}: {counts['found'] / known[key]['simulations']:.3f}", flush=True)
    document.write_text(written(document.read_text(encoding="utf-8"), known), encoding="utf-8")
    return known


def lines_of(known: Mapping[str, Any]) -> Iterator[str]:
    """Yield the rows of the table: for every case and plan what was found, and how many people it took."""
    for effect in EFFECTS:
        for case in cases():
            made = known.get(key_of(case, effect))
            if made is None:
                continue
            number = made["simulations"]
            for place, (name, counts) in enumerate(made["plans"].items()):
                low, high = monte_carlo_interval(counts["found"], number, how="wilson", confidence=0.95)
                people = sum(n * count for n, count in zip(LOOKS, counts["stopped"], strict=True)) / number
                saved = 100 * (1 - people / LOOKS[-1])
                stopped = " / ".join(f"{100 * count / number:.0f}" for count in counts["stopped"])
                first = (case.name, f"{effect:g}") if place == 0 else ("", "")
                share = f"{100 * counts['found'] / number:.1f}"
                cells = (*first, name, share, f"{100 * low:.1f}–{100 * high:.1f}", f"{people:.1f}", f"{saved:.0f}",
                         f"{stopped} %" if name != "fixed" else "", f"{number:,}")  # fmt: skip
                yield f"| {' | '.join(cells)} |"


def written(text: str, known: Mapping[str, Any]) -> str:
    """Return the document with its table made anew from all counts that are known."""
    head = HEAD.format(looks=" / ".join(map(str, LOOKS)))
    begin, end = "<!-- table of sequential plans -->\n", "\n<!-- end of table -->"
    before, _, rest = text.partition(begin)
    return f"{before}{begin}\n" + "\n".join([head, *lines_of(known)]) + f"\n{end}{rest.partition(end)[2]}"


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--simulations", type=int, default=2000)
    options.add_argument("--only", default="", help="cases whose name holds this")
    options.add_argument("--results", type=Path, default=RESULTS, help="where counts are kept")
    options.add_argument("--document", type=Path, default=DOCUMENT, help="whose table is written")
    given = options.parse_args()
    run(simulations=given.simulations, only=given.only, results=given.results, document=given.document)

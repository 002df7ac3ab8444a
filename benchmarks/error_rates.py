"""Measure type I error rates of what paradigms suggest: α = .05, people and items differ in every effect.

    python -m benchmarks.error_rates --simulations 2000                  everything
    python -m benchmarks.error_rates --only "Self-paced" --simulations 500

Counts are kept in analysis/methods/error_rates/recorded.json, which pages and reports quote, so that cases can be run
one after the other; a case that is run again with more simulations goes on where it stopped. Every run writes the
tables of the document anew.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.methods.error_rates.recorded import ALPHA, BAND, RECORDED
from analysis.methods.error_rates.tests_of import test_of
from analysis.methods.power.simulation import monte_carlo_interval
from benchmarks.error_rate_cases import MIXED, Case, companions, others, suggested
from benchmarks.error_rate_models import Simulated, p_values_of

ROOT = Path(__file__).resolve().parent.parent
RESULTS = RECORDED
DOCUMENT = ROOT / "docs" / "methods" / "mixed-null-simulation.md"
# With fewer data sets a rate outside the band says little.
ENOUGH = 1000
SEED = 20100602
SAVED_EVERY = 25
EFFECT = 0.35
POWER = " | effect"
HEAD = """| analysis | design | effect | rejected, % | 95 % interval | data sets | without a test |
|---|---|---|---|---|---|---|"""


def counted(
    case: Case, *, simulations: int, known: Mapping[str, Any] | None, effect: float = 0.0
) -> Iterator[dict[str, Any]]:
    """Yield the counts of a case every now and then: how many data sets, rejections per effect, fits without a test."""
    made: dict[str, Any] = {"simulations": 0, "rejected": {}, "undefined": 0}
    if known and known["params"] == dict(case.params):
        made = {name: known[name] for name in made}
    made |= {"method": case.method, "params": dict(case.params)}
    if not effect and case.spherical:
        made["test"] = test_of(case.method, case.params)
    if made["simulations"] >= simulations:
        yield made
        return
    p_of = p_values_of(Simulated(case, seed=SEED, effect=effect))
    for number in range(made["simulations"] + 1, simulations + 1):
        found = p_of(number)
        for name, p in (found or {}).items():
            if case.method in MIXED and not case.data and not set(name.split(":")) <= set(case.factors):
                continue
            made["rejected"][name] = made["rejected"].get(name, 0) + int(p < ALPHA)
        made["undefined"] += found is None
        made["simulations"] = number
        if number % SAVED_EVERY == 0 or number == simulations:
            yield made


def run(
    *, simulations: int, only: str = "", results: Path = RESULTS, document: Path = DOCUMENT, powered: bool = True
) -> dict[str, Any]:
    """Run the cases whose name holds `only`, keep the counts and write the document."""
    known = _kept(results)
    cases = {case.key: (case, 0.0) for case in (*suggested(), *companions(), *others())}
    if powered:
        cases |= {case.key + POWER: (case, EFFECT) for case in _powered()}
    for key, (case, effect) in cases.items():
        if only not in key:
            continue
        print(key, flush=True)
        known |= _of_the_same_simulation(key, cases, known)
        for made in counted(case, simulations=simulations, known=known.get(key), effect=effect):
            known = keep(results, key, made)
        print("  ", rates(known[key]), flush=True)
    document.write_text(written(document.read_text(encoding="utf-8"), known), encoding="utf-8")
    return known


def keep(results: Path, key: str, made: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the counts of a case beside those that other runs have kept meanwhile, and return all of them."""
    with Path(tempfile.gettempdir(), f"{results.stem}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        known = _kept(results) | {key: json.loads(json.dumps(made))}
        written = results.with_suffix(".new")
        written.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        written.replace(results)
    return known


def _kept(results: Path) -> dict[str, Any]:
    return dict(json.loads(results.read_text(encoding="utf-8"))) if results.exists() else {}


def _powered() -> list[Case]:
    """Return the cases whose power is compared: the first suggestion of a method and what else is done on its data."""
    first = {method: next(case for case in suggested() if case.method == method) for method in ("lmm", "glmm")}
    return [*first.values(), *(case for case in others() if case.spherical and case.method in first)]


def _of_the_same_simulation(
    key: str, cases: Mapping[str, tuple[Case, float]], known: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return the counts of a case from another one with the same data and model, where that has more of them."""
    case, effect = cases[key]
    alike = [
        known[other]
        for other, (one, size) in cases.items()
        if other in known and one.simulation == case.simulation and size == effect
    ]
    most = max(alike, key=lambda made: made["simulations"], default=None)
    return {} if most is None else {key: {**most, "params": dict(case.params)}}


def rates(made: Mapping[str, Any]) -> dict[str, float]:
    """Return the share of rejections per effect among the data sets that have a test."""
    tested = made["simulations"] - made["undefined"]
    return {name: count / tested for name, count in made["rejected"].items()} if tested else {}


def lines_of(cases: Sequence[Case], known: Mapping[str, Any], *, suffix: str = "") -> Iterator[str]:
    """Yield the rows of a table: the analysis, the design, and for every effect the rate with its interval."""
    for case in cases:
        made = known.get(case.key + suffix)
        if made is None:
            continue
        tested = made["simulations"] - made["undefined"]
        for place, (name, count) in enumerate(made["rejected"].items()):
            low, high = monte_carlo_interval(count, tested, how="wilson", confidence=0.95)
            outside = tested >= ENOUGH and not suffix and not BAND[0] <= count / tested <= BAND[1]
            share = f"{100 * count / tested:.1f}{' !' if outside else ''}"
            first = (case.name, case.design) if place == 0 else ("", "")
            cells = (*first, name, share, f"{100 * low:.1f}–{100 * high:.1f}", f"{tested:,}", f"{made['undefined']:,}")
            yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def written(text: str, known: Mapping[str, Any]) -> str:
    """Return the document with its tables made anew from all counts that are known."""
    tables = {
        "suggested": [HEAD, *lines_of(list(suggested()), known)],
        "companions": [HEAD, *lines_of(list(companions()), known)],
        "others": [HEAD, *lines_of(list(others()), known)],
        "power": [HEAD.replace("rejected", "found"), *lines_of(_powered(), known, suffix=POWER)],
    }
    for name, lines in tables.items():
        begin, end = f"<!-- table {name} -->\n", "\n<!-- end of table -->"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n" + "\n".join(lines) + f"\n{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--simulations", type=int, default=2000)
    options.add_argument("--only", default="", help="cases whose name holds this")
    options.add_argument("--results", type=Path, default=RESULTS, help="where counts are kept")
    given = options.parse_args()
    run(simulations=given.simulations, only=given.only, results=given.results)

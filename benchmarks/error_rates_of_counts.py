"""Measure type I error rates of mixed models of counts and times, by test.

    python -m benchmarks.error_rates_of_counts --simulations 500
    python -m benchmarks.error_rates_of_counts --only "likelihood" --simulations 300

The data are those of `error_rates`: two by two conditions in a Latin square, 24 people and 24 items that differ in
their means and in every effect, and no effect on average. Counts are kept in
analysis/methods/error_rates/recorded.json; a case that is run again with more simulations goes on where it stopped.
Every run writes the table of the document anew.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.error_rate_cases import TWO_BY_TWO, Case
from benchmarks.error_rates import DOCUMENT, HEAD, RESULTS, counted, keep, lines_of, rates
from experiments.design.mixed_formulas import mixed_formula

NAMES = {"wald": "Wald tests", "likelihood-ratio": "likelihood ratios", "f": "F tests"}


def cases() -> list[Case]:
    """Return the models of counts and times with every kind of test."""
    formula = mixed_formula("fixations", tuple(TWO_BY_TWO))
    asked = [("poisson", tests) for tests in NAMES]
    asked += [(family, tests) for family in ("negative-binomial", "gamma") for tests in ("wald", "f")]
    return [
        Case(
            f"glmm with `family={family}`, {NAMES[tests]}",
            "glmm",
            {"formula": formula, "family": family, "tests": tests},
            TWO_BY_TWO,
        )
        for family, tests in asked
    ]


def run(*, simulations: int, only: str = "", results: Path = RESULTS, document: Path = DOCUMENT) -> dict[str, Any]:
    """Run the cases whose name holds `only`, keep the counts and write the table of the document."""
    for case in cases():
        if only not in case.key:
            continue
        print(case.key, flush=True)
        for made in counted(case, simulations=simulations, known=_known(results).get(case.key)):
            keep(results, case.key, made)
        print("  ", rates(_known(results)[case.key]), flush=True)
    document.write_text(written(document.read_text(encoding="utf-8"), _known(results)), encoding="utf-8")
    return _known(results)


def _known(results: Path) -> dict[str, Any]:
    return dict(json.loads(results.read_text(encoding="utf-8"))) if results.exists() else {}


def written(text: str, known: Mapping[str, Any]) -> str:
    """Return the document with the table of counts and times made anew."""
    begin, end = "<!-- table counts -->\n", "\n<!-- end of table -->"
    before, _, rest = text.partition(begin)
    return f"{before}{begin}\n" + "\n".join([HEAD, *lines_of(cases(), known)]) + f"\n{end}{rest.partition(end)[2]}"


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--simulations", type=int, default=500)
    options.add_argument("--only", default="", help="cases whose name holds this")
    given = options.parse_args()
    run(simulations=given.simulations, only=given.only)

"""Measure bias and coverage (95 % intervals) of `preference` on simulated comparison studies with known worths.

    python -m benchmarks.comparison --repetitions 100 --out table.md

Every repetition is a study of its own: 30 people (five on each of six lists of pairs, ten on each of three lists of the
others), 12 items of its own, three conditions; sessions are planned, answered by virtual participants and measured by
the paradigm, and the suggested analysis runs on the tables as they are exported. The truth is the worth of a condition
for an average person and item (`simulated_worth`), sum zero. The mixed model estimates just that. A bootstrap is about
the mixture of people and items, whose worths lie a little nearer to zero, which its bias shows.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from analysis.methods import parameters, registry  # noqa: E402
from experiments.paradigms.comparison.simulation import simulated_worth  # noqa: E402
from tests.experiments.comparison_sessions import COMPARISON, answered, settings_with  # noqa: E402

SYSTEMS = ("editor", "cutter", "trimmer")
TASKS: dict[str, dict[str, Any]] = {
    "pairs": {"task": "pair"},
    "pairs with ties": {"task": "pair", "no_difference": True},
    "ranking of three": {"task": "ranking"},
    "best–worst of three": {"task": "best-worst"},
}


def line(name: str, changed: dict[str, Any], repetitions: int) -> str:
    """Return a line of the table: true worths, mean bias of each, and the share of intervals that hold the truth."""
    settings = settings_with(**changed)
    (suggested,) = COMPARISON.suggestions({"system": SYSTEMS}, settings, has_fillers=False)
    method = registry.method_named(suggested.method)
    raw = np.array([simulated_worth(system) for system in SYSTEMS])
    truth = dict(zip(SYSTEMS, raw - raw.mean(), strict=True))
    errors, held = [], []
    for number in range(repetitions):
        trials, options = answered(
            30, settings, n_items=12, systems=SYSTEMS, seed=number, items=f"study {number} item "
        )
        frame = {"trials": trials, "options": options}[suggested.table]
        params = parameters.read(method.parameters, {**suggested.params, "bootstrap": 400}, list(frame.columns))
        worth = method.function(frame, **params).table("worth").frame().set_index("option")
        errors.append([worth.worth[system] - truth[system] for system in SYSTEMS])
        held += [worth.ci_low[system] <= truth[system] <= worth.ci_high[system] for system in SYSTEMS]
    bias = ", ".join(f"{value:+.2f}" for value in np.mean(errors, axis=0))
    true = ", ".join(f"{truth[system]:+.2f}" for system in SYSTEMS)
    return f"| {name} | {suggested.params['random']} | {true} | {bias} | {100 * np.mean(held):.1f} % of {len(held)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=100)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    lines = ["| task | random | true worths | mean bias | intervals that hold the truth |", "|---|---|---|---|---|"]
    for name, changed in TASKS.items():
        lines.append(line(name, changed, options.repetitions))
        print(lines[-1], flush=True)
    if options.out:
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

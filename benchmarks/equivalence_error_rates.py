"""Measure type I error rate and power of `equivalence`: true difference on the bound, and zero.

    python -m benchmarks.equivalence_error_rates --repetitions 20000

Draws normal differences of units. On the bound, 5 % may be called equivalent; bounds in d_z are tested exactly and, for
comparison, by turning them into raw ones with the standard deviation that was found. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from analysis.methods.effects.two_one_sided import two_one_sided

SCENARIOS = ((12, 0.5), (24, 0.4), (24, 0.8), (48, 0.5), (200, 0.5))
"""Numbers of units with bounds, in standard deviations of the differences."""


def rates(units: int, bound: float, *, truth: float, repetitions: int, seed: int) -> dict[str, float]:
    """Return how often each test says equivalent; `truth` and `bound` are in standard deviations."""
    random = np.random.default_rng(seed)
    count = {"raw": 0, "d_z": 0, "d_z turned into raw": 0}
    for differences in random.normal(truth, 1, (repetitions, units)):
        estimate, sd = float(differences.mean()), float(differences.std(ddof=1))
        se, df = sd / units**0.5, units - 1
        for scale, limit, deviation in (
            ("raw", bound, None),
            ("d_z", bound, sd),
            ("d_z turned into raw", bound * sd, None),
        ):
            found = two_one_sided(estimate, se, df, low=-limit, high=limit, alpha=0.05, deviation=deviation)
            count[scale] += found["p"] < 0.05
    return {scale: number / repetitions for scale, number in count.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1987)
    options = parser.parse_args()
    sys.stdout.write(
        "| units | bound | raw | d_z | d_z turned into raw | raw, no difference |\n|---|---|---|---|---|---|\n"
    )
    for units, bound in SCENARIOS:
        size = {"repetitions": options.repetitions, "seed": options.seed}
        on_bound = rates(units, bound, truth=bound, **size)
        none = rates(units, bound, truth=0.0, **size)
        cells = (f"{100 * rate:.1f}" for rate in (*on_bound.values(), none["raw"]))
        sys.stdout.write(f"| {units} | {bound} | {' | '.join(cells)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

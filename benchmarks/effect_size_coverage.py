"""Measure the coverage of confidence intervals of effect sizes.

    python -m benchmarks.effect_size_coverage --repetitions 2000

Every scenario draws normal means of units in cells, with known means and covariances, and counts how many intervals of
`rm-anova` hold the population's value: η² and ω² are what their formulas tend to with ever more units, ω² of the
formula of effectsize stands beside. η² and ω² have 90 % intervals, d has 95 % ones. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.methods.conditions.anova import rm_anova
from analysis.methods.effects import noncentral

Random = np.random.Generator


@dataclass(frozen=True)
class Scenario:
    """One factor with these means (`between` or within units), the covariance of the cells, and `units` (per group)."""

    name: str
    units: int
    means: np.ndarray
    covariance: np.ndarray
    between: bool = False


def compound(k: int, correlation: float) -> np.ndarray:
    return np.full((k, k), correlation) + (1 - correlation) * np.eye(k)


def decaying(k: int, correlation: float) -> np.ndarray:
    return correlation ** np.abs(np.subtract.outer(np.arange(k), np.arange(k)))


SCENARIOS = (
    Scenario("3 groups of 20, no effect", 20, np.zeros(3), np.eye(1), between=True),
    Scenario("3 groups of 20, medium effect", 20, np.array([0, 0.3, 0.6]), np.eye(1), between=True),
    Scenario("3 conditions within 24, no effect", 24, np.zeros(3), compound(3, 0.5)),
    Scenario("3 conditions within 24, medium effect", 24, np.array([0, 0.2, 0.5]), compound(3, 0.5)),
    Scenario("3 conditions within 24, large effect", 24, np.array([0, 0.5, 1.0]), compound(3, 0.5)),
    Scenario("4 conditions within 24, ε = .74", 24, np.array([0, 0.2, 0.3, 0.6]), decaying(4, 0.8)),
    Scenario("2 conditions within 12, medium effect", 12, np.array([0, 0.5]), compound(2, 0.5)),
)


def truth(scenario: Scenario) -> dict[str, float]:
    """Return the population's effect sizes; d is that of the last condition against the first."""
    means, covariance, k = scenario.means, scenario.covariance, len(scenario.means)
    effect = float(((means - means.mean()) ** 2).sum())
    difference = float(means[-1] - means[0])
    if scenario.between:
        size = effect / (effect + k * float(covariance[0, 0]))
        return {"pes": size, "ges": size, "omega2": size, "d_z": difference / float(np.sqrt(covariance[0, 0]))}
    people = float(covariance.sum()) / k
    error = float(np.trace(covariance)) - people
    weights = np.zeros(k)
    weights[[0, -1]] = -1, 1
    return {
        "pes": effect / (effect + error),
        "ges": effect / (effect + error + people),
        "omega2": effect / (effect + error),
        "d_z": difference / float(np.sqrt(weights @ covariance @ weights)),
        "d_av": difference / float(np.sqrt((covariance[0, 0] + covariance[-1, -1]) / 2)),
    }


def drawn(scenario: Scenario, random: Random) -> pd.DataFrame:
    k, n = len(scenario.means), scenario.units
    if scenario.between:
        values = scenario.means[:, None] + random.normal(0, np.sqrt(scenario.covariance[0, 0]), (k, n))
        lines = [(f"P{g}-{i}", f"c{g}", values[g, i]) for g in range(k) for i in range(n)]
    else:
        values = random.multivariate_normal(scenario.means, scenario.covariance, n)
        lines = [(f"P{i}", f"c{c}", values[i, c]) for i in range(n) for c in range(k)]
    return pd.DataFrame(lines, columns=["participant", "condition", "y"])


def coverage(scenario: Scenario, *, repetitions: int, seed: int) -> dict[str, float]:
    """Return the share of data sets whose interval holds the truth, by effect size."""
    random = np.random.default_rng(seed)
    known = truth(scenario)
    held = dict.fromkeys([*known, "omega2 as effectsize"], 0)
    within, between = ([], ["condition"]) if scenario.between else (["condition"], [])
    last = f"condition: c{len(scenario.means) - 1}=1, c0=-1"
    for _ in range(repetitions):
        report = rm_anova(drawn(scenario, random), dv="y", contrasts=last, within=within, between=between)
        line = {**report.table("anova").lines()[0], **report.table("contrasts").lines()[0]}
        effect = report.table("anova").lines()[0]
        for size, value in known.items():
            held[size] += line[f"{size}_low"] <= value <= line[f"{size}_high"]
        bounds = noncentral.of_f(effect["f"], effect["df1"], effect["df2"])
        if bounds is not None:
            low, high = (max(0.0, (at - effect["df1"]) / (at + effect["df2"] + 1)) for at in bounds)
            held["omega2 as effectsize"] += low <= known["omega2"] <= high
    return {size: count / repetitions for size, count in held.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=20101)
    options = parser.parse_args()
    sizes = ("pes", "ges", "omega2", "omega2 as effectsize", "d_z", "d_av")
    sys.stdout.write(f"| scenario | {' | '.join(sizes)} |\n|---|{'---|' * len(sizes)}\n")
    for number, scenario in enumerate(SCENARIOS):
        found = coverage(scenario, repetitions=options.repetitions, seed=options.seed + number)
        cells = (f"{100 * found[size]:.1f}" if size in found else "" for size in sizes)
        sys.stdout.write(f"| {scenario.name} | {' | '.join(cells)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

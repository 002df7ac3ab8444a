"""Measure the coverage of mixed models' intervals for designs in which items are in some of the conditions only.

    python -m benchmarks.coverage_of_designs --repetitions 500

Every scenario has lists as the platform makes them, people who differ in level and in the effects that they see, items
that differ in level and in the effects that vary within them, and known effects. The model is the one that is suggested
for such a design. Counts how many 95 % intervals of every effect hold the true value. Prints a table in Markdown with
95 % intervals of the shares (Wilson 1927).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.methods.mixed.method import lmm
from analysis.methods.proportion_intervals import wilson
from experiments.design.incomplete_lists import lists, number_of_lists

PEOPLE, ITEMS = 24, 24
# Standard deviations of levels and effects, and of what is left.
LEVEL, SLOPE, RESIDUAL = 0.4, 0.15, 0.7
LEVELS = {"a": ("a1", "a2"), "b": ("b1", "b2")}
EFFECTS = {"a": 0.3, "b": -0.2}


@dataclass(frozen=True)
class Scenario:
    """The cells (a, b) of every item, by the places of the levels, and the factors that vary within an item."""

    name: str
    cells: tuple[tuple[tuple[int, int], ...], ...]
    within_items: str

    @property
    def formula(self) -> str:
        of_items = f"(1 + {' + '.join(self.within_items)} || item)" if self.within_items else "(1 | item)"
        return f"y ~ a + b + (1 + a + b || participant) + {of_items}"


FOUR = ((0, 0), (0, 1), (1, 0), (1, 1))
PAIRS = tuple((FOUR[i], FOUR[j]) for i in range(4) for j in range(i + 1, 4))
SCENARIOS = (
    Scenario("complete: items in all four conditions", (FOUR,) * ITEMS, "ab"),
    Scenario("incomplete: items in two of four conditions", PAIRS * (ITEMS // len(PAIRS)), "ab"),
    Scenario("nested: a within items, b between them", tuple(((0, n % 2), (1, n % 2)) for n in range(ITEMS)), "a"),
)


def drawn(scenario: Scenario, random: np.random.Generator) -> pd.DataFrame:
    """Return one data set: participant, item, a, b, y; one row per person and item."""
    numbers = [tuple(FOUR.index(cell) for cell in own) for own in scenario.cells]
    shown = lists(numbers, number_of_lists(map(len, numbers)))
    people = random.normal(0, (LEVEL, SLOPE, SLOPE), (PEOPLE, 3))
    items = random.normal(0, (LEVEL, *(SLOPE if name in scenario.within_items else 0 for name in LEVELS)), (ITEMS, 3))
    rows = []
    for person in range(PEOPLE):
        for item, place in enumerate(shown[person % len(shown)]):
            levels = scenario.cells[item][place]
            codes = np.array([1.0, *(level - 0.5 for level in levels)])
            mean = codes @ (people[person] + items[item] + np.array([0, *EFFECTS.values()]))
            names = [LEVELS[name][level] for name, level in zip(LEVELS, levels, strict=True)]
            rows.append((f"P{person}", f"I{item}", *names, mean + random.normal(0, RESIDUAL)))
    return pd.DataFrame(rows, columns=["participant", "item", *LEVELS, "y"])


def coverage(scenario: Scenario, *, repetitions: int, seed: int) -> dict[str, int]:
    """Return in how many data sets the interval of each effect holds its true value."""
    random = np.random.default_rng(seed)
    held = dict.fromkeys(EFFECTS, 0)
    for _ in range(repetitions):
        report = lmm(drawn(scenario, random), formula=scenario.formula, contrasts="treatment")
        lines = {str(line["term"]): line for line in report.table("fixed").lines()}
        for name, effect in EFFECTS.items():
            (line,) = [line for term, line in lines.items() if term.startswith(name)]
            held[name] += line["ci_low"] <= effect <= line["ci_high"]
    return held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=4301)
    options = parser.parse_args()
    sys.stdout.write(f"| design | {' | '.join(EFFECTS)} |\n|---|{'---|' * len(EFFECTS)}\n")
    for number, scenario in enumerate(SCENARIOS):
        held = coverage(scenario, repetitions=options.repetitions, seed=options.seed + number)
        cells = []
        for count in held.values():
            low, high = wilson(count, options.repetitions)
            share = count / options.repetitions
            cells.append(f"{100 * share:.1f} [{100 * low:.1f}–{100 * high:.1f}]")
        sys.stdout.write(f"| {scenario.name} | {' | '.join(cells)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

"""Measure the coverage of the 95 % intervals of `preference`, and its rate of false clusters.

    python -m benchmarks.preference_coverage --repetitions 1000 --slow 300 --out table.md

Every scenario draws data from its model with known worths and counts how many of the intervals of worths and of
differences hold them. Where people differ (`random`), the truth of a mixed model is the mean over people on the logit
scale; that of a cluster bootstrap is what the model finds in very many people. The last column is the share of data
sets in which options that are all equal fall into several clusters.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.preference.method import preference

Random = np.random.Generator
WORTHS = np.array([0.7, 0.2, -0.1, -0.8])
NAMES = ("A", "B", "C", "D")


def pairs(
    random: Random,
    worths: np.ndarray,
    *,
    people: int,
    each: int,
    tie: float = 0.0,
    side: float = 0.0,
    spread: float = 0.0,
    items: int = 0,
    item_spread: float = 0.0,
) -> pd.DataFrame:
    """Draw pairs; `tie` is ν, `spread` how much the worth of an option differs between people."""
    lines = []
    every = list(combinations(range(len(worths)), 2))
    of_items = worths + random.normal(0, item_spread, (max(items, 1), len(worths)))
    for person in range(people):
        own = random.normal(0, spread, len(worths))
        for number in range(each):
            one, other = every[(person + number) % len(every)]
            a, b = (one, other) if random.random() < 0.5 else (other, one)
            item = (person * each + number) % max(items, 1)
            value = of_items[item] + own
            weights = np.exp([value[a] + side / 2, value[b] - side / 2, (value[a] + value[b]) / 2])
            weights[2] *= tie
            chosen = random.choice(3, p=weights / weights.sum())
            lines.append((f"P{person}", f"I{item}", NAMES[a], NAMES[b], ("a", "b", "tie")[chosen], "left"))
    frame = pd.DataFrame(lines, columns=["participant", "item", "a", "b", "choice", "side"])
    return frame if side else frame.drop(columns="side")


def rankings(
    random: Random, worths: np.ndarray, *, people: int, each: int, tie: float = 0.0, spread: float = 0.0
) -> pd.DataFrame:
    """Draw rankings of all options, in which two neighbours may be tied (Davidson–Luce)."""
    lines = []
    for person in range(people):
        value = worths + random.normal(0, spread, len(worths))
        for number in range(each):
            left, rank = list(range(len(worths))), 0
            while left:
                rank += 1
                sets = [(one,) for one in left] + [pair for pair in combinations(left, 2) if tie]
                weights = np.array([np.exp(value[list(s)].mean()) * (tie if len(s) > 1 else 1) for s in sets])
                chosen = sets[int(random.choice(len(sets), p=weights / weights.sum()))]
                lines += [(f"P{person}", f"{person}-{number}", NAMES[one], rank) for one in chosen]
                left = [one for one in left if one not in chosen]
    return pd.DataFrame(lines, columns=["participant", "comparison", "option", "rank"])


def best_worst(random: Random, worths: np.ndarray, *, people: int, each: int, maxdiff: bool = False) -> pd.DataFrame:
    """Draw best–worst judgements of all options."""
    lines = []
    for person in range(people):
        for number in range(each):
            if maxdiff:
                both = [(a, b) for a in range(len(worths)) for b in range(len(worths)) if a != b]
                weights = np.exp([worths[a] - worths[b] for a, b in both])
                best, worst = both[int(random.choice(len(both), p=weights / weights.sum()))]
            else:
                best = int(random.choice(len(worths), p=np.exp(worths) / np.exp(worths).sum()))
                rest = [one for one in range(len(worths)) if one != best]
                weights = np.exp(-worths[rest])
                worst = rest[int(random.choice(len(rest), p=weights / weights.sum()))]
            lines += [
                (f"P{person}", f"{person}-{number}", NAMES[one], one == best, one == worst)
                for one in range(len(worths))
            ]
    return pd.DataFrame(lines, columns=["participant", "comparison", "option", "best", "worst"])


@dataclass(frozen=True)
class Scenario:
    """How data are drawn (random, worths, people) and analysed; `marginal` asks for the truth over many people."""

    name: str
    draw: Callable[..., pd.DataFrame]
    size: dict[str, Any]
    given: dict[str, Any]
    slow: bool = False
    marginal: bool = False


SCENARIOS = (
    Scenario("pairs", pairs, {"people": 40, "each": 6}, {}),
    Scenario("pairs, ties and side", pairs, {"people": 40, "each": 6, "tie": 0.6, "side": 0.5}, {}),
    Scenario("rankings of 4", rankings, {"people": 40, "each": 2}, {}),
    Scenario("rankings of 4, ties", rankings, {"people": 40, "each": 2, "tie": 0.5}, {}),
    Scenario("best–worst of 4, sequential", best_worst, {"people": 40, "each": 2}, {}),
    Scenario("best–worst of 4, maxdiff", best_worst, {"people": 40, "each": 2, "maxdiff": True}, {"model": "maxdiff"}),
    Scenario(
        "people differ, random=participant (mixed)",
        pairs,
        {"people": 40, "each": 18, "spread": 0.7},
        {"random": "participant"},
        slow=True,
    ),
    Scenario(
        "people and items differ, random=participant,item (mixed)",
        pairs,
        {"people": 30, "each": 24, "spread": 0.6, "items": 40, "item_spread": 0.5},
        {"random": "participant,item"},
        slow=True,
    ),
    Scenario(
        "people differ, ties, random=participant (bootstrap)",
        pairs,
        {"people": 40, "each": 18, "tie": 0.6, "spread": 0.7},
        {"random": "participant", "bootstrap": 200},
        slow=True,
        marginal=True,
    ),
    Scenario(
        "people and items differ, ties, random=participant,item (bootstrap)",
        pairs,
        {"people": 30, "each": 24, "tie": 0.6, "spread": 0.5, "items": 40, "item_spread": 0.4},
        {"random": "participant,item", "bootstrap": 200},
        slow=True,
        marginal=True,
    ),
    Scenario(
        "rankings, people differ, random=participant (bootstrap)",
        rankings,
        {"people": 40, "each": 5, "spread": 0.7},
        {"random": "participant", "bootstrap": 200},
        slow=True,
        marginal=True,
    ),
    Scenario(
        "people differ, random=none (warned of)", pairs, {"people": 40, "each": 18, "spread": 0.7}, {}, marginal=True
    ),
)


def truth(scenario: Scenario, worths: np.ndarray) -> np.ndarray:
    """Return what intervals should hold: the worths themselves, or what very many people would give."""
    centred = worths - worths.mean()
    if not scenario.marginal or not np.any(worths):
        return np.asarray(centred)
    many = {"people": 3000} | ({"items": 3000} if scenario.size.get("items") else {})
    frame = scenario.draw(np.random.default_rng(99), worths, **(scenario.size | many))
    found = preference(frame, **_columns(frame)).table("worth").frame().set_index("option")["worth"]
    return found.loc[list(NAMES)].to_numpy(dtype=float)


def covered(scenario: Scenario, *, repetitions: int, seed: int = 1) -> dict[str, float]:
    """Return the shares of intervals of worths and of differences that hold the truth, and of false clusters."""
    real = dict(zip(NAMES, truth(scenario, WORTHS), strict=True))
    worths: list[bool] = []
    differences: list[bool] = []
    false_clusters: list[bool] = []
    for number in range(repetitions):
        for level in (WORTHS, np.zeros(len(NAMES))):
            frame = scenario.draw(np.random.default_rng([seed, number]), level, **scenario.size)
            report = preference(frame, **_columns(frame), **scenario.given)
            if not level.any():
                false_clusters.append(report.table("worth").frame()["cluster"].max() > 1)
                continue
            for line in report.table("worth").lines():
                if line["se"] is not None:
                    worths.append(line["ci_low"] <= real[line["option"]] <= line["ci_high"])
            for line in report.table("differences").lines():
                if line["se"] is not None:
                    differences.append(line["ci_low"] <= real[line["a"]] - real[line["b"]] <= line["ci_high"])
    return {
        "worths": float(np.mean(worths)),
        "differences": float(np.mean(differences)),
        "false clusters": float(np.mean(false_clusters)),
    }


def _columns(frame: pd.DataFrame) -> dict[str, Any]:
    """Return the columns that the data have not as missing."""
    names = ("a", "b", "choice", "side", "comparison", "option", "rank", "best", "worst", "participant", "item")
    return {name: name if name in frame.columns else None for name in names}


def main() -> None:
    """Print the table, and write it where that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--slow", type=int, default=300)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    lines = ["| data and analysis | data sets | worths | differences | false clusters |", "|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    for scenario in SCENARIOS:
        if asked.only not in scenario.name:
            continue
        repetitions = asked.slow if scenario.slow else asked.repetitions
        found = covered(scenario, repetitions=repetitions)
        shares = " | ".join(f"{100 * found[name]:.1f} %" for name in ("worths", "differences", "false clusters"))
        lines.append(f"| {scenario.name} | {repetitions:,} | {shares} |")
        print(lines[-1], flush=True)
    if asked.out is not None:
        asked.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Compare adaptive pairs with pairs in turn: how many judgements are needed for the order that all judgements give.

    python -m benchmarks.adaptive_pairs --data ../shared/data --out table.md

Simulated judges: 10 and 14 options with normal worths, every pair judged 40 times; the full order is that of a
Bradley–Terry fit to all of these judgements, the adaptive one that of a fit to at most half as many. Published ratings
(DialSummEval: 14 systems, 100 dialogues, 3 annotators, 4 qualities; where the folder is there): a judgement of a pair
is who was rated better by one annotator on one dialogue, a tie where both were rated alike; the full order is that of
all of them. Sessions choose 20 pairs at a time (60 of the published ones) from what is known before, as `comparison`
does with so many items.

The share is the smallest part of the judgements from which on Kendall's τ with the full order stays at .95 or more.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
from collections.abc import Callable, Sequence
from itertools import combinations, cycle
from pathlib import Path
from statistics import mean

from scipy.stats import kendalltau

from experiments.design.adaptive_pairs import next_pairs, posterior

WANTED = 0.95

Pair = tuple[int, int]
# The judgements that are left of every pair, in the order in which they come: 1, ½ or 0 for the first.
Left = dict[Pair, list[float]]
Wins = list[list[float]]
# Options, worths by all judgements, what is left by a seed, and how many judgements there are.
Case = tuple[int, Sequence[float], Callable[[int], Left], int]


def no_wins(n: int) -> Wins:
    """Return a table without a win."""
    return [[0.0] * n for _ in range(n)]


def noted(wins: Wins, one: int, other: int, result: float) -> None:
    """Add one judgement."""
    wins[one][other] += result
    wins[other][one] += 1 - result


def taus(
    n: int, left: Left, full: Sequence[float], budget: int, *, at_once: int, adaptive: bool, seed: int
) -> list[float]:
    """Return Kendall's τ with the full order after every session, until the budget is used."""
    rng = random.Random(seed)
    wins, found, done = no_wins(n), [], 0
    every = list(combinations(range(n), 2))
    rng.shuffle(every)
    turn = cycle(every)
    while done < budget:
        open_to = [pair for pair in every if left[pair]]
        found_so_far = posterior(wins)
        chosen = (
            next_pairs(found_so_far, at_once, rng=rng, among=open_to)
            if adaptive
            else [next(turn) for _ in range(at_once)]
        )
        for pair in chosen:
            # What a session asks for and nobody has judged in the data is not counted.
            if left[pair]:
                noted(wins, *pair, left[pair].pop())
                done += 1
        found.append(float(kendalltau(posterior(wins).means, full).statistic))
    return found


def share_needed(found: Sequence[float], total: int, at_once: int) -> float:
    """Return from which share of all judgements on τ stays as high as wanted; infinite where it never does."""
    last_low = max((number for number, tau in enumerate(found) if tau < WANTED), default=-1)
    return math.inf if last_low == len(found) - 1 else (last_low + 2) * at_once / total


def simulated(n: int, each: int, sd: float, seed: int) -> Case:
    """Return the full order of one set of judgements, judges who draw from it without replacement, and its size."""
    rng = random.Random(f"{n} {each} {sd} {seed}")
    worths = [rng.gauss(0, sd) for _ in range(n)]
    results = {
        (one, other): [float(rng.random() < 1 / (1 + math.exp(worths[other] - worths[one]))) for _ in range(each)]
        for one, other in combinations(range(n), 2)
    }
    return _judged(n, results)


def published(ratings: dict[tuple[str, int], dict[str, float]], systems: Sequence[str]) -> Case:
    """Return the same for ratings by (dialogue, annotator)."""
    results: dict[tuple[int, int], list[float]] = {pair: [] for pair in combinations(range(len(systems)), 2)}
    for rated in ratings.values():
        for one, other in results:
            if systems[one] in rated and systems[other] in rated:
                a, b = rated[systems[one]], rated[systems[other]]
                results[one, other].append(0.5 if a == b else float(a > b))
    return _judged(len(systems), results)


def _judged(n: int, results: dict[tuple[int, int], list[float]]) -> Case:
    wins = no_wins(n)
    for (one, other), outcomes in results.items():
        for result in outcomes:
            noted(wins, one, other, result)

    def judges(seed: int) -> Left:
        rng = random.Random(seed)
        return {pair: rng.sample(outcomes, len(outcomes)) for pair, outcomes in results.items()}

    return n, posterior(wins).means, judges, sum(map(len, results.values()))


def row(name: str, cases: Sequence[Case], *, at_once: int = 20) -> str:
    """Return a line of the table: pairs in turn and adaptive pairs, on the same judgements."""
    cells = []
    for adaptive in (True, False):
        halves, needed = [], []
        for number, (n, full, judges, total) in enumerate(cases):
            found = taus(n, judges(number), full, total // 2, at_once=at_once, adaptive=adaptive, seed=number)
            halves.append(found[-1])
            needed.append(share_needed(found, total, at_once))
        # The median over all, those that never get there among them.
        middle = sorted(needed)[len(needed) // 2]
        share = f"{100 * middle:.0f} %" if middle < math.inf else "more than half"
        cells.append(f"{mean(halves):.3f} | {sum(h >= WANTED for h in halves)} of {len(halves)} | {share}")
    total = cases[0][3]
    return f"| {name} | {total:,} | {cells[0]} | {cells[1]} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    lines = [
        "| judgements | in full | adaptive: mean τ at half | τ ≥ .95 | from "
        "| in turn: mean τ at half | τ ≥ .95 | from |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for n, each, sd in ((10, 40, 1.0), (14, 40, 1.0), (14, 40, 2.0)):
        cases = [simulated(n, each, sd, seed) for seed in range(options.repetitions)]
        lines.append(row(f"simulated, {n} options, worths with sd {sd:g}", cases))
        print(lines[-1], flush=True)
    path = options.data / "dialsummeval" / "human_judgment.jsonl.gz"
    if path.is_file():
        for quality in ("consistency", "coherence", "fluency", "relevance"):
            ratings, systems = dialogues(path, quality)
            cases = [published(ratings, systems)] * max(2, options.repetitions // 3)
            lines.append(row(f"DialSummEval, {quality}, {len(systems)} systems", cases, at_once=60))
            print(lines[-1], flush=True)
    if options.out:
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def dialogues(path: Path, quality: str) -> tuple[dict[tuple[str, int], dict[str, float]], list[str]]:
    """Return the ratings of one quality by (dialogue, annotator) and system, and the systems."""
    ratings: dict[tuple[str, int], dict[str, float]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            for annotator, given in enumerate(entry["annotations"]):
                of_one = ratings.setdefault((entry["id"], annotator), {})
                of_one[entry["model_id"]] = float(given[quality])
    return ratings, sorted({system for of_one in ratings.values() for system in of_one})


if __name__ == "__main__":
    main()

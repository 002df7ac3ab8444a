"""Simulate error rates of the comparison of materials: alike texts told apart, different ones called alike.

Materials are drawn at random: every item has a typical length, every text of it one to three sentences of about that
length, of words drawn from the frequency list of English. Nothing depends on the condition, unless two words are added
to every sentence of one level of the first factor. Lists are those of a Latin square.

    python -m benchmarks.null_matching --repetitions 1000

prints the tables of docs/methods/matching-null-simulation.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import wordfreq

from analysis.methods.texts.matching import ALIKE, DIFFER, MATCHED, UNDECIDED, difference, verdict_of
from analysis.methods.texts.matching_bounds import Bound
from analysis.methods.texts.method import text_profile

SURE = (ALIKE, DIFFER)
VOCABULARY = 2000
ALPHA = 0.05


@dataclass(frozen=True)
class Design:
    """Items in the crossed levels of factors, shown in a Latin square."""

    items: int
    levels: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.items} items, {' × '.join(map(str, self.levels))}"


DESIGNS = (Design(16, (2,)), Design(24, (2, 2)), Design(24, (3,)), Design(48, (2, 2)), Design(144, (2, 2, 2)))


def materials(design: Design, *, seed: int, added: int = 0) -> pd.DataFrame:
    """Return the texts of a study on its lists; `added` words more in every sentence of level f1a of factor f1."""
    random = np.random.default_rng(seed)
    words = np.array(wordfreq.top_n_list("en", VOCABULARY))
    cells = list(product(*(range(n) for n in design.levels)))
    rows = []
    for item in range(design.items):
        typical = int(random.integers(11, 20))
        for at, cell in enumerate(cells):
            extra = added if cell[0] == 0 else 0
            sentences = [
                " ".join(random.choice(words, size=max(4, typical + int(random.integers(-3, 4))) + extra)).capitalize()
                + "."
                for _ in range(random.integers(1, 4))
            ]
            named = {f"f{f + 1}": f"f{f + 1}{'abcdefgh'[level]}" for f, level in enumerate(cell)}
            rows.append({"item": f"I{item:03}", **named, "text": " ".join(sentences),
                         "list": str((item + at) % len(cells) + 1)})  # fmt: skip
    return pd.DataFrame(rows)


def compared(design: Design, *, seed: int, added: int = 0) -> dict[str, pd.DataFrame]:
    """Return the comparisons that the report of one simulated study holds, over all texts and within lists."""
    frame = materials(design, seed=seed, added=added)
    factors = tuple(f"f{f + 1}" for f in range(len(design.levels)))
    report = text_profile(frame, condition=factors)
    return {name: report.table(name).frame() for name in ("matching", "matching_within_lists")}


def warned(design: Design, *, repetitions: int, seed: int = 1) -> dict[str, float]:
    """Return the shares (in %) of studies without any difference that are told of one."""
    told = {"within lists, uncorrected": 0, "within lists": 0, "conditions": 0, "lists": 0}
    for number in range(repetitions):
        tables = compared(design, seed=seed + number)
        overall, within = tables["matching"], tables["matching_within_lists"]
        of_lists = overall["factor"] == "list"
        told["within lists, uncorrected"] += bool((within["p"] < ALPHA).any())
        told["within lists"] += bool(within["verdict"].isin(SURE).any())
        told["conditions"] += bool(overall.loc[~of_lists, "verdict"].isin(SURE).any())
        told["lists"] += bool(overall.loc[of_lists, "verdict"].isin(SURE).any())
    return {name: 100 * number / repetitions for name, number in told.items()}


def lengthened(design: Design, *, repetitions: int, added: int = 2, seed: int = 1) -> dict[str, float]:
    """Return how often (in %) each verdict falls on the words of a level whose sentences are longer."""
    said: list[str] = []
    for number in range(repetitions):
        overall = compared(design, seed=seed + number, added=added)["matching"]
        mine = overall[
            (overall["factor"] == "f1") & (overall["measure"] == "words") & overall["pair"].str.contains("f1a")
        ]
        said += mine["verdict"].tolist()
    return {verdict: 100 * said.count(verdict) / len(said) for verdict in (MATCHED, ALIKE, DIFFER, UNDECIDED)}


def at_the_bound(*, n: int, paired: bool, kind: Any, repetitions: int, seed: int = 1) -> dict[str, float]:
    """Return how often (in %) levels are said to be alike that differ by exactly the bound, and such that do not
    differ at all. The values are lengths of texts: mean 20, sd 4 between items and 1.5 within.
    """
    random = np.random.default_rng(seed)
    bound = Bound(kind, {"percent": 5.0, "d": 0.2, "raw": 1.0}[kind])
    spread = 1.5 * 2**0.5 if paired else (4**2 + 1.5**2) ** 0.5
    # Per cent are of the mean of both levels: 20 and 20 + x with x = .05 · (20 + x / 2).
    apart = {"percent": 1.0 / 0.975, "d": 0.2 * spread, "raw": 1.0}[kind]
    shares = {}
    for name, diff in (("at the bound", apart), ("no difference", 0.0)):
        alike = 0
        for _ in range(repetitions):
            of_items = random.normal(20, 4, (2, n))
            b = of_items[0] + random.normal(0, 1.5, n)
            a = (of_items[0] if paired else of_items[1]) + random.normal(0, 1.5, n) + diff
            line = difference(a, b, paired=paired, bound=bound, alpha=ALPHA)
            alike += verdict_of(line, alpha=ALPHA) in (MATCHED, ALIKE)
        shares[name] = 100 * alike / repetitions
    return shares


def tables(
    *, repetitions: int, designs: Sequence[Design] = DESIGNS, sizes: Sequence[int] = (8, 24, 72, 144)
) -> Iterator[str]:
    """Yield the lines of the three tables."""
    yield "| design | within lists, uncorrected | within lists | conditions, over all | lists with each other |"
    yield "|---|---|---|---|---|"
    for design in designs:
        found = warned(design, repetitions=max(2, repetitions // _weight(design)))
        cells = [found[name] for name in ("within lists, uncorrected", "within lists", "conditions", "lists")]
        yield f"| {design} | {' | '.join(f'{value:.1f}' for value in cells)} |"
    yield ""
    yield f"| design | {MATCHED} | {ALIKE} | {DIFFER} | {UNDECIDED} |"
    yield "|---|---|---|---|---|"
    for design in designs:
        found = lengthened(design, repetitions=max(2, repetitions // 5 // _weight(design)))
        yield f"| {design} | {' | '.join(f'{value:.1f}' for value in found.values())} |"
    yield ""
    yield "| compared | bound | n | alike, at the bound | alike, no difference |"
    yield "|---|---|---|---|---|"
    for paired, kind, n in product((True, False), ("percent", "d"), sizes):
        found = at_the_bound(n=n, paired=paired, kind=kind, repetitions=5 * repetitions)
        bound = "5 %" if kind == "percent" else "d = .2"
        where = "within items" if paired else "between items"
        yield f"| {where} | {bound} | {n} | {found['at the bound']:.1f} | {found['no difference']:.1f} |"


def _weight(design: Design) -> int:
    """Return by how much a design is done less often: large ones take long."""
    return 5 if design.items > 100 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1000)
    for line in tables(repetitions=parser.parse_args().repetitions):
        print(line, flush=True)

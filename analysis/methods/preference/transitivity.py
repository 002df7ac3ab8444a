"""Check whether one scale fits: circular triads, agreement between people, misfit of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.codes.coefficients_of_agreement import alpha, raw_agreement
from analysis.methods.preference.judgements import PAIRS, Ints, Judgements, Pairwise


@dataclass(frozen=True)
class Circles:
    """How many of the triples that were compared completely (and without a tie) go round in a circle."""

    circular: int
    triples: int

    @property
    def share(self) -> float:
        """The share of circles; by chance it would be a quarter."""
        return self.circular / self.triples if self.triples else np.nan


def circles(leads: Mapping[tuple[int, int], float]) -> Circles:
    """Count circles among options a < b with `leads[a, b]` above 0 where a is preferred.

    >>> circles({(0, 1): 1.0, (1, 2): 1.0, (0, 2): -1.0}), circles({(0, 1): 1.0, (1, 2): 1.0, (0, 2): 1.0}).share
    (Circles(circular=1, triples=1), 0.0)
    """
    options = sorted({option for pair in leads for option in pair})
    circular = triples = 0
    for a, b, c in combinations(options, 3):
        ab, bc, ac = (leads.get(pair, 0.0) for pair in ((a, b), (b, c), (a, c)))
        if ab and bc and ac:
            triples += 1
            circular += (ab > 0) == (bc > 0) != (ac > 0)
    return Circles(circular, triples)


def of_all(pairs: Pairwise, number: int) -> Circles:
    """Return circles of the majorities over all judgements."""
    return circles(_leads(pairs, np.ones(len(pairs.a), dtype=bool), number))


def of_people(judgements: Judgements, pairs: Pairwise) -> Circles | None:
    """Return circles within each participant's own choices, for one item where there are items; None without
    participants and where comparisons are rankings, which hold no circles.
    """
    if judgements.kind != PAIRS or judgements.participants is None:
        return None
    who = judgements.participants
    everything = np.zeros(len(who), dtype=np.intp)
    found = Circles(0, 0)
    # Where nobody judged three pairs of one item, their choices over all items are looked at.
    for what in (judgements.items, everything):
        if what is not None and not found.triples:
            owner = np.unique(np.column_stack([who, what]), axis=0, return_inverse=True)[1].ravel()[pairs.judgement]
            each = [circles(_leads(pairs, owner == one, len(judgements.options))) for one in np.unique(owner)]
            found = Circles(sum(one.circular for one in each), sum(one.triples for one in each))
    return found


def _leads(pairs: Pairwise, chosen: Any, number: int) -> dict[tuple[int, int], float]:
    keys = pairs.a[chosen] * number + pairs.b[chosen]
    sums = np.bincount(keys, weights=pairs.outcome[chosen] - 0.5, minlength=number**2)
    return {(int(key // number), int(key % number)): float(np.round(sums[key], 9)) for key in np.unique(keys)}


def agreement(judgements: Judgements, pairs: Pairwise) -> tuple[int, float, float] | None:
    """Return how many pairs of options (of an item) were judged by several people, the share of people who agree on
    them, and Krippendorff's α (nominal: one, the other, tie); None where nobody judged the same.
    """
    if judgements.participants is None:
        return None
    number = len(judgements.options)
    item = judgements.items if judgements.items is not None else np.zeros(len(judgements.made), dtype=np.intp)
    unit = (item[pairs.judgement] * number + pairs.a) * number + pairs.b
    units, row = np.unique(unit, return_inverse=True)
    people, column = np.unique(judgements.participants[pairs.judgement], return_inverse=True)
    if len(units) * len(people) > 5_000_000:
        return None
    table = np.full((len(units), len(people)), np.nan)
    table[row.ravel()[::-1], column.ravel()[::-1]] = pairs.outcome[::-1]
    several = (~np.isnan(table)).sum(axis=1) > 1
    if not several.any():
        return None
    return int(several.sum()), raw_agreement(table[several]), alpha(table, "nominal")


def misfit(judgements: Judgements, log_likelihood: float, parameters: int) -> tuple[float, int, float]:
    """Return G² of the model against pairs that each have probabilities of their own, its df and p (pairs, no side).

    The first option of each pair wins, loses or ties with free probabilities in the larger model.
    """
    counts: dict[tuple[int, int], Floats] = {}
    for judgement in judgements.made:
        a, b = sorted(judgement.pair)
        which = 2 if len(judgement.tiers) == 1 else 0 if judgement.tiers[0] == (a,) else 1
        counts.setdefault((a, b), np.zeros(3))[which] += 1
    outcomes = 3 if judgements.ties else 2
    free = sum(float((row[row > 0] * np.log(row[row > 0] / row.sum())).sum()) for row in counts.values())
    df = len(counts) * (outcomes - 1) - parameters
    chi2 = max(0.0, 2 * (free - log_likelihood))
    return (chi2, df, float(scipy.stats.chi2.sf(chi2, df))) if df > 0 else (np.nan, 0, np.nan)


def distinct(positions: Ints | None) -> int:
    """Return how many participants or items there are."""
    return 0 if positions is None else len(np.unique(positions[positions >= 0]))

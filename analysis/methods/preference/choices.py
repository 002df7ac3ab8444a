"""Judgements as choices of one among several alternatives, each with its features.

The logarithm of what speaks for an alternative is linear in its features, so that one likelihood serves all models:

- **Davidson** (1970): of a pair i, j the alternatives are i (λ_i), j (λ_j) and, where ties occur, neither
  ((λ_i + λ_j)/2 + ln ν). The side adds δ/2 to the option in the first place and −δ/2 to the other.
- **Plackett–Luce**: the best of all, then the best of the rest, and so on. Where ranks are tied a set of options is
  chosen together, with the mean of their λ and ln ν of its size (Davidson–Luce; Turner, van Etten, Firth & Kosmidis
  2020). Of two options that is Davidson's model.
- **Best–worst**, sequential: the best of all by λ, then the worst of the rest by −λ (Marley & Louviere 2005). As
  maxdiff: the pair of best and worst with the greatest difference, λ_best − λ_worst, among all ordered pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.preference.judgements import BEST_WORST, PAIRS, Ints, Judgement, Judgements
from analysis.methods.report import BadInput

MOST_ALTERNATIVES = 2_000_000
SEQUENTIAL, MAXDIFF = "sequential", "maxdiff"
MODELS = (SEQUENTIAL, MAXDIFF)

Alternative = tuple[dict[int, float], int]
"""Features: multiples of the λ of options, and the size of a tie (0: none)."""


@dataclass(frozen=True)
class Choices:
    """Alternatives (rows) of choices. `starts` are the first rows of choices, `chosen` the row chosen in each.

    `features` are those of the λ of the options, then ln ν of ties by size (`sizes`), then δ where sides are known.
    """

    features: Floats
    starts: Ints
    chosen: Ints
    judgement: Ints
    sizes: tuple[int, ...]
    sided: bool


def choices_of(judgements: Judgements, *, model: str) -> Choices:
    """Return the choices that judgements are made of. Raises BadInput where there are far too many alternatives.

    >>> made = (Judgement(((0,), (1,)), (0, 1)), Judgement(((0, 1),), (0, 1)))
    >>> found = choices_of(Judgements(PAIRS, ("x", "y"), made, None, None), model="sequential")
    >>> found.features.tolist(), found.chosen.tolist()
    ([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]], [0, 5])
    """
    sizes: tuple[int, ...] = ()
    if judgements.kind != BEST_WORST:
        sizes = tuple(sorted({len(t) for judgement in judgements.made for t in judgement.tiers if len(t) > 1}))
    sided = any(judgement.first for judgement in judgements.made)
    number, width = len(judgements.options), len(judgements.options) + len(sizes) + sided
    rows: list[Floats] = []
    starts: list[int] = []
    chosen: list[int] = []
    owners: list[int] = []
    for owner, judgement in enumerate(judgements.made):
        for alternatives, which in _stages(judgement, judgements.kind, sizes, model):
            starts.append(len(rows))
            chosen.append(len(rows) + which)
            owners.append(owner)
            for weights, size in alternatives:
                row = np.zeros(width)
                for option, weight in weights.items():
                    row[option] = weight
                if size > 1:
                    row[number + sizes.index(size)] = 1.0
                elif sided:
                    (option,) = weights
                    row[-1] = judgement.first / 2 * (1 if option == judgement.pair[0] else -1)
                rows.append(row)
            if len(rows) > MOST_ALTERNATIVES:
                raise BadInput(
                    "The comparisons have too many options with ties for all their combinations to be counted; take "
                    "smaller sets of options, or ranks without ties."
                )
    return Choices(
        np.array(rows),
        np.array(starts, dtype=np.intp),
        np.array(chosen, dtype=np.intp),
        np.array(owners, dtype=np.intp),
        sizes,
        sided,
    )


def _stages(
    judgement: Judgement, kind: str, sizes: Sequence[int], model: str
) -> Iterator[tuple[list[Alternative], int]]:
    if kind == PAIRS:
        yield _sets(judgement.pair, judgement.tiers[0], sizes)
    elif kind == BEST_WORST:
        yield from _best_worst(judgement, model)
    else:
        left = list(judgement.options)
        for tier in judgement.tiers:
            if len(left) > 1:
                yield _sets(left, tier, sizes)
            left = [option for option in left if option not in tier]


def _sets(shown: Sequence[int], tier: Sequence[int], sizes: Sequence[int]) -> tuple[list[Alternative], int]:
    found: list[Alternative] = []
    which = -1
    for size in (1, *sizes):
        for group in combinations(shown, size):
            if set(group) == set(tier):
                which = len(found)
            found.append((dict.fromkeys(group, 1 / size), size))
    return found, which


def _best_worst(judgement: Judgement, model: str) -> Iterator[tuple[list[Alternative], int]]:
    shown = judgement.options
    (best,), worst = judgement.tiers[0], judgement.tiers[2]
    if model == MAXDIFF and worst:
        both = list(permutations(shown, 2))
        yield [({one: 1.0, other: -1.0}, 0) for one, other in both], both.index((best, worst[0]))
        return
    yield [({option: 1.0}, 0) for option in shown], shown.index(best)
    rest = [option for option in shown if option != best]
    if worst and len(rest) > 1:
        yield [({option: -1.0}, 0) for option in rest], rest.index(worst[0])

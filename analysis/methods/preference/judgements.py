"""Comparisons of options: pairs, rankings, best–worst judgements, and the pairs that they imply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from analysis.methods.arrays import Floats

Ints = npt.NDArray[np.intp]

PAIRS, RANKINGS, BEST_WORST = "pairs", "rankings", "best-worst"


@dataclass(frozen=True)
class Judgement:
    """One comparison. `tiers` are the options from best to worst, those in one tier not told apart.

    A best–worst judgement has the best, the others, and the worst (which may be missing: then the last tier is empty).
    `first` is 1 where the first option of a pair stood in the first place, −1 where the other did, 0 where it is not
    known; `pair` are the options of a pair in the order of the data.
    """

    tiers: tuple[tuple[int, ...], ...]
    pair: tuple[int, int] = (-1, -1)
    first: int = 0

    @property
    def options(self) -> tuple[int, ...]:
        """All options that were shown, in their order in the data of all."""
        return tuple(sorted(option for tier in self.tiers for option in tier))


@dataclass(frozen=True)
class Judgements:
    """All comparisons. `participants` and `items` are positions in their levels, None where there is no such column.

    `place` is the name of the first place, where pairs have one.
    """

    kind: str
    options: tuple[str, ...]
    made: tuple[Judgement, ...]
    participants: Ints | None
    items: Ints | None
    place: str = ""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def ties(self) -> int:
        """How many comparisons hold options that were not told apart (and could have been)."""
        if self.kind == BEST_WORST:
            return 0
        return sum(any(len(tier) > 1 for tier in judgement.tiers) for judgement in self.made)

    def clusters(self, name: str) -> Ints | None:
        """Return the participants or the items."""
        return self.participants if name == "participant" else self.items


@dataclass(frozen=True)
class Pairwise:
    """What judgements imply about pairs: option `a` (the earlier of the two) against `b`; 1, ½ or 0 for a."""

    judgement: Ints
    a: Ints
    b: Ints
    outcome: Floats


def pairwise(judgements: Judgements) -> Pairwise:
    """Return the pairs that judgements imply. Of a best–worst judgement the options between are not told apart, and
    not compared with each other.

    >>> made = (Judgement(((1,), (0, 2))),)
    >>> found = pairwise(Judgements(RANKINGS, ("x", "y", "z"), made, None, None))
    >>> list(zip(found.a.tolist(), found.b.tolist(), found.outcome.tolist()))
    [(0, 1, 0.0), (0, 2, 0.5), (1, 2, 1.0)]
    """
    lines: list[tuple[int, int, int, float]] = []
    for number, judgement in enumerate(judgements.made):
        place = {option: tier for tier, options in enumerate(judgement.tiers) for option in options}
        for a, b in combinations(judgement.options, 2):
            if place[a] == place[b] and judgements.kind == BEST_WORST:
                continue
            lines.append((number, a, b, 0.5 if place[a] == place[b] else float(place[a] < place[b])))
    columns: Sequence[Sequence[float]] = list(zip(*lines, strict=True)) if lines else [(), (), (), ()]
    judgement_, a_, b_ = (np.array(column, dtype=np.intp) for column in columns[:3])
    return Pairwise(judgement_, a_, b_, np.array(columns[3], dtype=np.float64))

"""Draw a small histogram for every numeric column of a listing, with minimum and maximum."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.methods.report import Table
from analysis.methods.wording import number_text

BARS = 24
MOST = 6


@dataclass(frozen=True)
class Distribution:
    """How the numbers of one column, or of one group, lie. `bars` are heights between 0 and 1, from the least to the
    greatest value that the picture shows.
    """

    label: str
    n: int
    bars: tuple[float, ...]
    least: str
    middle: str
    greatest: str

    @property
    def marks(self) -> list[tuple[float, float, float]]:
        """Left edge, top and height of every bar in a picture of 100 by 24."""
        width = 100 / len(self.bars)
        return [
            (round(place * width, 2), round(24 - 24 * bar, 2), round(24 * bar, 2))
            for place, bar in enumerate(self.bars)
        ]

    @property
    def width(self) -> float:
        """The width of a bar in that picture."""
        return round(100 / len(self.bars) - 0.6, 2)


def distributions(table: Table) -> list[Distribution]:
    """Return those of the first columns with numbers that differ.

    >>> from analysis.methods.report import Column
    >>> table = Table("t", "T", (Column("x", "X"),), ((1.0,), (2.0,), (2.0,), (5.0,)))
    >>> [(one.n, one.least, one.middle, one.greatest) for one in distributions(table)]
    [(4, '1.00', '2.00', '5.00')]
    """
    drawn = []
    for place, column in enumerate(table.columns):
        if column.format in ("text", "boolean"):
            continue
        values = [float(row[place]) for row in table.rows if _is_number(row[place])]
        if len(set(values)) > 1:
            drawn.append(_distribution(column.label, values))
        if len(drawn) == MOST:
            break
    return drawn


def distributions_of(groups: Mapping[str, Sequence[float]]) -> list[Distribution]:
    """Return those of the numbers of groups by what the groups are called, from the least to the greatest of them all.

    >>> [(one.label, one.n, one.bars[0], one.bars[-1]) for one in distributions_of({"a": [1, 2], "b": [2, 2, 5]})]
    [('a', 2, 1.0, 0.0), ('b', 3, 0.0, 0.5)]
    """
    every = [value for values in groups.values() for value in values]
    if len(set(every)) < 2:
        return []
    bounds = min(every), max(every)
    return [_distribution(label, list(values), bounds) for label, values in groups.items() if values]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _distribution(label: str, values: list[float], bounds: tuple[float, float] | None = None) -> Distribution:
    least, greatest = min(values), max(values)
    low, high = bounds or (least, greatest)
    counts = [0] * BARS
    for value in values:
        counts[min(BARS - 1, int(BARS * (value - low) / (high - low)))] += 1
    tallest = max(counts)
    return Distribution(
        label=label,
        n=len(values),
        bars=tuple(count / tallest for count in counts),
        least=number_text(least),
        middle=number_text(statistics.median(values)),
        greatest=number_text(greatest),
    )

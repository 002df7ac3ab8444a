"""Equivalence bounds of text measures: in per cent, raw units or standard deviations."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.methods.report import BadInput
from analysis.methods.wording import listed, no_such

DEFAULT_D = 0.2
# Lengths, which come between conditions and reading times or judgements first.
DEFAULT_BOUNDS = "words:5%, characters:5%, syllables:5%, words_per_sentence:5%"
MOST_D, MOST_PERCENT = 10, 100


@dataclass(frozen=True)
class Bound:
    """A difference up to this does not matter.

    `percent` is of the mean of both levels, `raw` in the unit of the measure, `d` in standard deviations: of the
    differences where items are compared with themselves, else of the two groups pooled.
    """

    kind: Literal["percent", "raw", "d"]
    size: float

    def in_unit(self, *, mean_a: float, mean_b: float, sd: float) -> float:
        """Return the bound in the unit of the measure.

        >>> Bound("percent", 5).in_unit(mean_a=9, mean_b=11, sd=3), Bound("d", 0.2).in_unit(mean_a=9, mean_b=11, sd=3)
        (0.5, 0.6000000000000001)
        """
        if self.kind == "percent":
            return self.size / 100 * abs(mean_a + mean_b) / 2
        return self.size if self.kind == "raw" else self.size * sd

    def __str__(self) -> str:
        return {"percent": f"{self.size:g} %", "raw": f"{self.size:g}", "d": f"d = {self.size:g}"}[self.kind]


@dataclass(frozen=True)
class Bounds:
    """The bound of every measure: its own, else the one for all others."""

    own: Mapping[str, Bound]
    others: Bound

    def of(self, measure: str) -> Bound:
        """Return the bound of a measure."""
        return self.own.get(measure, self.others)

    def told(self, measures: Sequence[str], names: Mapping[str, str]) -> str:
        """Say the bounds of these measures in words."""
        own = [f"{self.own[name]} of {names[name]}" for name in measures if name in self.own]
        rest = [names[name] for name in measures if name not in self.own]
        return listed([*own, *([f"{self.others} for {listed(rest)}"] if rest else [])])


def bounds_of(text: str | None, *, d: float, measures: Sequence[str]) -> Bounds:
    """Read bounds such as `words:5%, zipf:0.1, syllables:0.3d`; `d` holds for every measure that is not named.

    Raises BadInput for a measure that there is not, and for what is no bound.

    >>> bounds_of("words:5%, zipf:0.1", d=0.2, measures=["words", "zipf"]).of("zipf")
    Bound(kind='raw', size=0.1)
    """
    if not 0 < d <= MOST_D:
        raise BadInput(f"bound must be a number of standard deviations above 0, such as {DEFAULT_D}; {d:g} is not.")
    own: dict[str, Bound] = {}
    for part in filter(None, (part.strip() for part in (text or "").split(","))):
        if part == "none":
            continue
        name, _, given = (side.strip() for side in part.replace("=", ":").partition(":"))
        if name not in measures:
            raise BadInput(f"bounds: {no_such('measure', name, measures)}")
        own[name] = _bound(name, given)
    return Bounds(own, Bound("d", d))


def _bound(name: str, given: str) -> Bound:
    found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(%|d)?", given)
    size = float(found[1]) if found else 0.0
    kind: Literal["percent", "raw", "d"] = "raw"
    if found and found[2]:
        kind = "percent" if found[2] == "%" else "d"
    if size <= 0 or (kind == "percent" and size > MOST_PERCENT) or (kind == "d" and size > MOST_D):
        raise BadInput(
            f"bounds: '{given}' is no bound of {name}; write per cent ({name}:5%), its own unit ({name}:0.5) or "
            f"standard deviations ({name}:0.2d)."
        )
    return Bound(kind, size)

"""The design as the rows show it: which factor differs within and which between units, and how often units meet.

`read` is what models call: it returns the design, whose `line` opens the report. Whether ids are those of the same
people in all of its rows is asked in `anew`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Integers
from analysis.methods.rows.columns import joined
from analysis.methods.rows.combined import combined, numbered
from analysis.methods.rows.factors import Coded, factor_of
from analysis.methods.rows.read_as import is_amount
from analysis.methods.wording import counted, listed

PEOPLE, THINGS = "participant", "item"
MOST_LEVELS = 200
"""A column with more levels is a measure or a unit, and no factor."""
MOST_NUMBERS = 12
"""More different numbers are amounts."""
MOST_TOGETHER = 3
"""So many factors together may tell the answers of a pair apart."""


@dataclass(frozen=True)
class Unit:
    """Participants, items, or another sample: what they are called, their column(s), and which one every row has."""

    noun: str
    columns: tuple[str, ...]
    read: Coded

    @property
    def name(self) -> str:
        """Return the columns as a parameter names them."""
        return ":".join(self.columns)

    @property
    def plural(self) -> str:
        """Return what they are called: participants and items, else the name of the column."""
        return f"{self.noun}s" if self.noun in (PEOPLE, THINGS) else self.noun

    @cached_property
    def size(self) -> int:
        """Return how many occur."""
        return len(np.unique(self.read.positions[self.read.positions >= 0]))


@dataclass(frozen=True)
class Design:
    """The units and factors of an analysis over the rows that have a value, a unit of every kind and all levels."""

    units: tuple[Unit, ...]
    factors: dict[str, Coded]

    def is_within(self, factor: str, unit: Unit) -> bool:
        """Return whether some unit has several levels of a factor."""
        return _varies(self.factors[factor], unit.read)

    @property
    def line(self) -> str:
        """Return the design in words; empty without units.

        >>> frame = pd.DataFrame({"participant": [*"aabb"], "item": [*"1212"], "group": [*"xxyy"], "order": [*"uvvu"]})
        >>> print(read(frame, units={"participant": "participant", "item": "item"}, factors=["group", "order"]).line)
        group: between participants, within items; order: within participants and items; 2 participants × 2 items, each
        pair once.
        """
        if not self.units:
            return ""
        told: dict[str, list[str]] = {}
        for factor in self.factors:
            told.setdefault(self._relation(factor), []).append(factor)
        sentences = [f"{listed(factors)}: {relation}" for relation, factors in told.items()]
        sizes = " × ".join(_sized(unit) for unit in self.units)
        return "; ".join([*sentences, f"{sizes}{self._how_often()}"]) + "."

    def _relation(self, factor: str) -> str:
        is_within = {unit.plural: self.is_within(factor, unit) for unit in self.units}
        parts = [
            f"{word} {listed(names)}"
            for word, wanted in (("between", False), ("within", True))
            if (names := [name for name, within in is_within.items() if within is wanted])
        ]
        return ", ".join(parts)

    def _how_often(self) -> str:
        total, _ = combined((unit.read.positions, len(unit.read.levels)) for unit in self.units)
        rooms = int(np.prod([len(unit.read.levels) for unit in self.units], dtype=object))
        present, place = numbered(total, rooms)
        counts = np.bincount(place)
        low, high = int(counts.min()), int(counts.max())
        if len(self.units) == 1:
            return f", {counted(low, 'row')} each" if low == high else f", {low:,} to {high:,} rows each"
        what = "pair" if len(self.units) == 2 else "combination"
        possible = int(np.prod([unit.size for unit in self.units], dtype=object))
        each = f"each {what}"
        if len(present) < possible:
            each = f"{len(present):,} of {possible:,} {what}s, each"
        if low != high:
            return f", {each} {low:,} to {high:,} times"
        if low > 1 and (factors := self._told_apart_by(total, rooms, low)):
            every = f"every level of {factors[0]}" if len(factors) == 1 else f"every combination of {listed(factors)}"
            return f", {each} once in {every}"
        return f", {each} {_times(low)}"

    def _told_apart_by(self, total: Integers, rooms: int, often: int) -> tuple[str, ...]:
        """Return the fewest factors whose levels make as many combinations as a pair has rows, and tell these apart."""
        known = {name: one for name, one in self.factors.items() if len(one.levels) <= often}
        for size in range(1, min(MOST_TOGETHER, len(known)) + 1):
            for names in combinations(known, size):
                sizes = [len(known[name].levels) for name in names]
                if int(np.prod(sizes)) != often:
                    continue
                parts = [(total, rooms), *((known[name].positions, len(known[name].levels)) for name in names)]
                cells, _ = combined(parts)
                if len(pd.unique(cells)) == len(cells):
                    return names
        return ()


def read(
    frame: pd.DataFrame,
    *,
    units: dict[str, str | Sequence[str]],
    factors: Collection[str],
    measured: Sequence[str] = (),
) -> Design:
    """Read the design off the rows that have a measure, all units and all factors.

    `units` are the columns of every kind of unit (several: joined) by what the units are called. Factors that are
    units, or have a single level or too many, are left out.
    """
    columns = {noun: (names,) if isinstance(names, str) else tuple(names) for noun, names in units.items()}
    columns = {noun: names for noun, names in columns.items() if all(name in frame.columns for name in names)}
    taken = {names[0] for names in columns.values() if len(names) == 1} | set(measured)
    names = [name for name in dict.fromkeys(factors) if name in frame.columns and name not in taken]
    found = {noun: joined(frame, list(own)) for noun, own in columns.items()}
    coded = {name: factor_of(frame[name]).coded for name in names if not _is_amount(frame, name)}
    coded = {name: one for name, one in coded.items() if 1 < len(one.levels) <= MOST_LEVELS}
    known = np.logical_and.reduce(
        [
            np.ones(len(frame), dtype=bool),
            *(one.positions >= 0 for one in (*found.values(), *coded.values())),
            *(has_value(frame, name) for name in measured),
        ]
    )
    if not known.all():
        found = {noun: Coded(one.positions[known], one.levels) for noun, one in found.items()}
        coded = {name: Coded(one.positions[known], one.levels) for name, one in coded.items()}
    if not known.any():
        return Design((), {})
    return Design(tuple(Unit(noun, columns[noun], one) for noun, one in found.items()), coded)


def has_value(frame: pd.DataFrame, column: str) -> npt.NDArray[np.bool_]:
    """Return which cells of a column are not empty."""
    factor = factor_of(frame[column])
    if isinstance(factor.values, np.ndarray) and factor.values.dtype.kind in "fiu":
        return np.asarray(factor.positions >= 0)
    return factor.each([code is not None for code in factor.codes], missing=False)


def _is_amount(frame: pd.DataFrame, name: str) -> bool:
    """Say whether a column holds more numbers than name conditions."""
    factor = factor_of(frame[name])
    return (is_amount(name) or len(factor.values) > MOST_NUMBERS) and factor.numbers is not None


def _varies(factor: Coded, unit: Coded) -> bool:
    first = np.zeros(len(unit.levels), dtype=np.intp)
    first[unit.positions] = factor.positions
    return bool((first[unit.positions] != factor.positions).any())


def _sized(unit: Unit) -> str:
    if unit.noun in (PEOPLE, THINGS):
        return counted(unit.size, unit.noun)
    return counted(unit.size, f"level of {unit.noun}", f"levels of {unit.noun}")


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")

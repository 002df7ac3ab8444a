"""Lay out trials (participants × items × cells), and average them by participant or item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.methods.arrays import Floats, Integers
from analysis.methods.power.design import Design
from experiments.design import incomplete_lists, latin_square
from experiments.design.incomplete_blocks import blocks


@dataclass(frozen=True)
class Layout:
    """Which participant sees which item in which cell: one entry per trial, in the order of participants."""

    participants: int
    items: int
    cells: int
    participant: Integers
    item: Integers
    cell: Integers

    @classmethod
    def of(
        cls,
        assignment: str,
        *,
        participants: int,
        items: int,
        cells: int,
        places: Integers | None = None,
        cells_per_item: int | None = None,
    ) -> Layout:
        """Lay out a design: a Latin square (everybody sees each item in one cell) or every item in every cell.

        `places` are the cells by groups of participants, groups of items and within both (see `Design.places`). Groups
        take turns, so that their sizes differ by one at most; the square is over the cells within both, inside every
        pair of groups. With `cells_per_item` an item is in that many of them alone, in every choice of cells about
        equally often, and the lists are those of an incomplete design.

        >>> Layout.of("latin-square", participants=2, items=2, cells=2).cell.tolist()
        [0, 1, 1, 0]
        >>> Layout.of("latin-square", participants=2, items=3, cells=3, cells_per_item=2).cell.tolist()
        [1, 2, 0, 0, 1, 2]
        """
        places = np.arange(cells).reshape(1, 1, cells) if places is None else places
        of_people, of_items, within = places.shape
        if assignment == "full":
            person, item, own = np.indices((participants, items, within)).reshape(3, -1)
        else:
            person, item = np.indices((participants, items)).reshape(2, -1)
            shown = np.array(_lists(-(-items // of_items), within, cells_per_item or within), dtype=np.intp)
            own = shown[person // of_people % len(shown), item // of_items]
        return cls(participants, items, cells, person, item, places[person % of_people, item % of_items, own])

    @property
    def trials(self) -> int:
        """Return the number of trials."""
        return len(self.cell)

    @property
    def draws(self) -> int:
        """Return how many random numbers one simulation takes."""
        return (self.participants + self.items) * self.cells + self.trials

    def frame(self, y: Floats, design: Design, *, dv: str, participant: str, item: str) -> pd.DataFrame:
        """Return one simulation as a tidy frame, as a study would give it."""
        width = len(str(max(self.participants, self.items)))
        levels = list(zip(*design.cells, strict=True))
        columns: dict[str, object] = {
            participant: [f"P{index + 1:0{width}}" for index in self.participant],
            item: [f"I{index + 1:0{width}}" for index in self.item],
        }
        for factor, names in zip(design.factors, levels, strict=True):
            columns[factor.name] = pd.Categorical(np.array(names)[self.cell], categories=factor.levels)
        return pd.DataFrame({**columns, dv: y})


def _lists(items: int, cells: int, cells_per_item: int) -> list[list[int]]:
    """Return which cell every list shows an item in."""
    if cells_per_item >= cells:
        return latin_square.lists(items, cells)
    chosen = blocks(cells, cells_per_item) if cells_per_item > 1 else tuple((cell,) for cell in range(cells))
    of_items = [chosen[item % len(chosen)] for item in range(items)]
    shown = incomplete_lists.lists(of_items, cells_per_item)
    return [[own[place] for own, place in zip(of_items, one, strict=True)] for one in shown]


class Averages:
    """Means per unit and cell. `complete` says whether every unit has a trial in every cell."""

    def __init__(self, unit: Integers, units: int, cell: Integers, cells: int) -> None:
        flat = unit * cells + cell
        trials = np.bincount(flat, minlength=units * cells)
        self.shape = (units, cells)
        self.complete = bool((trials > 0).all())
        self.trials = trials
        places = (flat, np.arange(len(flat)))
        self.sums = scipy.sparse.csr_array((np.ones(len(flat)), places), shape=(units * cells, len(flat)))

    def means(self, y: Floats) -> Floats:
        """Return means (simulations × units × cells) of measures (simulations × trials)."""
        sums = np.asarray(self.sums @ np.ascontiguousarray(y.T))
        return np.ascontiguousarray((sums / self.trials[:, None]).T).reshape(len(y), *self.shape)

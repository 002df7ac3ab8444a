"""Several columns as one: a number for every row that is the same where the positions in all of them are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.methods.arrays import Integers

ROOM = 8  # so many possible combinations for each row are counted in an array, more of them in a table of hashes
LARGEST = 2**62


def combined(parts: Iterable[tuple[Integers, int]]) -> tuple[Integers, npt.NDArray[np.bool_]]:
    """Return one number per row for its positions in several columns, and whether it has one in all of them.

    A part is the positions (−1: none) and how many there are. The number counts as `numpy.ravel_multi_index` does.
    """
    parts = list(parts)
    total = np.zeros(len(parts[0][0]), dtype=np.intp)
    known = np.ones(len(total), dtype=bool)
    for positions, size in parts:
        total = total * max(1, size) + positions
        known &= positions >= 0
    return total, known


def numbered(total: Integers, size: int) -> tuple[Integers, Integers]:
    """Return the distinct numbers among those below `size`, sorted, and where in them each one is.

    >>> [found.tolist() for found in numbered(np.array([5, 2, 5]), 6)]
    [[2, 5], [1, 0, 1]]
    """
    if size > ROOM * len(total):
        present, positions = np.unique(total, return_inverse=True)
        return present, positions
    there = np.bincount(total, minlength=size) > 0
    return np.flatnonzero(there), (np.cumsum(there) - 1)[total]


def shared(parts: Iterable[tuple[Integers, int]]) -> npt.NDArray[np.bool_]:
    """Return for every row whether another one has the same positions; a row without one in some column never does.

    Columns are looked at one after another, as a few of them mostly tell all rows apart.

    >>> shared([(np.array([0, 0, 1]), 2), (np.array([0, 0, 0]), 1)]).tolist()
    [True, True, False]
    """
    total, known, size = np.zeros(0, dtype=np.intp), np.ones(0, dtype=bool), 1
    found = known
    for at, (positions, count) in enumerate(parts):
        if not at:
            total, known = np.zeros(len(positions), dtype=np.intp), np.ones(len(positions), dtype=bool)
        if size * max(1, count) > LARGEST:
            total, size = pd.factorize(total)[0], len(total)
        total, known, size = total * max(1, count) + positions, known & (positions >= 0), size * max(1, count)
        found = _several(total, known, size)
        if not found.any():
            break
    return found


def _several(total: Integers, known: npt.NDArray[np.bool_], size: int) -> npt.NDArray[np.bool_]:
    numbers = total if known.all() else total[known]
    if size > ROOM * len(total):
        numbers, size = pd.factorize(numbers)[0], len(numbers)
    several = (np.bincount(numbers, minlength=1) > 1)[numbers]
    if len(numbers) == len(total):
        return np.asarray(several)
    found = np.zeros(len(total), dtype=bool)
    found[known] = several
    return found

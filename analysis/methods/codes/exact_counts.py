"""Compute the exact test of Fisher, Freeman and Halton; draw tables where there are too many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import scipy

Counts = npt.NDArray[np.int64]
# Tables whose probabilities differ by less are as probable as each other, as in fisher.test of R.
RELATIVE = 1e-7
MOST_STEPS = 60_000
DRAWN = 9_999


def exact_p(table: Counts, *, most_steps: int = MOST_STEPS) -> float | None:
    """Return the exact p of a table of counts (rows × columns); None where more than so many steps would be needed.

    With all margins fixed, a table has the probability Π r_i! Π c_j! / (N! Π n_ij!); p is the sum over all tables that
    are at most as probable as this one (Freeman & Halton 1951, *Biometrika* 38, 141–149). Columns are filled one after
    the other; fillings that leave the same row totals and are equally probable so far are counted together, as in the
    network algorithm of Mehta & Patel (1983).

    >>> round(exact_p(np.array([[3, 1], [1, 3]])), 6), round(exact_p(np.array([[4, 0, 1], [0, 4, 2]])), 6)
    (0.485714, 0.012987)
    """
    table = table if table.shape[0] <= table.shape[1] else table.T
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    factorial = scipy.special.gammaln(np.arange(int(table.sum()) + 2) + 1.0)
    observed = float(factorial[table].sum())
    states: dict[tuple[int, ...], dict[float, float]] = {tuple(sorted(map(int, rows))): {0.0: 1.0}}
    steps = 0
    for total in sorted(map(int, columns), reverse=True):
        after: dict[tuple[int, ...], dict[float, float]] = defaultdict(lambda: defaultdict(float))
        for left, pasts in states.items():
            for taken in _fillings(left, total):
                steps += len(pasts)
                if steps > most_steps:
                    return None
                more = float(sum(factorial[one] for one in taken))
                then = after[tuple(sorted(whole - one for whole, one in zip(left, taken, strict=True)))]
                for past, number in pasts.items():
                    then[round(past + more, 10)] += number
        states = after
    constant = float(factorial[rows].sum() + factorial[columns].sum() - factorial[int(table.sum())])
    (pasts,) = states.values()
    sums = np.array(list(pasts))
    numbers = np.array([pasts[one] for one in pasts])
    as_rare = sums >= observed - RELATIVE
    return min(float((numbers[as_rare] * np.exp(constant - sums[as_rare])).sum()), 1.0)


def _fillings(left: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to take so many from what is left of each row.

    >>> list(_fillings((1, 2), 2))
    [(0, 2), (1, 1)]
    """
    if len(left) == 1:
        if total <= left[0]:
            yield (total,)
        return
    rest = sum(left[1:])
    for first in range(max(0, total - rest), min(left[0], total) + 1):
        for others in _fillings(left[1:], total - first):
            yield (first, *others)


def drawn_p(table: Counts, *, seed: int, drawn: int = DRAWN) -> float:
    """Return (1 + tables at most as probable) / (1 + drawn) over random tables with the same margins (Patefield 1981).

    >>> drawn_p(np.array([[30, 10], [10, 30]]), seed=1) < 0.001
    True
    """
    of_margins = scipy.stats.random_table(table.sum(axis=1), table.sum(axis=0))
    tables = of_margins.rvs(drawn, random_state=np.random.default_rng(seed))
    factorial = scipy.special.gammaln(np.arange(int(table.sum()) + 1) + 1.0)
    observed = float(factorial[table].sum())
    rare = int((factorial[tables.astype(np.int64)].sum(axis=(1, 2)) >= observed - RELATIVE).sum())
    return (1 + rare) / (1 + drawn)

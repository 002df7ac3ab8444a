"""Simulated data of a design and their F tests, on arrays over simulations.

Every simulation has a random stream of its own, given by the seed, the numbers of participants and items, the scenario
and the number of the simulation. So the same simulation gives the same numbers wherever and with whichever others it is
computed, and no operation below mixes simulations or depends on how many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from analysis.methods.arrays import Floats, Integers
from analysis.methods.power.design import Design, Truth
from analysis.methods.proportion_intervals import wilson
from analysis.methods.report import BadInput
from experiments.design.latin_square import lists

FLAT = 1e-26


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
    def of(cls, assignment: str, *, participants: int, items: int, cells: int) -> Layout:
        """Lay out a design: a Latin square (everybody sees each item in one cell) or every item in every cell.

        >>> Layout.of("latin-square", participants=2, items=2, cells=2).cell.tolist()
        [0, 1, 1, 0]
        """
        if assignment == "full":
            grid = np.indices((participants, items, cells)).reshape(3, -1)
            return cls(participants, items, cells, grid[0], grid[1], grid[2])
        square = np.array(lists(items, cells), dtype=np.intp)
        cell = square[np.arange(participants) % cells].ravel()
        grid = np.indices((participants, items)).reshape(2, -1)
        return cls(participants, items, cells, grid[0], grid[1], cell)

    @property
    def trials(self) -> int:
        """Return the number of trials."""
        return len(self.cell)

    @property
    def draws(self) -> int:
        """Return how many random numbers one simulation takes."""
        return (self.participants + self.items) * self.cells + self.trials

    @cached_property
    def by_participant(self) -> Averages:
        """Return the averages of F1."""
        return Averages(self.participant, self.participants, self.cell, self.cells)

    @cached_property
    def by_item(self) -> Averages:
        """Return the averages of F2."""
        return Averages(self.item, self.items, self.cell, self.cells)

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


@dataclass(frozen=True)
class FTests:
    """F of one term in every simulation (NaN where there is no error variance), and p."""

    f: Floats
    df1: int
    df2: int
    p: Floats


def normals(layout: Layout, *, seed: int, key: Sequence[int], first: int, last: int) -> Floats:
    """Return the random numbers of simulations first … last − 1, a row each, each row from a stream of its own."""
    made = np.empty((last - first, layout.draws))
    for row, number in enumerate(range(first, last)):
        stream = np.random.SeedSequence(entropy=seed, spawn_key=(*key, number))
        made[row] = np.random.Generator(np.random.PCG64(stream)).standard_normal(layout.draws)
    return made


def measures(layout: Layout, design: Design, truth: Truth, draws: Floats) -> Floats:
    """Turn random numbers into measures (simulations × trials)."""
    people = layout.participants * layout.cells
    things = layout.items * layout.cells
    person = _deviations(draws[:, :people], layout.participants, design, truth.participant, truth.participant_slopes)
    thing = _deviations(draws[:, people : people + things], layout.items, design, truth.item, truth.item_slopes)
    mean = np.sum([truth.effects[term.name] for term in design.terms], axis=0)
    return np.asarray(
        mean[layout.cell]
        + person[:, layout.participant, layout.cell]
        + thing[:, layout.item, layout.cell]
        + truth.residual * draws[:, people + things :]
    )


def f_tests(means: Floats, contrasts: Floats, *, correction: str = "none") -> FTests:
    """Test one term in every simulation at once, from means (simulations × units × cells).

    With Z = Y M (units × d) and its mean z̄: F = (n z̄'z̄ / d) / (tr S / ((n − 1) d)), S the cross-products of Z − z̄.
    With `greenhouse-geisser` both degrees of freedom are multiplied by (tr S)² / (d tr S²).
    """
    units, d = means.shape[1], contrasts.shape[1]
    scores = np.ascontiguousarray(np.swapaxes(means @ contrasts, 1, 2))
    centre = scores.sum(axis=2) / units
    residuals = scores - centre[:, :, None]
    ss = units * np.ascontiguousarray(centre**2).sum(axis=1)
    error = (residuals**2).reshape(len(means), d * units).sum(axis=1)
    df1, df2 = d, (units - 1) * d
    total = (means**2).reshape(len(means), -1).sum(axis=1)
    known = error > FLAT * total
    f = np.full(len(means), np.nan)
    f[known] = (ss[known] / df1) / (error[known] / df2)
    shrink: Floats | float = 1.0
    if correction == "greenhouse-geisser" and d > 1:
        products = residuals @ np.swapaxes(residuals, 1, 2)
        squares = (products**2).reshape(len(means), d * d).sum(axis=1)
        shrink = np.minimum(1.0, error**2 / (d * np.where(squares > 0, squares, 1.0)))
    return FTests(f, df1, df2, np.asarray(scipy.stats.f.sf(f, df1 * shrink, df2 * shrink)))


def minf_tests(first: FTests, second: FTests) -> Floats:
    """Return p of minF′ in every simulation, from F1 and F2 (see `minf`)."""
    f1, f2 = first.f, second.f
    known = f1 + f2 > 0
    p = np.full(len(f1), np.nan)
    a, b = f1[known], f2[known]
    df2 = (a + b) ** 2 / (a**2 / second.df2 + b**2 / first.df2)
    p[known] = scipy.stats.f.sf(a * b / (a + b), first.df1, df2)
    return p


def p_of_f(
    layout: Layout, design: Design, y: Floats, *, methods: Sequence[str], correction: str
) -> dict[tuple[str, str], Floats]:
    """Return p per (method, term) for the methods that rest on F: f1, f2, f1-and-f2, min-f."""
    found: dict[tuple[str, str], Floats] = {}
    by_people = layout.by_participant.means(y) if set(methods) & {"f1", "f1-and-f2", "min-f"} else None
    by_things = layout.by_item.means(y) if set(methods) & {"f2", "f1-and-f2", "min-f"} else None
    for term in design.terms:
        first = None if by_people is None else f_tests(by_people, term.contrasts, correction=correction)
        second = None if by_things is None else f_tests(by_things, term.contrasts, correction=correction)
        if first is not None and "f1" in methods:
            found["f1", term.name] = first.p
        if second is not None and "f2" in methods:
            found["f2", term.name] = second.p
        if first is not None and second is not None:
            if "f1-and-f2" in methods:
                found["f1-and-f2", term.name] = np.maximum(first.p, second.p)
            if "min-f" in methods:
                found["min-f", term.name] = minf_tests(first, second)
    return found


def check_complete(layout: Layout, methods: Sequence[str]) -> None:
    """Raise BadInput where participants or items would lack a cell that an analysis needs."""
    if set(methods) & {"f1", "f1-and-f2", "min-f"} and not layout.by_participant.complete:
        raise BadInput(
            f"With {layout.items} items in {layout.cells} cells a participant would see some cells never; F1 needs "
            f"n_items of at least {layout.cells}, or assignment=full."
        )
    if set(methods) & {"f2", "f1-and-f2", "min-f"} and not layout.by_item.complete:
        raise BadInput(
            f"With {layout.participants} participants and {layout.cells} cells an item would appear in some cells "
            f"never; F2 needs n_participants of at least {layout.cells}, or assignment=full."
        )


def monte_carlo_interval(count: int, simulations: int, *, how: str, confidence: float) -> tuple[float, float]:
    """Return the interval of a share: Wilson (1927) or Clopper and Pearson (1934).

    >>> low, high = monte_carlo_interval(80, 100, how="wilson", confidence=0.95)
    >>> round(low, 4), round(high, 4)
    (0.7112, 0.8666)
    """
    if how == "wilson":
        return wilson(count, simulations, confidence=confidence)
    tail = (1 - confidence) / 2
    low = float(scipy.stats.beta.ppf(tail, count, simulations - count + 1)) if count else 0.0
    high = float(scipy.stats.beta.isf(tail, count + 1, simulations - count)) if count < simulations else 1.0
    return low, high


def significant(p: Floats, alpha: float) -> npt.NDArray[np.bool_]:
    """Return which simulations are significant; one without a test is not."""
    return np.asarray(np.nan_to_num(p, nan=1.0) < alpha)


def covariances_of(truth: Truth, design: Design) -> tuple[Floats, Floats]:
    """Return the covariance matrices (cells × cells) of the deviations of a participant and of an item."""
    cells = len(design.cells)
    found = []
    for sd, slopes in ((truth.participant, truth.participant_slopes), (truth.item, truth.item_slopes)):
        by_draw = _deviations(np.eye(cells), 1, design, sd, slopes)[:, 0]
        found.append(by_draw.T @ by_draw)
    return found[0], found[1]


def _deviations(draws: Floats, units: int, design: Design, sd: float, slopes: object) -> Floats:
    """Return how far each unit is from the mean in each cell (simulations × units × cells)."""
    known = slopes if isinstance(slopes, dict) else {}
    cells = len(design.cells)
    shaped = draws.reshape(len(draws), units, cells)
    scale = np.concatenate(
        [np.full(term.contrasts.shape[1], known.get(term.name, 0.0) * term.loading(cells)) for term in design.terms]
    )
    return np.asarray(sd * shaped[:, :, :1] + (shaped[:, :, 1:] * scale) @ np.ascontiguousarray(design.contrasts.T))

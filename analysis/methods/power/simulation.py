"""Simulate data of a design as arrays over simulations.

Every simulation has a random stream of its own, given by the seed, the numbers of participants and items, the scenario
and the number of the simulation. So the same simulation gives the same numbers wherever and with whichever others it is
computed, and no operation below mixes simulations or depends on how many there are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy

from analysis.methods.arrays import Floats
from analysis.methods.power.design import Design, Truth
from analysis.methods.power.layout import Layout
from analysis.methods.proportion_intervals import wilson


def normals(layout: Layout, *, seed: int, key: Sequence[int], first: int, last: int) -> Floats:
    """Return the random numbers of simulations first … last − 1, a row each, each row from a stream of its own."""
    made = np.empty((last - first, layout.draws))
    for row, number in enumerate(range(first, last)):
        stream = np.random.SeedSequence(entropy=seed, spawn_key=(*key, number))
        made[row] = np.random.Generator(np.random.PCG64(stream)).standard_normal(layout.draws)
    return made


def measures(layout: Layout, design: Design, truth: Truth, draws: Floats) -> Floats:
    """Turn random numbers into measures (simulations × trials); with thresholds these are categories from 0 on."""
    people = layout.participants * layout.cells
    things = layout.items * layout.cells
    person = _deviations(draws[:, :people], layout.participants, design, truth.participant, truth.participant_slopes)
    thing = _deviations(draws[:, people : people + things], layout.items, design, truth.item, truth.item_slopes)
    mean = np.sum([truth.effects[term.name] for term in design.terms], axis=0)
    single = draws[:, people + things :]
    if truth.thresholds is not None:
        # The normal number at the same place of its distribution gives the logistic one.
        single = scipy.special.log_ndtr(single) - scipy.special.log_ndtr(-single)
    y = np.asarray(
        mean[layout.cell]
        + person[:, layout.participant, layout.cell]
        + thing[:, layout.item, layout.cell]
        + (truth.residual if truth.thresholds is None else 1.0) * single
    )
    return y if truth.thresholds is None else np.digitize(y, truth.thresholds).astype(np.float64)


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

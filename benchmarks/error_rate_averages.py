"""Compute p of tests on means of people and of items for many data sets of a design, preparing the design once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from analysis.methods.arrays import Floats, Integers, without_noise
from analysis.methods.conditions.contrasts import comparisons, means_of
from analysis.methods.conditions.designs import CellMeans, cell_means
from analysis.methods.conditions.friedman import GRAIN, line_of_ranks
from analysis.methods.conditions.minf import minf_row
from analysis.methods.conditions.variance import Effect, analyse

AVERAGED = ("rm-anova", "min-f", "tukey", "friedman")
# Names of what is tested where it is not an effect.
ANY_PAIR, CONDITIONS = "any pair of conditions", "all conditions"


class Averages:
    """Means of every unit in every cell of data sets that have the same design."""

    def __init__(self, data: Any, unit: str) -> None:
        layout = data.layout
        case = data.case
        of_unit: Integers = layout.item if unit == "item" else layout.participant
        self.base: CellMeans = cell_means(
            data.data(1), dv=case.response, unit=unit, unit_role=unit, within=list(case.factors)
        )
        self.flat = of_unit * layout.cells + layout.cell
        self.trials = np.bincount(self.flat, minlength=self.base.means.size).reshape(self.base.means.shape)

    def of(self, values: Floats) -> CellMeans:
        """Return the means of one data set."""
        sums = np.bincount(self.flat, weights=values, minlength=self.base.means.size)
        return replace(self.base, means=sums.reshape(self.base.means.shape) / self.trials)


def p_values_of_averages(data: Any) -> Callable[[int], dict[str, float] | None]:
    """Return what gives p per effect of one data set by a method on means."""
    method, unit = data.case.method, str(data.case.params.get("unit", "participant"))
    if method == "min-f":
        people, items = Averages(data, "participant"), Averages(data, "item")
        return lambda number: _minf(people.of(data.values(number)), items.of(data.values(number)))
    averages = Averages(data, unit)
    found = {"rm-anova": _anova, "tukey": _tukey, "friedman": _friedman}[method]
    return lambda number: found(averages.of(data.values(number)))


def _anova(cells: CellMeans) -> dict[str, float] | None:
    return _all_there({effect.name: effect.p(effect.sphericity.eps_gg) for effect in analyse(cells).effects})


def _minf(people: CellMeans, items: CellMeans) -> dict[str, float] | None:
    others: dict[str, Effect] = {effect.name: effect for effect in analyse(items).effects}
    # Where both F are 0, as with ratings whose sums are equal, minF′ is 0/0, and nothing is rejected.
    return _all_there(
        {effect.name: minf_row(effect, others[effect.name]).get("p", 1.0) for effect in analyse(people).effects}
    )


def _tukey(cells: CellMeans) -> dict[str, float] | None:
    means = means_of(cells, by=(), compared=[factor.name for factor in cells.within])
    lines, _ = comparisons(cells, analyse(cells), means, error="pooled", confidence=0.95)
    return _all_there({ANY_PAIR: min((line["p"] for line in lines if line["p"] is not None), default=None)})


def _friedman(cells: CellMeans) -> dict[str, float] | None:
    line, _ = line_of_ranks(without_noise(cells.means, grain=GRAIN), effect=CONDITIONS)
    return _all_there({CONDITIONS: line.get("p")})


def _all_there(found: dict[str, float | None]) -> dict[str, float] | None:
    there = {name: p for name, p in found.items() if p is not None}
    return there if len(there) == len(found) else None

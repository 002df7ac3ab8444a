"""Test simple effects: effects within every level of one or more other factors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from analysis.methods.adjusted import add_holm
from analysis.methods.columns import declared_table, usual
from analysis.methods.conditions.designs import CellMeans
from analysis.methods.conditions.effect_sizes import of_effect
from analysis.methods.conditions.variance import Effect, analyse
from analysis.methods.report import BadInput, Column, Table
from analysis.methods.wording import listed, no_such

SIMPLE = declared_table(
    "simple",
    "Simple effects at each level of {at}",
    "Effects at every level of the factors that `simple` names, each with its own error term.",
    Column("at", "At", "text", meaning="The levels that are held."),
    "effect ss df1 ss_error df2 f p eps_gg p_gg",
    usual("p_holm", meaning="The Greenhouse–Geisser p of one effect, adjusted over the levels (Holm 1979)."),
    "ges pes pes_low pes_high ges_low ges_high",
    when="with `simple`",
)


def simple_effects(cells: CellMeans, *, at: Sequence[str]) -> tuple[Table, list[str]]:
    """Return table `simple` and warnings.

    Each level of the factors named by `at` is analysed by itself, with its own error term. `p_holm` adjusts the
    Greenhouse–Geisser p of one effect over the levels at which it is tested (Holm 1979).

    Raises BadInput where a name is no factor of the design, no factor is left to test, or a level has no more units
    than groups.
    """
    factors = {factor.name: factor for factor in (*cells.between, *cells.within)}
    for name in at:
        if name not in factors:
            raise BadInput(no_such("factor", name, list(factors)))
    if len(set(at)) == len(factors):
        raise BadInput(f"Simple effects at every factor ({listed(at)}) leave none to test; name fewer.")
    lines: list[dict[str, Any]] = []
    warnings = []
    for levels in product(*(factors[name].levels for name in at)):
        part = _part(cells, dict(zip(at, levels, strict=True)))
        place = ":".join(levels)
        if np.ptp(part.means) == 0:
            warnings.append(f"Nothing varies at {place}, so no simple effect could be tested there.")
            continue
        for effect in analyse(part).effects:
            if effect.f is None:
                warnings.append(f"F of {effect.name} at {place} is not defined: the error variance is zero.")
            lines.append(_line(effect, place))
    for name in dict.fromkeys(line["effect"] for line in lines):
        mine = [line for line in lines if line["effect"] == name]
        add_holm(mine, "p_gg")
    return SIMPLE.of(lines, at=listed(at)), warnings


def _part(cells: CellMeans, levels: dict[str, str]) -> CellMeans:
    """Return the units and cells at these levels, without the factors that are held."""
    in_cell = np.array(
        [
            all(levels.get(factor.name, level) == level for factor, level in zip(cells.within, cell, strict=True))
            for cell in cells.cells
        ]
    )
    kept = np.ones(len(cells.units), dtype=bool)
    for position, factor in enumerate(cells.between):
        if factor.name in levels:
            kept &= cells.groups[:, position] == factor.levels.index(levels[factor.name])
    left = [position for position, factor in enumerate(cells.between) if factor.name not in levels]
    part = replace(
        cells,
        units=tuple(unit for unit, keep in zip(cells.units, kept, strict=True) if keep),
        within=tuple(factor for factor in cells.within if factor.name not in levels),
        between=tuple(cells.between[position] for position in left),
        means=cells.means[np.ix_(kept, in_cell)],
        trials=cells.trials[np.ix_(kept, in_cell)],
        groups=cells.groups[kept][:, left],
    )
    if len(part.units) <= len(part.group_cells):
        place = ":".join(levels.values())
        raise BadInput(
            f"There are {len(part.units)} complete {cells.unit}s at {place} and {len(part.group_cells)} groups to "
            f"estimate; simple effects there have no error. Name other factors in simple."
        )
    return part


def _line(effect: Effect, place: str) -> dict[str, Any]:
    gg = effect.sphericity.eps_gg
    return {
        "at": place,
        "effect": effect.name,
        "ss": effect.ss,
        "df1": effect.df1,
        "ss_error": effect.stratum.ss_error,
        "df2": effect.stratum.df_error,
        "f": effect.f,
        "p": effect.p(),
        "eps_gg": gg,
        "p_gg": effect.p(gg),
        "ges": effect.ges,
        "pes": effect.pes,
        **of_effect(effect),
    }

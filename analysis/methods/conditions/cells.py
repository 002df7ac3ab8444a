"""Tables and figure of cell means with their confidence intervals."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
import scipy

from analysis.methods.columns import FACTORS, FromData, declared_table, usual
from analysis.methods.conditions.designs import CellMeans
from analysis.methods.report import Figure, Table
from analysis.methods.wording import listed, percent_text

PANEL = FromData("panel", "The levels of the third and further factors joined by colons, where there are four or more.")
CELLS = declared_table(
    "cells",
    "Means of {dv}",
    "Means over units in the units of the measure. Intervals are `within` units (Cousineau 2005 with the correction of "
    "Morey 2008, inside each group) or `between` units (mean ± t · sd/√n); of shares of yes and no within 0 and 1.",
    FACTORS,
    usual("n", meaning="How many units."),
    "mean sd ci_low ci_high",
    usual("se", meaning="The standard error on which the interval rests."),
    PANEL,
)
OBSERVED = declared_table(
    "observed",
    "Means of {dv} of every {of}",
    "The mean of every unit in every cell, which the figure shows behind the means.",
    FromData("unit", "The participant or item."),
    FACTORS,
    PANEL,
    FromData("value", "The mean of the unit in the cell.", "number"),
)


def cells_table(cells: CellMeans, *, intervals: str, confidence: float) -> Table:
    """Return means, standard deviations and confidence intervals of every group and cell."""
    least, greatest = possible_range(cells)
    parts = []
    for position in range(len(cells.group_cells)):
        means = cells.means[cells.group_index == position]
        n, k = means.shape
        spread = means
        factor_of_morey = 1.0
        if intervals == "within" and k > 1:
            spread = means - means.mean(axis=1, keepdims=True) + means.mean()
            factor_of_morey = k / (k - 1)
        sd = means.std(axis=0, ddof=1) if n > 1 else np.full(k, np.nan)
        se = np.sqrt(spread.var(axis=0, ddof=1) * factor_of_morey / n) if n > 1 else np.full(k, np.nan)
        half = scipy.stats.t.isf((1 - confidence) / 2, n - 1) * se if n > 1 else se
        mean = np.array([column.mean() for column in means.T])
        low, high = np.maximum(mean - half, least), np.minimum(mean + half, greatest)
        part = pd.DataFrame({"n": n, "mean": mean, "sd": sd, "ci_low": low, "ci_high": high, "se": se})
        parts.append(pd.concat([part, _levels(cells, [position])], axis=1))
    return CELLS.of(pd.concat(parts), dv=cells.dv, factors=_labels(cells), panel=_panel(cells))


def units_table(cells: CellMeans) -> Table:
    """Return the mean of every unit in every cell."""
    found = _levels(cells, cells.group_index).assign(
        unit=np.repeat(np.array(cells.units, dtype=object), len(cells.cells)), value=cells.means.ravel()
    )
    return OBSERVED.of(
        found,
        dv=cells.dv,
        of=cells.unit,
        unit={cells.unit: "unit"},
        factors=_labels(cells),
        panel=_panel(cells),
        value={f"Mean {cells.dv}": "value"},
    )


def _levels(cells: CellMeans, groups: Iterable[int]) -> pd.DataFrame:
    """Return the levels of the factors in every cell of these groups, one after the other, and what a panel shows."""
    lines = [(*cells.group_cells[group], *cell) for group in groups for cell in cells.cells]
    found = pd.DataFrame(lines, columns=list(_labels(cells).values()))
    other = shown_factors(cells)[2:]
    return found.assign(**{_panel_column(cells): found[other].agg(":".join, axis=1) if other else ""})


def _labels(cells: CellMeans) -> dict[str, str]:
    return {factor.name: column_of(factor.name) for factor in (*cells.between, *cells.within)}


def _panel(cells: CellMeans) -> dict[str, str]:
    return {"Other factors": _panel_column(cells)} if len(shown_factors(cells)) > 3 else {}


def possible_range(cells: CellMeans) -> tuple[float, float]:
    """Return the range that means can have: 0 to 1 where every one is a share of yes and no answers."""
    counts = cells.means * cells.trials
    are_shares = bool(((cells.means >= 0) & (cells.means <= 1) & (np.abs(counts - counts.round()) < 1e-9)).all())
    return (0.0, 1.0) if are_shares else (-np.inf, np.inf)


def column_of(factor: str) -> str:
    """Return the column of a factor in the table of means: its name, or that with `factor_` before it where the table
    has such a column anyway.

    >>> column_of("marker"), column_of("mean")
    ('marker', 'factor_mean')
    """
    return f"factor_{factor}" if factor in CELLS.names() else factor


def _panel_column(cells: CellMeans) -> str:
    return "other_factors" if "panel" in shown_factors(cells) else "panel"


def shown_factors(cells: CellMeans) -> list[str]:
    """Return the columns of the factors in the order x axis, colour, panels."""
    return [column_of(factor.name) for factor in (*cells.within, *cells.between)]


def figures_of(cells: CellMeans, *, confidence: float) -> tuple[Figure, ...]:
    names = shown_factors(cells)
    encoding = {"x": names[0], "y": "mean", "low": "ci_low", "high": "ci_high"}
    if len(names) > 1:
        encoding["colour"] = names[1]
    if len(names) > 2:
        encoding["panel"] = _panel_column(cells) if len(names) > 3 else names[2]
    return (
        Figure(
            name="means",
            title=f"Mean {cells.dv} by {listed(factor.name for factor in (*cells.within, *cells.between))}",
            kind="interaction",
            table="cells",
            encoding=encoding,
            caption=(
                f"Means over {cells.unit}s with {percent_text(confidence)} confidence intervals as "
                f"described in the notes; every small point is one {cells.unit}."
            ),
            points="observed",
            x_label=(*cells.within, *cells.between)[0].name,
            y_label=f"Mean {cells.dv}",
        ),
    )

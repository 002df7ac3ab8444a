"""Means of every cell with their intervals, as a table and as a figure."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy

from analysis.methods.conditions.designs import CellMeans
from analysis.methods.report import INTERVAL, Column, Figure, Table
from analysis.methods.wording import listed, percent_text

CELL_COLUMNS = (
    Column("n", "n", "integer"),
    Column("mean", "Mean"),
    Column("sd", "SD"),
    *INTERVAL,
    Column("se", "SE"),
)


def cells_table(cells: CellMeans, *, intervals: str, confidence: float) -> Table:
    """Return means, standard deviations and confidence intervals of every group and cell."""
    factors = (*cells.between, *cells.within)
    panel = _panel_column(cells)
    least, greatest = possible_range(cells)
    lines: list[dict[str, Any]] = []
    for position, group in enumerate(cells.group_cells):
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
        for index, cell in enumerate(cells.cells):
            level = dict(zip((column_of(factor.name) for factor in factors), (*group, *cell), strict=True))
            mean = float(means[:, index].mean())
            lines.append(
                {
                    **level,
                    "n": n,
                    "mean": mean,
                    "sd": float(sd[index]),
                    "ci_low": max(mean - float(half[index]), least),
                    "ci_high": min(mean + float(half[index]), greatest),
                    "se": float(se[index]),
                    panel: ":".join(level[name] for name in shown_factors(cells)[2:]),
                }
            )
    columns = [Column(column_of(factor.name), factor.name, "text") for factor in factors]
    extra = (Column(panel, "Other factors", "text"),) if len(factors) > 3 else ()
    return Table.from_rows("cells", f"Means of {cells.dv}", [*columns, *CELL_COLUMNS, *extra], lines)


def units_table(cells: CellMeans) -> Table:
    """Return the mean of every unit in every cell."""
    factors = (*cells.between, *cells.within)
    panel = _panel_column(cells)
    lines = []
    for unit, means, position in zip(cells.units, cells.means, cells.group_index, strict=True):
        for cell, mean in zip(cells.cells, means, strict=True):
            named = (*cells.group_cells[position], *cell)
            level = dict(zip((column_of(factor.name) for factor in factors), named, strict=True))
            other = ":".join(level[name] for name in shown_factors(cells)[2:])
            lines.append({"unit": unit, **level, panel: other, "value": float(mean)})
    columns = [Column("unit", cells.unit, "text")]
    columns += [Column(column_of(factor.name), factor.name, "text") for factor in factors]
    columns += [Column(panel, "Other factors", "text")] if len(factors) > 3 else []
    columns.append(Column("value", f"Mean {cells.dv}"))
    return Table.from_rows("observed", f"Means of {cells.dv} of every {cells.unit}", columns, lines)


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
    return f"factor_{factor}" if factor in {column.name for column in CELL_COLUMNS} else factor


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

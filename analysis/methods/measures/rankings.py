"""The order of conditions under raw numbers, logarithms and z scores, side by side.

Magnitude estimates have no upper bound; one typed number can turn the order of raw means over.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats, Integers, without_noise
from analysis.methods.report import Column, Table
from analysis.methods.rows.columns import joined
from analysis.methods.wording import listed, number_text

SCALES = {"raw": "raw numbers", "median": "medians", "log": "logarithms", "log_ratio": "log ratios", "z": "z scores"}


def ranking_table(frame: pd.DataFrame, scales: dict[str, Floats], *, compare: Sequence[str]) -> Table:
    """Return condition, n, a mean and a rank per scale (`median` of the raw numbers included), and n per scale.

    Rank 1 is the highest mean.

    `scales` holds one value per row and scale, NaN where there is none.
    """
    conditions = joined(frame, compare)
    names, positions = conditions.levels, conditions.positions
    columns: dict[str, Floats] = {
        f"mean_{scale}": _averages(values, positions, len(names)) for scale, values in scales.items()
    }
    raw = pd.Series(scales["raw"]).groupby(np.where(positions < 0, len(names), positions)).median()
    columns["median_raw"] = np.asarray(raw.reindex(range(len(names))), dtype=np.float64)
    declared = [Column("condition", ":".join(compare), "text"), Column("n", "Values", "integer")]
    ranks: dict[str, list[int | None]] = {}
    for name, values in columns.items():
        scale = "median" if name == "median_raw" else name.removeprefix("mean_")
        ranks[f"rank_{scale}"] = _ranks(values)
        heading = SCALES[scale]
        declared += [
            Column(name, f"Median of {SCALES['raw']}" if scale == "median" else f"Mean of {heading}"),
            Column(f"rank_{scale}", f"Rank by {heading}", "integer"),
        ]
    sizes = {
        "n" if scale == "raw" else f"n_{scale}": np.bincount(
            positions[(positions >= 0) & ~np.isnan(values)], minlength=len(names)
        )
        for scale, values in scales.items()
    }
    declared += [Column(f"n_{scale}", f"Values with {SCALES[scale]}", "integer") for scale in scales if scale != "raw"]
    lines = [
        {
            "condition": name,
            **{column: int(size[index]) for column, size in sizes.items()},
            **{column: float(values[index]) for column, values in columns.items()},
            **{column: values[index] for column, values in ranks.items()},
        }
        for index, name in enumerate(names)
    ]
    return Table.from_rows("rankings", f"Order of {':'.join(compare)} on every scale", declared, lines)


def ranking_warnings(
    frame: pd.DataFrame, scales: dict[str, Floats], table: Table, *, compare: Sequence[str], dv: str
) -> list[str]:
    """Warn where scales disagree about the order, and where one single value decides the order of raw means."""
    warnings = []
    fewer = [name for name in scales if np.isnan(scales[name]).sum() > np.isnan(scales["raw"]).sum()]
    orders = {scale: _order(table, scale) for scale in scales}
    if len(set(orders.values())) > 1:
        parts = [
            f"{listed(SCALES[scale] for scale in orders if orders[scale] == order)}: {order}"
            for order in dict.fromkeys(orders.values())
        ]
        missing = f" Not every value has {listed(f'a place among {SCALES[name]}' for name in fewer)}." if fewer else ""
        warnings.append(f"The scales disagree about the order of {':'.join(compare)}: {'; '.join(parts)}.{missing}")
    raw = scales["raw"]
    largest = int(np.nanargmax(raw))
    without = raw.copy()
    without[largest] = np.nan
    order = _order(ranking_table(frame, {"raw": without}, compare=compare), "raw")
    if order != orders["raw"]:
        warnings.append(
            f"One single value decides the order of the raw means: without the largest {dv} "
            f"({number_text(float(raw[largest]), places=0)}) it is {order}."
        )
    return warnings


def _order(table: Table, scale: str) -> str:
    """Return the conditions from the highest mean on; those of equal rank with an equals sign between them."""
    ranks = table.frame().set_index("condition")[f"rank_{scale}"].astype(float).fillna(np.inf)
    return " > ".join(" = ".join(sorted(tied.index)) for _rank, tied in ranks.groupby(ranks))


def _averages(values: Floats, positions: Integers, count: int) -> Floats:
    usable = (positions >= 0) & ~np.isnan(values)
    sums = np.bincount(positions[usable], weights=values[usable], minlength=count)
    sizes = np.bincount(positions[usable], minlength=count)
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)


def _ranks(values: Floats) -> list[int | None]:
    ranked = pd.Series(without_noise(values)).rank(ascending=False, method="min")
    return [None if np.isnan(rank) else int(rank) for rank in ranked]

"""Rank conditions by raw numbers, logarithms and z scores, side by side.

Magnitude estimates have no upper bound; one typed number can turn the order of raw means over.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats, Integers, without_noise
from analysis.methods.columns import FromData, declared_table
from analysis.methods.report import Column, Table
from analysis.methods.rows.columns import joined
from analysis.methods.wording import listed, number_text

SCALES = {"raw": "raw numbers", "median": "medians", "log": "logarithms", "log_ratio": "log ratios", "z": "z scores"}


RANKINGS = declared_table(
    "rankings",
    "Order of {of} on every scale",
    "One row per condition; rank 1 is the highest mean.",
    FromData("conditions", "The condition."),
    Column("n", "Values", "integer", meaning="How many raw numbers."),
    FromData(
        "scales",
        "Mean (of raw numbers also the median) and rank on every scale.",
        "number",
        detail="mean_log_ratio rank_log_ratio median_raw rank_median",
    ),
    FromData(
        "sizes",
        "How many values have a place on every scale but the raw one.",
        "integer",
        detail="n_log n_z n_log_ratio",
    ),
    order=("rank_z", "rank_log_ratio", "rank_log", "rank_raw"),
    when="with `compare`",
)


def ranking_table(frame: pd.DataFrame, scales: dict[str, Floats], *, compare: Sequence[str]) -> Table:
    """Return the table `rankings`; `scales` holds one value per row and scale, NaN where there is none."""
    conditions = joined(frame, compare)
    names, positions = conditions.levels, conditions.positions
    columns: dict[str, Floats] = {
        f"mean_{scale}": _averages(values, positions, len(names)) for scale, values in scales.items()
    }
    raw = pd.Series(scales["raw"]).groupby(np.where(positions < 0, len(names), positions)).median()
    columns["median_raw"] = np.asarray(raw.reindex(range(len(names))), dtype=np.float64)
    shown: list[Column] = []
    found = pd.DataFrame({"condition": names, **columns})
    for name, values in columns.items():
        scale = "median" if name == "median_raw" else name.removeprefix("mean_")
        found[f"rank_{scale}"] = pd.Series(without_noise(values)).rank(ascending=False, method="min")
        heading = SCALES[scale]
        shown += [
            Column(name, f"Median of {SCALES['raw']}" if scale == "median" else f"Mean of {heading}"),
            Column(f"rank_{scale}", f"Rank by {heading}", "integer"),
        ]
    for scale, values in scales.items():
        here = (positions >= 0) & ~np.isnan(values)
        found["n" if scale == "raw" else f"n_{scale}"] = np.bincount(positions[here], minlength=len(names))
    return RANKINGS.of(
        found,
        of=":".join(compare),
        conditions={":".join(compare): "condition"},
        scales=shown,
        sizes={f"Values with {SCALES[scale]}": f"n_{scale}" for scale in scales if scale != "raw"},
    )


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

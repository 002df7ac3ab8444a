"""What choosing the best formulation of every item would gain: the n-best means and the best fixed choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods import rows
from analysis.methods.columns import codes, levels, numbers
from analysis.methods.designs import DV, ITEM, CellMeans, Floats, cell_means
from analysis.methods.rankings import joined_codes
from analysis.methods.registry import Example, Method, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Column, Figure, Report, Table
from analysis.methods.wording import counted, listed, number_text

NBEST_COLUMNS = (
    Column("rank", "n", "integer"),
    Column("mean", "Mean of the nth best"),
    Column("sd", "SD over items"),
    Column("n", "Items", "integer"),
    Column("held_out", "Mean on held-out ratings"),
)
FIXED_COLUMNS = (
    Column("condition", "Condition", "text"),
    Column("mean", "Mean"),
    Column("sd", "SD over items"),
    Column("n", "Items", "integer"),
    Column("best", "Items where it is best", "share"),
)
LEVEL_COLUMNS = (
    Column("factor", "Factor", "text"),
    Column("level", "Level", "text"),
    Column("mean", "Mean"),
)
SPLITS = 50
SEED = 2012


def n_best(
    frame: pd.DataFrame,
    *,
    dv: str,
    item: str | None = "item",
    condition: Sequence[str] = ("condition",),
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Order the conditions of every item by their mean and average each rank over items.

    Tables:
        `nbest`: rank, mean, sd, n, held_out. Rank 1 is the best condition of each item. `held_out` ranks on one
        random half of the ratings of every item and condition and averages the other half (50 seeded splits): what a
        choice made on such ratings is worth afterwards.
        `fixed`: condition, mean, sd, n, best. Always the same condition; `best` is the share of items where it ranks
        first.
        `levels`: factor, level, mean. Means of the cell means per level of each column of `condition`.

    `condition` may be one column or several factors; several are joined with a colon. Items that lack a condition
    are named and left out. Raises BadInput where nothing is left.

    >>> frame = pd.DataFrame({"item": ["i", "i", "j", "j"], "condition": ["a", "b"] * 2, "z": [1.0, 0.0, 0.0, 3.0]})
    >>> n_best(frame, dv="z").table("nbest").frame()[["rank", "mean"]].values.tolist()
    [[1.0, 2.0], [2.0, 0.0]]
    """
    if not condition:
        raise BadInput("Name the column or columns of the conditions with condition=….")
    chosen = rows.select(frame, used=[dv, item, *condition], where=where, keep=keep)
    data = chosen.frame
    cells = cell_means(_joined(data, condition), dv=dv, unit=item, unit_role="item", within=[_JOINED])
    names = [cell[0] for cell in cells.cells]
    progress(0.4, "ranking")
    ordered = -np.sort(-cells.means, axis=1)
    held_out, splits_note = _held_out(data, cells, dv=dv, item=item, condition=condition)
    nbest: list[dict[str, Any]] = [
        {
            "rank": rank + 1,
            "mean": float(ordered[:, rank].mean()),
            "sd": float(ordered[:, rank].std(ddof=1)),
            "n": len(cells.units),
            "held_out": None if held_out is None else float(held_out[rank]),
        }
        for rank in range(len(names))
    ]
    first = cells.means == cells.means.max(axis=1, keepdims=True)
    shares = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    fixed: list[dict[str, Any]] = [
        {
            "condition": name,
            "mean": float(cells.means[:, column].mean()),
            "sd": float(cells.means[:, column].std(ddof=1)),
            "n": len(cells.units),
            "best": float(shares[column]),
        }
        for column, name in enumerate(names)
    ]
    best = max(fixed, key=lambda line: line["mean"])
    return Report(
        method="n-best",
        params={},
        tables=(
            Table.from_rows("nbest", f"Mean {dv} of the nth best condition of each item", NBEST_COLUMNS, nbest),
            Table.from_rows("fixed", f"Mean {dv} of always the same condition", FIXED_COLUMNS, fixed),
            Table.from_rows("levels", f"Mean {dv} per factor level", LEVEL_COLUMNS, _levels(data, cells, condition)),
        ),
        figures=_figures(dv, held_out=held_out is not None),
        notes=(
            *chosen.notes,
            *(note.replace(f"'{_JOINED}'", listed(condition)) for note in cells.notes),
            "Conditions were ordered by mean inside every item; ranks were then averaged over items.",
            splits_note,
        ),
        warnings=(*chosen.warnings, *cells.warnings, *_tie_warnings(cells)),
        sentences=(
            f"The best condition of each item averaged {number_text(nbest[0]['mean'])}, the worst "
            f"{number_text(nbest[-1]['mean'])}; always taking the best fixed condition "
            f"({best['condition']}) averaged {number_text(best['mean'])}.",
        ),
    )


_JOINED = "condition of the item"


def _joined(frame: pd.DataFrame, condition: Sequence[str]) -> pd.DataFrame:
    """Add one categorical column that joins the factors, its levels in the order of theirs."""
    joined, order = joined_codes(frame, condition)
    return frame.assign(**{_JOINED: pd.Categorical(joined, categories=order)})


def _levels(frame: pd.DataFrame, cells: CellMeans, condition: Sequence[str]) -> list[dict[str, Any]]:
    data = _joined(frame, condition)
    lines = []
    for name in condition:
        for level in levels(frame, name):
            members = set(codes(data.loc[(codes(frame, name) == level).to_numpy()], _JOINED))
            columns = [index for index, cell in enumerate(cells.cells) if cell[0] in members]
            lines.append({"factor": name, "level": level, "mean": float(cells.means[:, columns].mean())})
    return lines


def _held_out(
    frame: pd.DataFrame,
    cells: CellMeans,
    *,
    dv: str,
    item: str | None,
    condition: Sequence[str],
) -> tuple[Floats | None, str]:
    """Rank conditions on half of the ratings of every item and condition, and average the other half."""
    plain = "The same ratings choose and value the best condition here, so the first ranks are optimistic"
    if item is None or int(cells.trials.min()) < 2:
        return None, f"{plain}; with fewer than two ratings of an item in a condition this cannot be checked."
    data = _joined(frame, condition)
    value = np.asarray(numbers(data, dv), dtype=np.float64)
    rows_of = pd.Index(cells.units, dtype=object).get_indexer(pd.Index(codes(data, item), dtype=object))
    columns_of = pd.Index([cell[0] for cell in cells.cells], dtype=object).get_indexer(
        pd.Index(codes(data, _JOINED), dtype=object)
    )
    usable = (rows_of >= 0) & (columns_of >= 0) & ~np.isnan(value)
    value, flat = value[usable], (rows_of * len(cells.cells) + columns_of)[usable]
    shape = cells.means.shape
    random = np.random.default_rng(SEED)
    order = np.argsort(flat, kind="stable")
    flat, value = flat[order], value[order]
    sizes = np.bincount(flat, minlength=cells.means.size)
    position = np.arange(len(flat)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    totals = np.zeros(shape[1])
    for _ in range(SPLITS):
        shuffled = np.lexsort((random.random(len(flat)), flat))
        half = np.empty(len(flat), dtype=bool)
        half[shuffled] = position < np.repeat(sizes // 2, sizes)
        chosen = _means(flat[half], value[half], shape)
        other = _means(flat[~half], value[~half], shape)
        ranks = np.argsort(-chosen, axis=1, kind="stable")
        totals += np.take_along_axis(other, ranks, axis=1).mean(axis=0)
    note = (
        f"{plain}; held_out chooses on a random half of the ratings of each item and condition and averages the "
        f"other half ({SPLITS} splits, seed {SEED})."
    )
    return totals / SPLITS, note


def _means(flat: Any, value: Floats, shape: tuple[int, ...]) -> Floats:
    size = shape[0] * shape[1]
    counts = np.bincount(flat, minlength=size)
    return np.asarray((np.bincount(flat, weights=value, minlength=size) / counts).reshape(shape))


def _tie_warnings(cells: CellMeans) -> list[str]:
    tied = sum(len(np.unique(line)) < len(line) for line in cells.means)
    if not tied:
        return []
    return [
        f"{counted(tied, 'item has', 'items have')} conditions with exactly equal means; "
        f"their order does not change the means per rank."
    ]


def _figures(dv: str, *, held_out: bool) -> tuple[Figure, ...]:
    figures = [
        Figure(
            name="nbest",
            title=f"Mean {dv} of the nth best condition",
            kind="lines",
            table="nbest",
            encoding={"x": "rank", "y": "mean"},
            x_label="n",
            y_label=f"Mean {dv}",
        ),
        Figure(
            name="fixed",
            title=f"Mean {dv} of always the same condition",
            kind="bars",
            table="fixed",
            encoding={"x": "condition", "y": "mean"},
            x_label="Condition",
            y_label=f"Mean {dv}",
        ),
    ]
    if held_out:
        figures.append(
            Figure(
                name="held-out",
                title=f"Mean {dv} of the nth best condition, chosen on other ratings",
                kind="lines",
                table="nbest",
                encoding={"x": "rank", "y": "held_out"},
                x_label="n",
                y_label=f"Mean {dv} of held-out ratings",
            )
        )
    return tuple(figures)


def _example() -> Example:
    random = np.random.default_rng(7)
    lines = [
        {
            "participant": f"P{p}",
            "item": f"I{i}",
            "condition": condition,
            "z": round(float(random.normal()) + 0.3 * (condition == "a"), 3),
        }
        for p in range(1, 5)
        for i in range(1, 7)
        for condition in ("a", "b", "c")
    ]
    return pd.DataFrame(lines), {"dv": "z"}


METHOD = Method(
    slug="n-best",
    label="n-best and best fixed choice",
    summary="The mean of the nth best condition of every item, and of always taking the same condition.",
    function=n_best,
    parameters=(
        DV,
        ITEM,
        Parameter(
            "condition",
            "Condition",
            "columns",
            help="The formulations: one column, or several factors.",
            default="condition",
            required=True,
            role="factor",
        ),
        *rows.ROW_PARAMETERS,
    ),
    example=_example,
)

"""Compare choosing the best condition per item (n-best means) with the best fixed condition (`n-best`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.methods.arrays import Floats, Integers, without_noise
from analysis.methods.columns import declared_table, usual
from analysis.methods.conditions.cell_names import check_names
from analysis.methods.conditions.designs import Advice, CellMeans, cell_means
from analysis.methods.declarations import Example, Parameter, Progress, no_progress
from analysis.methods.report import BadInput, Column, Figure, Report
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import Coded, coded, joined, numbers
from analysis.methods.wording import counted, listed, number_text

NBEST = declared_table(
    "nbest",
    "Mean {dv} of the nth best condition of each item",
    "One row per rank.",
    Column("rank", "n", "integer", meaning="1 is the best condition of each item."),
    usual("mean", "Mean of the nth best"),
    usual("sd", "SD over items"),
    usual("n", "Items", "How many items."),
    Column(
        "held_out",
        "Mean on held-out ratings",
        meaning="Ranked on a random half of the ratings of every item and condition, averaged over the other half: "
        "what a choice made on such ratings is worth afterwards.",
    ),
)
FIXED = declared_table(
    "fixed",
    "Mean {dv} of always the same condition",
    "One row per condition.",
    "condition",
    "mean",
    usual("sd", "SD over items"),
    usual("n", "Items", "How many items."),
    Column("best", "Items where it is best", "share", meaning="Share of items where it ranks first; ties share."),
)
LEVELS = declared_table("levels", "Mean {dv} per factor level", "Means of the cell means.", "factor level mean")
SPLITS = 20
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

    `condition` may be one column or several factors; several are joined with a colon. Items that lack a condition
    are named and left out. Raises BadInput where nothing is left.

    >>> frame = pd.DataFrame({"item": ["i", "i", "j", "j"], "condition": ["a", "b"] * 2, "z": [1.0, 0.0, 0.0, 3.0]})
    >>> n_best(frame, dv="z").table("nbest").frame()[["rank", "mean"]].values.tolist()
    [[1.0, 2.0], [2.0, 0.0]]
    """
    if not condition:
        raise BadInput("Name the column or columns of the conditions with condition=….")
    chosen = rows.select(frame, used=[dv, item, *condition], measured=[dv], where=where, keep=keep)
    data = chosen.frame
    conditions = joined(data, condition)
    check_names(conditions.levels, condition)
    try:
        joined_conditions = _with_conditions(data, conditions)
        cells = cell_means(joined_conditions, dv=dv, unit=item, unit_role="item", within=[_JOINED], advice=ADVICE)
    except BadInput as refusal:
        raise BadInput(str(refusal).replace(_JOINED, listed(condition))) from refusal
    names = [cell[0] for cell in cells.cells]
    progress(0.4, "ranking")
    ordered = -np.sort(-cells.means, axis=1)
    held_out, splits_note = _held_out(data, cells, dv=dv, item=item, conditions=conditions)
    nbest = _described(ordered).assign(rank=range(1, len(names) + 1), held_out=held_out)
    # Means that are equal on paper may differ in their last binary digit, and share the first rank all the same.
    means = without_noise(cells.means)
    first = means == means.max(axis=1, keepdims=True)
    shares = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    fixed = _described(cells.means).assign(condition=names, best=shares)
    best = fixed.iloc[int(fixed["mean"].argmax())]
    return Report(
        tables=(
            NBEST.of(nbest, dv=dv),
            FIXED.of(fixed, dv=dv),
            LEVELS.of(_levels(data, cells, conditions=conditions, condition=condition), dv=dv),
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
            f"The best condition of each item averaged {number_text(nbest['mean'].iloc[0])}, the worst "
            f"{number_text(nbest['mean'].iloc[-1])}; always taking the best fixed condition "
            f"({best['condition']}) averaged {number_text(best['mean'])}.",
        ),
    )


_JOINED = "condition of the item"

# This method has neither between factors nor other units.
ADVICE = Advice(
    constant="; nothing can be chosen inside an item.",
    incomplete="Name fewer columns in condition, or restrict them with where.",
)


def _described(means: Floats) -> pd.DataFrame:
    """Return the mean and SD over items of every column, and how many items there are."""
    described = [(column.mean(), column.std(ddof=1), len(means)) for column in means.T]
    return pd.DataFrame(described, columns=["mean", "sd", "n"])


def _with_conditions(frame: pd.DataFrame, conditions: Coded) -> pd.DataFrame:
    """Add the joined factors as one categorical column, its levels in the order of theirs."""
    return frame.assign(
        **{_JOINED: pd.Categorical.from_codes(conditions.positions, categories=pd.Index(conditions.levels))}
    )


def _levels(
    frame: pd.DataFrame, cells: CellMeans, *, conditions: Coded, condition: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the mean of the cell means of each level of each factor."""
    columns = {cell[0]: index for index, cell in enumerate(cells.cells)}
    lines = []
    for name in condition:
        factor = coded(frame, name)
        for position, level in enumerate(factor.levels):
            members = np.unique(conditions.positions[(factor.positions == position) & (conditions.positions >= 0)])
            means = cells.means[:, [columns[conditions.levels[member]] for member in members]]
            lines.append({"factor": name, "level": level, "mean": float(means.mean())})
    return lines


def _held_out(
    frame: pd.DataFrame, cells: CellMeans, *, dv: str, item: str | None, conditions: Coded
) -> tuple[Floats | None, str]:
    """Rank conditions on half of the ratings of every item and condition, and average the other half."""
    plain = "The same ratings choose and value the best condition here, so the first ranks are optimistic"
    if item is None or int(cells.trials.min()) < 2:
        return None, f"{plain}; with fewer than two ratings of an item in a condition this cannot be checked."
    value, sizes = _padded(frame, cells, dv=dv, item=item, conditions=conditions)
    random = np.random.default_rng(SEED)
    padding = np.isnan(value)
    place = np.arange(value.shape[1])
    in_half = place[None, :] < (sizes // 2)[:, None]
    in_other = (place[None, :] < sizes[:, None]) & ~in_half
    totals = np.zeros(cells.means.shape[1])
    for _ in range(SPLITS):
        keys = random.random(value.shape)
        keys[padding] = 2
        shuffled = np.take_along_axis(value, np.argsort(keys, axis=1), axis=1)
        chosen, other = (
            np.where(part, shuffled, 0).sum(axis=1).reshape(cells.means.shape)
            / part.sum(axis=1).reshape(cells.means.shape)
            for part in (in_half, in_other)
        )
        ranks = np.argsort(-chosen, axis=1, kind="stable")
        totals += np.take_along_axis(other, ranks, axis=1).mean(axis=0)
    note = (
        f"{plain}; held_out chooses on a random half of the ratings of each item and condition and averages the "
        f"other half ({SPLITS} splits, seed {SEED})."
    )
    return totals / SPLITS, note


def _padded(frame: pd.DataFrame, cells: CellMeans, *, dv: str, item: str, conditions: Coded) -> tuple[Floats, Integers]:
    """Return the ratings of each item and condition as one row, filled up with NaN, and how many there are."""
    value = np.asarray(numbers(frame, dv), dtype=np.float64)
    items = coded(frame, item)
    row_of = {name: row for row, name in enumerate(cells.units)}
    column_of = {cell[0]: column for column, cell in enumerate(cells.cells)}
    rows_of = np.array([*(row_of.get(name, -1) for name in items.levels), -1], dtype=np.intp)[items.positions]
    columns_of = np.array([*(column_of.get(name, -1) for name in conditions.levels), -1], dtype=np.intp)
    columns = columns_of[conditions.positions]
    usable = (rows_of >= 0) & (columns >= 0) & ~np.isnan(value)
    flat, value = (rows_of * len(cells.cells) + columns)[usable], value[usable]
    # Sorted by value, so that the same ratings in another order of rows give the same splits.
    order = np.lexsort((value, flat))
    flat, value = flat[order], value[order]
    sizes = np.bincount(flat, minlength=cells.means.size).astype(np.intp)
    padded = np.full((cells.means.size, int(sizes.max())), np.nan)
    padded[flat, np.arange(len(flat)) - np.repeat(np.cumsum(sizes) - sizes, sizes)] = value
    return padded, sizes


def _tie_warnings(cells: CellMeans) -> list[str]:
    tied = sum(len(np.unique(line)) < len(line) for line in without_noise(cells.means))
    if not tied:
        return []
    return [
        f"{counted(tied, 'item has', 'items have')} conditions with exactly equal means; "
        f"their order does not change the means per rank."
    ]


def _figures(dv: str, *, held_out: bool) -> tuple[Figure, ...]:
    fixed = Figure(
        name="fixed",
        title=f"Mean {dv} of always the same condition",
        kind="bars",
        table="fixed",
        encoding={"x": "condition", "y": "mean"},
        x_label="Condition",
        y_label=f"Mean {dv}",
    )
    title = f"Mean {dv} of the nth best condition"
    drawn = (_by_rank("nbest", title, column="mean", label=f"Mean {dv}"), fixed)
    if not held_out:
        return drawn
    title, label = f"{title}, chosen on other ratings", f"Mean {dv} of held-out ratings"
    return (*drawn, _by_rank("held-out", title, column="held_out", label=label))


def _by_rank(name: str, title: str, *, column: str, label: str) -> Figure:
    encoding = {"x": "rank", "y": column}
    return Figure(name=name, title=title, kind="lines", table="nbest", encoding=encoding, x_label="n", y_label=label)


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


METHOD = declared(
    "n-best",
    "n-best and best fixed choice",
    "The mean of the nth best condition of every item, and the mean if the same condition is always used.",
    n_best,
    Parameter(
        "condition",
        "Condition",
        "columns",
        help="The formulations: one column, or several factors.",
        default="condition",
        required=True,
        role="factor",
    ),
    group="describe",
    question=("Which condition is best for each item? Judged by {measure}", "Which condition is best for each item?"),
    needs=("numbers", "conditions"),
    example=_example,
    tables=(NBEST, FIXED, LEVELS),
)

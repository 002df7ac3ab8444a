"""What stands behind estimated means: the mean of every level of the first group in every condition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.report import Column, Table
from analysis.methods.rows.combined import combined, numbered


def raw_means_table(design: Design, over: Sequence[Variable], *, names: Sequence[str], trials: Floats) -> Table | None:
    """Return the means of the measure by level of the first group and cell of some factors; None without a group.

    `names` are the columns of the factors in the table of means, `trials` how many answers a row holds.
    """
    if not design.groups:
        return None
    group = design.groups[0]
    read = [design.variables.predictors[variable] for variable in over]
    factors = [one for one in read if isinstance(one, Categorical)]
    sizes = (len(group.levels), *(len(factor.levels) for factor in factors))
    total, _ = combined(zip((group.index, *(factor.index for factor in factors)), sizes, strict=True))
    present, index = numbered(total, math.prod(sizes))
    found = np.column_stack(np.unravel_index(present, sizes))
    means = np.bincount(index, design.y) / np.bincount(index, trials)
    lines: list[dict[str, Any]] = []
    for (unit, *levels), mean in zip(found.tolist(), means.tolist(), strict=True):
        named = [factor.levels[level] for factor, level in zip(factors, levels, strict=True)]
        line = dict(zip(names, named, strict=True))
        lines.append({"unit": group.levels[unit], **line, "panel": ":".join(named[2:]), "value": mean})
    columns = [
        Column("unit", group.name, "text"),
        *(Column(name, name, "text") for name in names),
        *((Column("panel", "Other factors", "text"),) if len(names) > 3 else ()),
        Column("value", "Mean"),
    ]
    title = f"Observed means of {design.formula.response.text} by {group.name}"
    return Table.from_rows("observed", title, columns, lines)


def observed_means(tables: Sequence[Table], design: Design, over: Sequence[Variable], *, trials: Floats) -> list[Table]:
    """Return the table of observed means behind the table `means` among these, in a list; an empty one without it."""
    means = next((table for table in tables if table.name == "means"), None)
    made = None if means is None else raw_means_table(design, over, names=factor_columns(means), trials=trials)
    return [] if made is None else [made]


def factor_columns(means: Table) -> list[str]:
    """Return the columns of the factors in a table of means."""
    names = [column.name for column in means.columns]
    return names[: names.index("mean")]

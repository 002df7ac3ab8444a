"""Compute the observed mean of every level of the first group in every condition, shown behind estimated means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.reported.declared import OBSERVED
from analysis.methods.report import Table


def raw_means_table(design: Design, over: Sequence[Variable], *, names: Sequence[str], trials: Floats) -> Table | None:
    """Return the means of the measure by level of the first group and cell of some factors; None without a group.

    `names` are the columns of the factors in the table of means, `trials` how many answers a row holds.
    """
    if not design.groups:
        return None
    group = design.groups[0]
    read = [design.variables.predictors[variable] for variable in over]
    factors = [one for one in read if isinstance(one, Categorical)]
    found, index = np.unique(
        np.column_stack([group.index, *(factor.index for factor in factors)]), axis=0, return_inverse=True
    )
    index = index.reshape(-1)
    means = np.bincount(index, design.y) / np.bincount(index, trials)
    lines: list[dict[str, Any]] = []
    for (unit, *levels), mean in zip(found.tolist(), means.tolist(), strict=True):
        named = [factor.levels[level] for factor, level in zip(factors, levels, strict=True)]
        line = dict(zip(names, named, strict=True))
        lines.append({"unit": group.levels[unit], **line, "value": mean})
        if len(names) > 3:
            lines[-1]["panel"] = ":".join(named[2:])
    return OBSERVED.of(
        lines,
        response=design.formula.response.text,
        group=group.name,
        unit={group.name: "unit"},
        factors={name: name for name in names},
    )


def observed_means(tables: Sequence[Table], design: Design, over: Sequence[Variable], *, trials: Floats) -> list[Table]:
    """Return the table of observed means behind the table `means` among these, in a list; an empty one without it."""
    means = next((table for table in tables if table.name == "means"), None)
    made = None if means is None else raw_means_table(design, over, names=factor_columns(means), trials=trials)
    return [] if made is None else [made]


def factor_columns(means: Table) -> list[str]:
    """Return the columns of the factors in a table of means."""
    names = [column.name for column in means.columns]
    return names[: names.index("mean")]

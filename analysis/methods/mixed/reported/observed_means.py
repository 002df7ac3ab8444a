"""Compute the observed mean of every level of the first group in every condition, shown behind estimated means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.matrices import Design
from analysis.methods.mixed.design.terms import Variable
from analysis.methods.mixed.design.variables import Categorical
from analysis.methods.mixed.estimates.scales import linear_scale
from analysis.methods.mixed.reported.declared import OBSERVED
from analysis.methods.report import Table
from analysis.methods.rows.combined import combined, numbered


def observed_means(tables: Sequence[Table], design: Design, over: Sequence[Variable], *, trials: Floats) -> list[Table]:
    """Return the means of the measure by level of the first group and cell of the factors `over`, as one table.

    There is none without a group, or without the table `means` among these; `trials` are how many answers a row holds.
    """
    estimated = next((table for table in tables if table.name == "means"), None)
    if estimated is None or not design.groups:
        return []
    columns = [column.name for column in estimated.columns]
    names = columns[: columns.index("mean")]
    group = design.groups[0]
    read = [design.variables.predictors[variable] for variable in over]
    factors = [one for one in read if isinstance(one, Categorical)]
    sizes = (len(group.levels), *(len(factor.levels) for factor in factors))
    total, _ = combined(zip((group.index, *(factor.index for factor in factors)), sizes, strict=True))
    present, index = numbered(total, math.prod(sizes))
    found = np.column_stack(np.unravel_index(present, sizes))
    means = np.bincount(index, design.y) / np.bincount(index, trials)
    scale = linear_scale(design.formula.response.function)
    if scale.mean:  # as the estimated means are shown: a geometric mean for a model of logarithms
        means = np.array([scale.outcome(float(mean))[0] for mean in means])
    lines: list[dict[str, Any]] = []
    for (unit, *levels), mean in zip(found.tolist(), means.tolist(), strict=True):
        named = [factor.levels[level] for factor, level in zip(factors, levels, strict=True)]
        line = dict(zip(names, named, strict=True))
        lines.append({"unit": group.levels[unit], **line, "value": mean})
        if len(names) > 3:
            lines[-1]["panel"] = ":".join(named[2:])
    return [
        OBSERVED.of(
            lines,
            response=design.formula.response.text,
            group=group.name,
            unit={group.name: "unit"},
            factors={name: name for name in names},
        )
    ]

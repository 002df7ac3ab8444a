"""The range of a measure: the smallest method that shows what an entry point needs."""

from __future__ import annotations

import pandas as pd

from analysis.methods.declarations import Progress, no_progress
from analysis.methods.report import BadInput, Column, Report, Table
from analysis.methods.roles import declared
from analysis.methods.rows import used as rows
from analysis.methods.rows.columns import numbers, required


def sample_range(
    frame: pd.DataFrame,
    *,
    dv: str,
    where: str | None = None,
    keep: str | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Return the smallest and the largest value of a measure.

    Tables:
        `range`: low, high.
    """
    progress(0.0, "looking for the range")
    measure = required(frame, dv, role="dv")
    chosen = rows.select(frame, used=[measure], where=where, keep=keep)
    values = numbers(chosen.frame, measure).dropna()
    if values.empty:
        raise BadInput(f"Column '{measure}' is empty in every row.")
    line = {"low": float(values.min()), "high": float(values.max())}
    table = Table.from_rows("range", "Range", (Column("low", "Lowest"), Column("high", "Highest")), [line])
    return Report(
        tables=(table,),
        notes=(*chosen.notes, "The range of all values."),
        warnings=chosen.warnings,
    )


METHOD = declared(
    "sample-range",
    "Range of a measure",
    "The smallest and the largest value.",
    sample_range,
    example=lambda: (pd.DataFrame({"rating": [1, 2, 3]}), {"dv": "rating"}),
)

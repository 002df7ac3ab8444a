"""Comparisons of texts between all pairs of conditions and of stimulus lists, measure by measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from analysis.methods.rows.columns import in_order
from analysis.methods.texts.matching import LIST, MOST_LEVELS, compared, pairs, with_verdicts, worst
from analysis.methods.texts.matching_bounds import Bounds
from analysis.methods.texts.rows import TextRows
from analysis.methods.wording import listed


def levels_of(given: TextRows) -> tuple[dict[str, list[str]], list[str]]:
    """Return the levels to compare for every factor, and a sentence for every factor that has too many."""
    found = {
        factor: sorted({level for level in column if level is not None}, key=in_order)
        for factor, column in given.factors.items()
    }
    names = sorted({entry for of_text in given.lists for entry in of_text}, key=in_order)
    if names and LIST not in found:
        found[LIST] = names
    levels = {factor: entries for factor, entries in found.items() if 2 <= len(entries) <= MOST_LEVELS}
    said = [
        f"{factor} has {len(entries):,} levels, more than {MOST_LEVELS}, and is not compared; name the factors with "
        f"condition=…"
        for factor, entries in found.items()
        if len(entries) > MOST_LEVELS
    ]
    single = [factor for factor, entries in found.items() if len(entries) == 1 and factor != LIST]
    if single:
        said.append(f"{listed(single)} has one level only, so there is nothing to compare.")
    return levels, said


def comparisons(
    given: TextRows,
    table: pd.DataFrame,
    measures: Sequence[str],
    levels: dict[str, list[str]],
    *,
    bounds: Bounds,
    alpha: float,
    farthest: int,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the comparison of every pair in every measure, and the items that make the differences."""
    found = [(pair, compared(pair, name, bounds=bounds, alpha=alpha))
             for pair in pairs(given, table, measures, factors=levels) for name in measures]  # fmt: skip
    lines = with_verdicts((line for _, line in found), alpha=alpha)
    away = [
        row
        for (pair, _), line in zip(found, lines, strict=True)
        if not pair.list
        for row in worst(pair, line, number=farthest)
    ]
    return lines, away

"""Name the cells of a design by their levels joined with a colon, and find rare ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy.typing as npt

from analysis.methods.report import BadInput
from analysis.methods.wording import listed


def cell_names(cells: Iterable[Sequence[str]], factors: Sequence[str]) -> list[str]:
    """Return the name of every cell, given its levels.

    Raises BadInput where two cells would have the same name, which happens only if levels hold colons themselves.

    >>> cell_names([("because", "ab"), ("because", "ba")], ["marker", "order"])
    ['because:ab', 'because:ba']
    >>> cell_names([("a:b", "c"), ("a", "b:c")], ["marker", "order"])
    Traceback (most recent call last):
    analysis.methods.report.BadInput: Two cells of marker and order would both be called 'a:b:c'; ...
    """
    names = [":".join(cell) for cell in cells]
    check_names(names, factors)
    return names


def check_names(names: Sequence[str], factors: Sequence[str]) -> None:
    """Raise BadInput where two cells have the same name."""
    if len(set(names)) == len(names):
        return
    twice = next(name for name in names if names.count(name) > 1)
    raise BadInput(
        f"Two cells of {listed(factors)} would both be called '{twice}'; rename the levels that hold a colon."
    )


def column_names(factors: Sequence[str], taken: Iterable[str]) -> dict[str, str]:
    """Return for every factor the column it has in a table: its name, or that with `factor_` before it where the table
    has such a column anyway.

    >>> column_names(["marker", "mean"], ["n", "mean"])
    {'marker': 'marker', 'mean': 'factor_mean'}
    """
    known = set(taken)
    return {name: f"factor_{name}" if name in known else name for name in factors}


def rare_cells(cells: Sequence[Sequence[str]], trials: npt.NDArray[Any], *, unit: str) -> str:
    """Name the cells (columns of `trials`) that only one unit has although others are common, or return nothing.

    Such a cell is often a level that was written in another way.

    >>> import numpy as np
    >>> rare_cells([("a",), ("b",), ("B",)], np.array([[1, 1, 0], [2, 0, 1]]), unit="participant")
    'Only 1 participant has b and B; check how levels are written. '
    """
    rare = [":".join(cell) for cell, count in zip(cells, (trials > 0).sum(axis=0), strict=True) if count == 1]
    if not 0 < len(rare) < len(cells):
        return ""
    return f"Only 1 {unit} has {listed(rare, shown=4)}; check how levels are written. "

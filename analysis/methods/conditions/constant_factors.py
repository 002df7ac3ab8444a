"""Find the factors that differ between units: each unit has only one of their levels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.methods.rows.columns import coded, numbers


def constant_factors(frame: pd.DataFrame, *, dv: str, unit: str, factors: Sequence[str]) -> list[str]:
    """Return the factors of which every unit has one level only, in the rows that hold a value.

    >>> frame = pd.DataFrame({"item": ["i", "i", "j"], "genre": ["a", "a", "b"], "order": ["x", "y", "x"]})
    >>> constant_factors(frame.assign(z=[1, 2, 3]), dv="z", unit="item", factors=["genre", "order"])
    ['genre']
    """
    units = coded(frame, unit)
    valued = (units.positions >= 0) & numbers(frame, dv).notna().to_numpy()
    constant = []
    for name in factors:
        levels = coded(frame, name).positions
        known = valued & (levels >= 0)
        found = np.full(len(units.levels), -1, dtype=np.intp)
        found[units.positions[known]] = levels[known]
        if (found[units.positions[known]] == levels[known]).all():
            constant.append(name)
    return constant

"""A small data set for documentation and tests: eight people read eight sentences, region by region."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.methods.declarations import Example


def example() -> Example:
    """Return eight people who read eight items in two conditions, region by region."""
    random = np.random.default_rng(19820101)
    people, items = random.normal(0, 0.2, 8), random.normal(0, 0.1, 8)
    lines = [
        {
            "participant": f"P{p + 1}",
            "item": f"I{i + 1}",
            "clause": clause,
            "from_critical": place,
            "rt_ms": round(
                float(np.exp(5.8 + people[p] + items[i] + 0.2 * (place == 0) * c + random.normal(0, 0.25))), 1
            ),
        }
        for p in range(8)
        for i in range(8)
        for c, clause in enumerate(("object", "subject"))
        for place in (-1, 0, 1)
    ]
    return pd.DataFrame(lines), {"formula": "log(rt_ms) ~ clause + (1 | participant) + (1 | item)"}

"""A small data set for documentation and tests: eight participants, eight items, two orders."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.methods.declarations import Example


def example() -> Example:
    """Return the frame and the parameters of a model with slopes; every person sees every item once in each order."""
    random = np.random.default_rng(20100602)
    people = random.normal(0, (0.6, 0.4), (8, 2))
    items = random.normal(0, (0.5, 0.3), (8, 2))
    lines = [
        {
            "participant": f"P{p + 1}",
            "item": f"I{i + 1}",
            "order": order,
            "z": round(
                float(people[p, 0] + items[i, 0] + o * (0.5 + people[p, 1] + items[i, 1]) + random.normal(0, 0.7)), 3
            ),
        }
        for p in range(8)
        for i in range(8)
        for o, order in enumerate(("ab", "ba"))
    ]
    return pd.DataFrame(lines), {"formula": "z ~ order + (1 + order | participant) + (1 + order | item)"}

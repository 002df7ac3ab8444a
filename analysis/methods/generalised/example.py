"""Small data sets for documentation and tests: ten people, twelve items, two orders."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.methods.declarations import Example


def binary_example() -> Example:
    """Return coded recalls and a model with crossed intercepts; every person sees every item in one order."""
    lines = [
        {"participant": p, "item": i, "order": order, "correct": str(value > 0).lower()}
        for p, i, order, value in _simulated()
    ]
    return pd.DataFrame(lines), {"formula": "correct ~ order + (1 | participant) + (1 | item)"}


def ordinal_example() -> Example:
    """Return ratings from 1 to 4 and a model with crossed intercepts."""
    lines = [
        {"participant": p, "item": i, "order": order, "rating": int(np.digitize(value, [-1.5, 0.0, 1.5])) + 1}
        for p, i, order, value in _simulated()
    ]
    return pd.DataFrame(lines), {"formula": "rating ~ order + (1 | participant) + (1 | item)"}


def _simulated() -> list[tuple[str, str, str, float]]:
    random = np.random.default_rng(20100602)
    people, items = random.normal(0, 1.0, 10), random.normal(0, 0.8, 12)
    return [
        (
            f"P{p + 1}",
            f"I{i + 1}",
            ("ab", "ba")[(p + i) % 2],
            float(people[p] + items[i] + 0.9 * ((p + i) % 2) + random.logistic()),
        )
        for p in range(10)
        for i in range(12)
    ]

"""Example data: three versions of sentences, compared in pairs by twelve people."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd

from analysis.methods.declarations import Example

TRUE = {"plain": 0.6, "short": 0.2, "dense": -0.8}


def example() -> Example:
    """Return pairs with ties and sides; the left one has an advantage."""
    random = np.random.default_rng(1970)
    lines = []
    for person in range(1, 13):
        for item in range(1, 7):
            for number, (one, other) in enumerate(combinations(TRUE, 2)):
                a, b = (one, other) if (person + item + number) % 2 else (other, one)
                weights = np.exp([TRUE[a] + 0.2, TRUE[b] - 0.2, (TRUE[a] + TRUE[b]) / 2 - 0.9])
                choice = ("a", "b", "tie")[int(random.choice(3, p=weights / weights.sum()))]
                lines.append(
                    {
                        "participant": f"P{person:02d}",
                        "item": f"I{item}",
                        "a": a,
                        "b": b,
                        "choice": choice,
                        "side": "left",
                    }
                )
    return pd.DataFrame(lines), {"a": "a", "b": "b", "choice": "choice", "side": "side", "bootstrap": 50}

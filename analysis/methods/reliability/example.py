"""Example data: forty people answer a scale of five items, one of them reversed."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.methods.declarations import Example

LOADINGS = {"calm": 0.8, "rested": 0.7, "content": 0.75, "at_ease": 0.65, "tense": -0.7}


def example() -> Example:
    """Return answers from 1 to 7 that follow one factor."""
    random = np.random.default_rng(1951)
    lines = []
    for person in range(1, 41):
        mood = random.normal()
        answers = {
            item: int(np.clip(round(4 + 1.4 * (loading * mood + np.sqrt(1 - loading**2) * random.normal())), 1, 7))
            for item, loading in LOADINGS.items()
        }
        lines.append({"participant": f"P{person:02d}", **answers})
    return pd.DataFrame(lines), {
        "items": tuple(LOADINGS),
        "reverse": ("tense",),
        "low": 1.0,
        "high": 7.0,
        "participant": "participant",
    }

"""Example data: cloze completions of sentences by forty people."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.methods.declarations import Example

_ENDS = {
    "S1": ("home", {"home": 0.8, "Home": 0.1, "away": 0.1}),
    "S2": ("tea", {"tea": 0.45, "coffee": 0.35, "water": 0.15, "milk": 0.05}),
    "S3": ("bird", {"cat": 0.3, "dog": 0.25, "bird": 0.2, "house": 0.15, "tree": 0.1}),
}


def example() -> Example:
    """Return completions of a constraining, a middling and an open sentence, each in two versions."""
    random = np.random.default_rng(1953)
    lines = []
    for person in range(1, 41):
        for item, (target, shares) in _ENDS.items():
            version = ("a", "b")[(person + int(item[1])) % 2]
            words = list(shares)
            response = str(random.choice(words, p=list(shares.values())))
            lines.append(
                {
                    "participant": f"P{person:02d}",
                    "item": item,
                    "version": version,
                    "response": f" {response}" if person % 7 == 0 else response,
                    "target": target,
                }
            )
    return pd.DataFrame(lines), {"response": "response", "item": "item", "by": ("version",), "target": "target"}

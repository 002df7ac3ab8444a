"""Example data for `ranking`: eight inputs, four systems of known quality, two raters."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.methods.declarations import Example

_PEOPLE = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gail", "Hugo")
_PLACES = ("market", "station", "library", "harbour", "museum", "garden", "theatre", "bridge")


def example() -> Example:
    """Return ratings of short summaries: a good one, one full of pronouns, one that repeats itself, and a fragment."""
    random = np.random.default_rng(2010)
    lines = []
    for number, (person, place) in enumerate(zip(_PEOPLE, _PLACES, strict=True), start=1):
        friend = _PEOPLE[number % len(_PEOPLE)]
        source = f"{person}: I walk to the {place} after lunch. {friend}: Then I bring the old map, it shows the way."
        texts = {
            "A": (4.4, f"{person} will walk to the {place} after lunch. {friend} will bring a map because it helps."),
            "B": (3.6, f"They will go there after lunch and she brings a map to the {place}."),
            "C": (2.4, f"{person} walks to the {place}. {person} walks to the {place}. The {place} the {place}."),
            "D": (1.8, f"{place} map {friend} the , lunch"),
        }
        for system, (quality, text) in texts.items():
            for rater in ("R1", "R2"):
                score = int(np.clip(round(quality + float(random.normal(0, 0.8))), 1, 5))
                lines.append(
                    {
                        "item": f"I{number}",
                        "system": system,
                        "participant": rater,
                        "text": text,
                        "source": source,
                        "score": score,
                    }
                )
    return pd.DataFrame(lines), {"score": ("score",), "parser": "none", "folds": 4, "bootstrap": 100}

"""A small example: twelve people tell words from nonwords, well where words are frequent."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.methods.declarations import Example

TRUE = {"high": 2.4, "low": 1.4}


def example() -> Example:
    """Return lexical decisions: words and nonwords in two bands, d′ 2.4 and 1.4, and a lean to the answer word."""
    random = np.random.default_rng(1995)
    lines = []
    for person in range(1, 13):
        ability, lean = random.normal(0, 0.3), random.normal(-0.2, 0.2)
        for band, sensitivity in TRUE.items():
            for target, sign in (("word", 0.5), ("nonword", -0.5)):
                for number in range(1, 21):
                    evidence = sign * (sensitivity + ability) + random.normal()
                    lines.append(
                        {
                            "participant": f"P{person:02d}",
                            "item": f"{target}-{band}-{number:02d}",
                            "band": band,
                            "target": target,
                            "response": "word" if evidence > lean else "nonword",
                        }
                    )
    return pd.DataFrame(lines), {
        "response": "response",
        "target": "target",
        "signal": "word",
        "within": ("band",),
        "participant": "participant",
    }

"""Several texts of an item are alike: what drawing items again denies, no sentence of `metric-vs-human` claims."""

import numpy as np
import pandas as pd

from analysis.methods.judged.method import METHOD
from analysis.methods.registry import run

PEOPLE_SAY = (-4, -3, -2, -1, 1, 2, 3, 4)
ONE_SAYS = (-1, -3, 4, -4, 1, 2, -2, 3)
OTHER_SAYS = (3, -1, -4, 2, 4, -3, 1, -2)


def by_item(systems=12):
    """Return eight items of many texts, whose scores differ by item and hardly within: eight cases, not 96."""
    random = np.random.default_rng(4)
    return pd.DataFrame(
        [
            {
                "item": f"i{item}",
                "condition": f"s{system}",
                "rating": PEOPLE_SAY[item] + random.normal(0, 0.2),
                "one": ONE_SAYS[item] + random.normal(0, 0.2),
                "other": OTHER_SAYS[item] + random.normal(0, 0.2),
            }
            for item in range(8)
            for system in range(systems)
        ]
    )


def report():
    given = {"dv": "rating", "metrics": ("one", "other"), "item": "item", "condition": "condition"}
    return run(METHOD, by_item(), {**given, "participant": "", "resamples": "200", "splits": "10"})


def test_what_the_interval_denies_is_not_claimed():
    found = report()
    (pair,) = [line for line in found.table("comparisons").lines() if line["level"] == "text"]
    assert pair["p_holm"] < 0.05
    assert pair["diff_low"] < 0 < pair["diff_high"]
    (sentence,) = [text for text in found.sentences if "Williams" in text]
    assert "are not shown to differ" in sentence
    assert "from drawing again, which holds 0" in sentence
    (first,) = [text for text in found.sentences if text.startswith("one and people over 96 texts")]
    assert "which holds 0, so that nothing is shown" in first
    assert any("holds 0 for r of one" in text and "one against other" in text for text in found.warnings)

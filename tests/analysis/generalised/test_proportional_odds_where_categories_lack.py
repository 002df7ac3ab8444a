"""The check of proportional odds where some condition lacks categories: the likelihood's limit, or none at all.

With one factor, effects of their own at every threshold make the model saturated, so that its likelihood is that of the
shares of answers in every condition. `clm` stops on the way to it (code −1) or warns that thresholds cross (code −3).
"""

import numpy as np
import pandas as pd
import pytest

from analysis.methods.generalised.ordinal import METHOD
from analysis.methods.registry import run


def frame(**conditions):
    """Return answers: how often each category was chosen per condition."""
    rows = [
        (condition, category)
        for condition, counts in conditions.items()
        for category, count in enumerate(counts, start=1)
        for _ in range(count)
    ]
    return pd.DataFrame(rows, columns=["order", "rating"])


@pytest.mark.parametrize("contrasts", ["treatment", "sum"])
@pytest.mark.parametrize(
    "conditions",
    [
        {"ab": (8, 32, 0, 0, 0), "ba": (8, 6, 5, 11, 10)},
        {"ab": (0, 0, 9, 21, 6), "ba": (8, 6, 5, 11, 10)},
        {"ab": (8, 32, 0, 0, 0), "ba": (8, 6, 5, 11, 10), "ca": (0, 0, 4, 9, 3)},
        {"ab": (0, 7, 12, 0, 0), "ba": (8, 6, 5, 11, 10)},
        {"ab": (4, 7, 12, 3, 9), "ba": (8, 6, 5, 11, 10)},
    ],
)
def test_without_categories_at_the_ends_the_limit_of_the_likelihood_is_compared(conditions, contrasts):
    report = run(METHOD, frame(**conditions), {"formula": "rating ~ order", "contrasts": contrasts})
    counts = np.array(list(conditions.values()), dtype=float)
    shares = counts / counts.sum(axis=1, keepdims=True)
    saturated = float((counts[counts > 0] * np.log(shares[counts > 0])).sum())
    expected = 2 * (saturated - report.table("fit").frame()["log_lik"].iloc[0])
    found = report.table("nominal").frame().iloc[0]
    assert found["df"] == 3 * (len(conditions) - 1)
    assert found["chi2"] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    "conditions",
    [
        {"ab": (9, 0, 12), "ba": (7, 8, 6)},
        {"ab": (9, 0, 12, 5), "ba": (7, 8, 6, 4)},
        {"ab": (9, 6, 0, 5), "ba": (7, 8, 6, 4), "ca": (3, 8, 7, 9)},
    ],
)
def test_without_a_category_in_the_middle_no_likelihood_of_crossing_thresholds_is_compared(conditions):
    """Thresholds that cross give the missing category a negative probability, and the others too much."""
    report = run(METHOD, frame(**conditions), {"formula": "rating ~ order"})
    found = report.table("nominal").frame().iloc[0]
    assert pd.isna(found["p"])
    assert any("Proportional odds of order could not be tested" in warning for warning in report.warnings)
    assert "Proportional odds of order cannot be tested with these data." in report.sentences

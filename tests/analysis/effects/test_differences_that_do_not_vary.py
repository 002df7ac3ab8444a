"""A difference that is exactly the same in everybody has no test, in whichever method, and a small one that varies has.

The derivation: with the same value added for everybody the variance of the differences is 0, whatever the people; what
w′Σw leaves is eps × the variance between people, and no result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.methods import registry
from analysis.methods.report import Report

TESTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "equivalence": ("equivalence", {"bound": 0.1}, "t"),
    "bayes-factor": ("bayes-factor", {}, "t"),
    "rm-anova": ("rm-anova", {"contrasts": "c: pairs"}, "t"),
    "tukey": ("tukey", {"error": "multivariate"}, "q"),
}
TABLES = {"equivalence": "equivalence", "bayes-factor": "t", "rm-anova": "contrasts", "tukey": "comparisons"}


def run(method: str, people: np.ndarray, difference: np.ndarray | float) -> tuple[Report, list[dict[str, Any]]]:
    """Run a method on conditions a and b = a + difference, and c, which varies in its own way so that a and b alone
    have no test."""
    other = people + np.random.default_rng(4).normal(0, 0.5, len(people))
    values = {"a": people, "b": people + difference, "c": other}
    frame = pd.DataFrame(
        [
            {"participant": f"P{number:02}", "c": level, "z": value}
            for level, own in values.items()
            for number, value in enumerate(own)
        ]
    )
    slug, parameters, _ = TESTS[method]
    report = registry.run(registry.method_named(slug), frame, {"dv": "z", "within": ("c",), **parameters})
    return report, report.table(TABLES[method]).lines()


def of_a_and_b(lines: list[dict[str, Any]], statistic: str) -> Any:
    (line,) = [line for line in lines if (line.get("contrast") or line.get("comparison")) in ("a − b", "b − a")]
    return line[statistic]


PEOPLE = {
    "steps": 0.1 * np.arange(8),
    "many": np.random.default_rng(1).normal(500, 80, 40),
    "centred": np.random.default_rng(2).normal(0, 1, 24),
    "large": np.random.default_rng(3).normal(0, 1e6, 12),
}


@pytest.mark.parametrize("people", PEOPLE)
@pytest.mark.parametrize("method", TESTS)
def test_a_difference_that_is_the_same_in_everybody_has_no_test(method: str, people: str) -> None:
    report, lines = run(method, PEOPLE[people], 0.3)
    statistic = of_a_and_b(lines, TESTS[method][2])
    assert statistic is None or np.isnan(statistic)
    assert any("No test is possible for" in said and "exactly the same in every" in said for said in report.warnings)


@pytest.mark.parametrize("method", TESTS)
def test_a_difference_that_varies_a_hundred_thousandth_as_much_as_people_is_tested(method: str) -> None:
    """The oracle is the paired t test of scipy, of the differences themselves; q = √2 |t|."""
    people = np.random.default_rng(5).normal(0, 1, 20)
    difference = 2e-5 + np.random.default_rng(6).normal(0, 1e-5, 20)
    report, lines = run(method, people, difference)
    expected = abs(float(stats.ttest_rel(people + difference, people).statistic))
    expected *= np.sqrt(2) if method == "tukey" else 1
    assert abs(of_a_and_b(lines, TESTS[method][2])) == pytest.approx(expected, rel=1e-4)
    assert not any("No test is possible" in said for said in report.warnings)

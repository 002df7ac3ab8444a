"""Known effects are found again in incomplete and nested designs: the benchmark of coverage, in a fast form."""

from __future__ import annotations

from math import sqrt

import pytest

from benchmarks.coverage_of_designs import SCENARIOS, Scenario, coverage

REPETITIONS = 30


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario.name.split(":")[0] for scenario in SCENARIOS])
def test_intervals_hold_known_effects_as_often_as_they_say(scenario: Scenario) -> None:
    held = coverage(scenario, repetitions=REPETITIONS, seed=11)
    for name, count in held.items():
        assert abs(count / REPETITIONS - 0.95) < 3.5 * sqrt(0.95 * 0.05 / REPETITIONS), name

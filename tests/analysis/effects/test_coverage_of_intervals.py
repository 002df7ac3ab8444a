"""Intervals of effect sizes hold the truth about as often as they say: the benchmark of coverage, in a fast form."""

from __future__ import annotations

from math import sqrt

import pytest

from benchmarks.effect_size_coverage import SCENARIOS, coverage

pytestmark = [pytest.mark.full("intervals of effect sizes that hold the truth too seldom"), pytest.mark.slow]

LEVELS = {"pes": 0.90, "ges": 0.90, "omega2": 0.90, "d_z": 0.95, "d_av": 0.95}


@pytest.mark.parametrize("name", ["3 groups of 20, medium effect", "3 conditions within 24, medium effect"])
def test_intervals_hold_the_truth_as_often_as_they_say(name: str) -> None:
    scenario = next(scenario for scenario in SCENARIOS if scenario.name == name)
    repetitions = 150
    found = coverage(scenario, repetitions=repetitions, seed=7)
    for size, level in LEVELS.items():
        if size in found and not (size == "ges" and not scenario.between):
            assert abs(found[size] - level) < 3.5 * sqrt(level * (1 - level) / repetitions), size

"""Oracle: probit regression of R on corrected counts (`tests/oracles/signal_detection.R`) and `t.test`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis.methods import registry
from analysis.methods.report import Report
from analysis.methods.signal.method import METHOD
from analysis.methods.signal.sensitivity import criterion, d_prime, expected_d_prime

ORACLE = json.loads((Path(__file__).parents[2] / "oracles" / "signal_detection.json").read_text(encoding="utf-8"))


def trials(cell: dict[str, Any]) -> list[tuple[str, str]]:
    """Return (target, response) of every trial."""
    hits, alarms = cell["hits"], cell["false_alarms"]
    return [
        *[("old", "old")] * hits,
        *[("old", "new")] * (cell["n_signal"] - hits),
        *[("new", "old")] * alarms,
        *[("new", "new")] * (cell["n_noise"] - alarms),
    ]


@cache
def report() -> Report:
    lines = [
        {"participant": f"P{number}", "target": target, "response": response}
        for number, cell in enumerate(ORACLE["cells"], start=1)
        for target, response in trials(cell)
    ]
    return registry.run(METHOD, pd.DataFrame(lines), {"signal": "old"})


def test_d_prime_and_criterion_are_those_of_a_probit_regression() -> None:
    for line, cell in zip(report().table("sensitivity").lines(), ORACLE["cells"], strict=True):
        assert [line[name] for name in ("hits", "n_signal", "false_alarms", "n_noise")] == [
            cell[name] for name in ("hits", "n_signal", "false_alarms", "n_noise")
        ]
        assert line["d_prime"] == pytest.approx(cell["d_prime"], abs=1e-8)
        assert line["criterion"] == pytest.approx(cell["criterion"], abs=1e-8)


def test_means_and_intervals_over_participants_are_those_of_a_t_test() -> None:
    (line,) = report().table("cells").lines()
    assert line["n"] == len(ORACLE["cells"])
    for name in ("mean", "sd", "ci_low", "ci_high"):
        assert line[name] == pytest.approx(ORACLE[name], abs=1e-8)


def test_the_usual_example_without_extreme_rates() -> None:
    """20 of 25 hits and 10 of 25 false alarms with .5 added: z(20.5/26) − z(10.5/26)."""
    four = np.array([[20.0], [25.0], [10.0], [25.0]])
    assert d_prime(*four)[0] == pytest.approx(stats.norm.ppf(20.5 / 26) - stats.norm.ppf(10.5 / 26))
    assert criterion(*four)[0] == pytest.approx(-(stats.norm.ppf(20.5 / 26) + stats.norm.ppf(10.5 / 26)) / 2)


@pytest.mark.parametrize(("true", "n"), [(1.0, 10), (2.0, 10), (2.0, 40), (3.0, 20)])
def test_the_expected_estimate_is_what_simulated_people_give(true: float, n: int) -> None:
    random = np.random.default_rng(7)
    hits = random.binomial(n, stats.norm.cdf(true / 2), 200_000).astype(float)
    alarms = random.binomial(n, stats.norm.cdf(-true / 2), 200_000).astype(float)
    all_n = np.full_like(hits, n)
    assert expected_d_prime(true, n, n) == pytest.approx(d_prime(hits, all_n, alarms, all_n).mean(), abs=0.006)

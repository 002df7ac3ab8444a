"""Boundaries of group-sequential plans and what follows from them, against rpact 3.3.4 and published tables.

tests/oracles/sequential.R made the values. rpact searches to about eight digits of z.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis.methods.report import BadInput
from analysis.methods.sequential.boundaries import boundaries, spent_by
from analysis.methods.sequential.crossing import FAR
from analysis.methods.sequential.inference import Found
from experiments.rules.sequential import OBRIEN_FLEMING, POCOCK, SPENDING

ORACLE = Path(__file__).resolve().parents[2] / "oracles" / "sequential.json"
EXPECTED: dict[str, Any] = json.loads(ORACLE.read_text(encoding="utf-8"))
FOUR = (0.25, 0.5, 0.75, 1.0)


@pytest.mark.parametrize(
    "case", EXPECTED["boundaries"], ids=lambda case: f"{case['spending']}-{case['shares']}-{case['alpha']}"
)
def test_boundaries_and_what_they_spend_equal_rpact(case):
    looks = boundaries(case["shares"], spending=case["spending"], alpha=case["alpha"], gamma=case["gamma"])
    # Where looks are close together rpact's grid is coarse: 4.304371 for 4.304394, which finer grids here confirm. What
    # spends nothing that a number holds is infinite there and FAR here.
    for look, boundary, spent in zip(looks, case["boundary"], case["spent"], strict=True):
        assert look.boundary == pytest.approx(FAR if boundary == "Inf" else boundary, abs=3e-5)
        assert look.spent == pytest.approx(spent, abs=2e-7)
        assert look.level == pytest.approx(2 * stats.norm.sf(look.boundary), rel=1e-9)


@pytest.mark.parametrize(
    ("spending", "published"),
    [
        (OBRIEN_FLEMING, (4.877, 3.357, 2.680, 2.290, 2.031)),
        (POCOCK, (2.438, 2.427, 2.410, 2.397, 2.386)),
    ],
)
def test_five_even_looks_have_the_boundaries_of_published_tables(spending, published):
    # Lan & DeMets' functions at α = .05, two-sided: Reboussin, DeMets, Kim & Lan (2000), Controlled Clinical Trials 21.
    looks = boundaries([0.2, 0.4, 0.6, 0.8, 1.0], spending=spending, alpha=0.05)
    assert [round(look.boundary, 3) for look in looks] == list(published)


@pytest.mark.parametrize("case", EXPECTED["finals"], ids=lambda case: f"{case['spending']}-{case['stages']}")
def test_final_p_estimate_and_interval_equal_rpact(case):
    k = case["stages"]
    # One-sided at .025 and two-sided at .05 have the same boundaries but for what crosses both.
    looks = boundaries(FOUR, spending=case["spending"], alpha=0.05)
    assert [look.boundary for look in looks] == pytest.approx(case["critical"], abs=2e-5)
    # rpact divides by the standard deviation that it pools over the stages.
    se = 1 / math.sqrt(case["people"])
    found = Found(case["z"] * se, se, math.inf, looks[: k - 1], FOUR[k - 1], is_two_sided=False)
    values = found.adjusted()
    assert found.at_least_as_large(0.0) == pytest.approx(case["p_one_sided"], rel=1e-4)
    assert values.estimate == pytest.approx(case["estimate"], abs=2e-6)
    assert (values.low, values.high) == pytest.approx(tuple(case["interval"]), abs=2e-6)


@pytest.mark.parametrize("spending", SPENDING)
def test_a_result_on_the_boundary_has_as_its_p_what_was_spent(spending):
    looks = boundaries(FOUR, spending=spending, alpha=0.05)
    for place, look in enumerate(looks):
        if look.boundary > 6:
            continue
        for sign in (1, -1):
            values = Found(sign * look.boundary, 1.0, math.inf, looks[:place], look.share).adjusted()
            assert values.p == pytest.approx(look.spent, rel=1e-6)
            is_inside = values.low < 0 < values.high
            assert is_inside == (look.spent < 0.05) or look.spent >= 0.05 - 1e-9 or not is_inside


def test_the_interval_leaves_zero_out_exactly_where_the_boundary_is_crossed():
    looks = boundaries(FOUR, spending=POCOCK, alpha=0.05)
    for place, look in enumerate(looks):
        for step, crossed in ((0.01, True), (-0.01, False)):
            if not crossed and place < 3:
                continue  # the study would go on
            values = Found(look.boundary + step, 1.0, math.inf, looks[:place], look.share).adjusted()
            assert (values.low > 0) == crossed
            assert (values.p < 0.05) == crossed


def test_results_of_two_sided_plans_have_uniform_tails_whatever_the_effect():
    # The probability of a result at least as large, at the true effect, is uniform: so intervals cover as they say.
    random = np.random.default_rng(1)
    looks = boundaries(FOUR, spending=POCOCK, alpha=0.05)
    shares = np.array(FOUR)
    for drift in (0.0, 1.5, -3.0):
        tails = []
        for _ in range(1500):
            steps = random.standard_normal(4) * np.sqrt(np.diff(shares, prepend=0))
            z = (np.cumsum(steps) + drift * shares) / np.sqrt(shares)
            stop = next((k for k in range(3) if abs(z[k]) >= looks[k].boundary), 3)
            se = 1 / math.sqrt(shares[stop])
            tails.append(Found(z[stop] * se, se, math.inf, looks[:stop], FOUR[stop]).at_least_as_large(drift))
        assert stats.kstest(tails, "uniform").pvalue > 0.001
        assert np.mean(np.array(tails) < 0.5) == pytest.approx(0.5, abs=0.05)


def test_at_the_first_look_the_interval_is_that_of_the_t_test():
    values = Found(0.7, 0.25, 9.0, [], 0.25).adjusted()
    low, high = 0.7 + 0.25 * stats.t.ppf([0.025, 0.975], 9)
    assert (values.estimate, values.low, values.high) == pytest.approx((0.7, low, high))
    assert values.p == pytest.approx(2 * stats.t.sf(0.7 / 0.25, 9))


def test_a_study_that_stops_early_is_told_a_smaller_effect_than_it_saw():
    looks = boundaries(FOUR, spending=OBRIEN_FLEMING, alpha=0.05)
    values = Found(3.2, 1.0, math.inf, looks[:1], 0.5).adjusted()
    assert 3.0 < values.estimate < 3.2
    assert values.low > 0


def test_a_last_look_before_its_time_has_all_that_is_left_of_alpha():
    planned = boundaries(FOUR, spending=OBRIEN_FLEMING, alpha=0.05)
    ended = boundaries((0.25, 0.5, 0.6), spending=OBRIEN_FLEMING, alpha=0.05)
    assert ended[:2] == planned[:2]
    assert ended[-1].spent == 0.05
    # Crossing at any look: the parts add up, here by the multivariate normal distribution.
    shares = np.array([0.25, 0.5, 0.6])
    covariance = np.sqrt(np.minimum.outer(shares, shares) / np.maximum.outer(shares, shares))
    bounds = np.array([look.boundary for look in ended])
    inside = stats.multivariate_normal(cov=covariance).cdf(bounds, lower_limit=-bounds)
    assert 1 - inside == pytest.approx(0.05, abs=1e-5)


def test_an_unknown_spending_function_is_refused_with_those_that_there_are():
    with pytest.raises(BadInput, match="obrien-fleming, pocock, hwang-shih-decani"):
        spent_by(0.5, spending="bonferroni", alpha=0.05)

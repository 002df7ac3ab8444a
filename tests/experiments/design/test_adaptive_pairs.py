"""Adaptive pairs: the posterior is the one it says, and the order is found with fewer judgements than by chance."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import kendalltau

from experiments.design.adaptive_pairs import expected_information, next_pairs, posterior


def judged(worths, pairs, wins, rng):
    for one, other in pairs:
        p = 1 / (1 + math.exp(worths[other] - worths[one]))
        better, worse = (one, other) if rng.random() < p else (other, one)
        wins[better][worse] += 1


@given(st.integers(0, 1000))
@settings(max_examples=20)
def test_the_mode_and_the_covariances_are_those_of_the_penalised_likelihood(seed):
    """Oracle: scipy's minimiser, and the inverse of a Hessian by differences of its gradient."""
    random_numbers = np.random.default_rng(seed)
    wins = random_numbers.integers(0, 6, (4, 4)).astype(float)
    np.fill_diagonal(wins, 0)

    def cost(worths):
        differences = worths[:, None] - worths[None, :]
        return float(np.sum(wins * np.log1p(np.exp(-differences))) + np.sum(worths**2) / (2 * 2.0**2))

    found = posterior(wins.tolist())
    assert np.allclose(minimize(cost, np.zeros(4), tol=1e-12).x, found.means, atol=1e-4)
    step = 1e-3
    hessian = np.array(
        [
            [
                cost(found.means + a + b)
                - cost(found.means + a - b)
                - cost(found.means - a + b)
                + cost(found.means - a - b)
                for b in step * np.eye(4)
            ]
            for a in step * np.eye(4)
        ]
    ) / (4 * step**2)
    assert np.allclose(np.linalg.inv(hessian), found.covariances, rtol=1e-3, atol=1e-4)


def test_options_that_always_won_have_finite_worths():
    found = posterior([[0, 50, 50], [0, 0, 50], [0, 0, 0]])
    assert found.order == [0, 1, 2]
    assert all(math.isfinite(mean) for mean in found.means)


def test_pairs_that_are_settled_are_not_asked_again():
    wins = [[0, 40, 40, 40], [0, 0, 20, 40], [0, 20, 0, 40], [0, 0, 0, 0]]
    chosen = next_pairs(posterior(wins), 6, rng=random.Random(1))
    assert chosen.count((1, 2)) >= 1
    assert (0, 3) not in chosen


def test_before_anything_is_known_every_option_is_asked_about():
    none = [[0.0] * 6 for _ in range(6)]
    chosen = next_pairs(posterior(none), 15, rng=random.Random(2))
    assert len(set(chosen)) == 15


def test_a_judgement_between_equals_tells_most():
    assert expected_information(0, 1) == 0.25
    assert expected_information(2, 0.1) < expected_information(1, 0.1) < 0.25


@pytest.mark.parametrize("seed", range(3))
def test_half_of_the_judgements_find_the_order_of_ten_options(seed):
    rng = random.Random(seed)
    worths = [0.6 * number for number in range(10)]
    rng.shuffle(worths)
    wins = [[0.0] * 10 for _ in range(10)]
    full = 45 * 12
    while sum(map(sum, wins)) < full // 2:
        judged(worths, next_pairs(posterior(wins), 15, rng=rng), wins, rng)
    assert kendalltau(posterior(wins).means, worths).statistic >= 0.9

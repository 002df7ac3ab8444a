"""Separation by one predictor is known without any programme; Firth's fits are maxima of the penalised likelihood."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize

from analysis.methods.logistic.firth import firth
from analysis.methods.logistic.fit import fit
from tests.selection import EXHAUSTIVE


@settings(max_examples=150 if EXHAUSTIVE else 40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=3, max_size=14))
def test_one_predictor_separates_exactly_where_the_two_ranges_do_not_overlap(rows):
    x = np.array([float(value) for value, _ in rows])
    y = np.array([float(happened) for _, happened in rows])
    assume(0 < y.sum() < len(y))
    assume(len(set(x)) > 1)
    low, high = x[y == 0], x[y == 1]
    gap = max(high.min() - low.max(), low.min() - high.max())
    expected = "complete" if gap > 0 else "quasi" if gap == 0 else "none"
    found = fit(x[:, None], y)
    assert found.separated == expected
    assert np.isfinite(found.b).all() == (expected == "none")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([1e-8, 1.0, 1e8]), st.sampled_from([0.0, 1e4]))
def test_neither_units_nor_origin_of_a_predictor_change_the_fit(seed, unit, origin):
    random = np.random.default_rng(seed)
    X = random.normal(size=(40, 2))
    y = (random.random(40) < 0.5).astype(float)
    assume(0 < y.sum() < 40)
    plain, moved = fit(X, y), fit(np.column_stack([X[:, 0] * unit + origin * unit, X[:, 1]]), y)
    assert moved.separated == plain.separated
    assert moved.deviance == pytest.approx(plain.deviance, rel=1e-8, abs=1e-8)
    if plain.separated == "none":
        assert moved.b[1] * unit == pytest.approx(plain.b[1], rel=1e-6, abs=1e-9)
        assert moved.se[2] == pytest.approx(plain.se[2], rel=1e-6)


def penalised(Z, y, b):
    linear = Z @ b
    p = 1 / (1 + np.exp(-linear))
    information = (Z * (p * (1 - p))[:, None]).T @ Z
    return float(-np.logaddexp(0, np.where(y > 0, -linear, linear)).sum() + np.linalg.slogdet(information)[1] / 2)


@pytest.mark.parametrize("separated", [False, True])
def test_firths_fit_is_the_maximum_of_the_penalised_likelihood_also_with_a_coefficient_held_at_zero(separated):
    random = np.random.default_rng(6)
    Z = np.column_stack([np.ones(30), random.normal(size=(30, 2))])
    y = (Z[:, 1] > 0).astype(float) if separated else (random.random(30) < 0.4).astype(float)
    for free in (np.array([True, True, True]), np.array([True, False, True])):

        def loss(values, free=free):
            b = np.zeros(3)
            b[free] = values
            return -penalised(Z, y, b)

        direct = optimize.minimize(
            loss, np.zeros(free.sum()), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}
        )
        found = firth(Z, y, free=free)
        assert found.log_likelihood == pytest.approx(-direct.fun, abs=1e-8)
        assert found.b[free] == pytest.approx(direct.x, abs=1e-4)
        assert (found.b[~free] == 0).all()


def test_the_limit_of_a_quasi_separated_fit_is_approached_by_ever_larger_coefficients():
    random = np.random.default_rng(9)
    x = random.normal(size=60)
    flag = (random.random(60) < 0.3).astype(float)
    y = np.where(flag == 1, 1.0, (random.random(60) < 0.5).astype(float))
    found = fit(np.column_stack([x, flag]), y)
    assert found.separated == "quasi"
    b = np.nan_to_num(found.b, nan=0.0)
    distances = []
    for size in (2.0, 5.0, 10.0, 20.0):
        linear = b[0] + b[1] * x + size * flag
        distances.append(2 * np.logaddexp(0, np.where(y > 0, -linear, linear)).sum() - found.deviance)
    assert all(later < earlier for earlier, later in pairwise(distances))
    assert distances[-1] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("noise", [1.0, 1e-4, 1e-7])
def test_firths_fit_is_found_also_where_predictors_are_nearly_the_same(noise):
    random = np.random.default_rng(12)
    x = random.normal(size=40)
    Z = np.column_stack([np.ones(40), x, x + noise * random.normal(size=40), random.random(40) < 0.2])
    y = (random.random(40) < 1 / (1 + np.exp(-2 * x))).astype(float)
    whole = firth(Z, y)
    for free in (np.array([True, True, True, True]), np.array([True, True, False, True])):
        found = firth(Z, y, free=free, start=whole.b)
        p = 1 / (1 + np.exp(-Z @ found.b))
        weighted = np.linalg.qr(Z * np.sqrt(p * (1 - p))[:, None])[0]
        residual = y - p + (weighted**2).sum(axis=1) * (0.5 - p)
        assert np.abs(np.linalg.qr(Z[:, free])[0].T @ residual).max() < 1e-7
        assert found.log_likelihood <= whole.log_likelihood + 1e-9
        assert found.log_likelihood > whole.log_likelihood - 10


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(4, 40), st.integers(1, 6), st.booleans())
def test_firths_score_is_zero_where_it_ends_whatever_the_design(seed, rows, columns, binary):
    random = np.random.default_rng(seed)
    X = random.normal(size=(rows, columns)) if not binary else (random.random((rows, columns)) < 0.3).astype(float)
    Z = np.column_stack([np.ones(rows), X])
    assume(np.linalg.matrix_rank(Z) == columns + 1)
    y = (random.random(rows) < 1 / (1 + np.exp(-5 * X[:, 0]))).astype(float)
    p = 1 / (1 + np.exp(-Z @ firth(Z, y).b))
    weighted = np.linalg.qr(Z * np.sqrt(p * (1 - p))[:, None])[0]
    score = np.linalg.qr(Z)[0].T @ (y - p + (weighted**2).sum(axis=1) * (0.5 - p))
    assert np.abs(score).max() < 1e-7

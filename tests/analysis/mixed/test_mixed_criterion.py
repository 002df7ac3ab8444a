"""The criterion against its definition, written out with dense matrices; its derivatives against differences."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.methods.arrays import Floats
from analysis.methods.mixed.design.formula import parse
from analysis.methods.mixed.design.matrices import build
from analysis.methods.mixed.design.variables import read
from analysis.methods.mixed.fitting import curvature, optimise
from analysis.methods.mixed.fitting.crossproducts import prepare
from analysis.methods.mixed.fitting.engine import State, evaluate
from analysis.methods.mixed.method import METHOD
from analysis.methods.registry import run
from tests.selection import EXHAUSTIVE

pytestmark = pytest.mark.slow

FORMULAS = [
    "y ~ a + x + (1 | p)",
    "y ~ a * x + (1 + x | p) + (1 | i)",
    "y ~ a + (1 + a || p) + (1 + x | i) + (1 | h)",
    "y ~ 1 + (0 + a | p) + (x || i)",
    "y ~ 0 + a + (1 | p / h)",
    "y ~ x + (1 + a * x | p) + (1 + a | i)",
]


def data(seed=1, rows=120):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "p": random.integers(0, 9, rows).astype(str),
            "i": random.integers(0, 7, rows).astype(str),
            "h": random.integers(0, 3, rows).astype(str),
            "a": random.choice(["u", "v", "w"], rows),
            "x": random.normal(5, 3, rows),
            "y": random.normal(100, 20, rows),
        }
    )


def prepared_for(formula, frame, contrasts="treatment"):
    parsed = parse(formula)
    return prepare(build(parsed, read(frame, parsed), contrasts=contrasts))


def theta_for(prepared, seed=3):
    places = curvature.places(prepared.groups)
    random = np.random.default_rng(seed)
    return places, np.array([random.uniform(0.1, 0.8) if p.diagonal else random.normal(0, 0.3) for p in places])


def factors(prepared, places, theta):
    made = tuple(np.zeros((len(group.names), len(group.names))) for group in prepared.groups)
    for place, value in zip(places, theta, strict=True):
        made[place.group][place.row, place.column] = value
    return made


def dense_criterion(prepared, lambdas, frame, formula, *, reml):
    """−2 log likelihood maximised over β and σ, from the n × n covariance matrix."""
    parsed = parse(formula)
    design = build(parsed, read(frame, parsed), contrasts="treatment")
    X, y = design.fixed.values, design.y
    V = np.eye(len(y))
    for group, factor, scale in zip(prepared.groups, lambdas, prepared.scales, strict=True):
        covariance = (factor @ factor.T) / np.outer(scale, scale)
        same = group.index[:, None] == group.index[None, :]
        V += same * (group.columns @ covariance @ group.columns.T)
    inverse = np.linalg.inv(V)
    information = X.T @ inverse @ X
    residual = y - X @ np.linalg.solve(information, X.T @ inverse @ y)
    df = len(y) - (X.shape[1] if reml else 0)
    r2 = residual @ inverse @ residual
    value = np.linalg.slogdet(V)[1] + df * (1 + np.log(2 * np.pi * r2 / df))
    return value + (np.linalg.slogdet(information)[1] if reml else 0)


@pytest.mark.parametrize("reml", [True, False])
@pytest.mark.parametrize("formula", FORMULAS)
def test_the_criterion_is_the_likelihood_of_the_dense_model(formula, reml):
    frame = data()
    prepared = prepared_for(formula, frame)
    places, theta = theta_for(prepared)
    lambdas = factors(prepared, places, theta)
    found = evaluate(prepared, lambdas, reml=reml).criterion + prepared.constant(reml=reml)
    assert found == pytest.approx(dense_criterion(prepared, lambdas, frame, formula, reml=reml), rel=1e-11)


def state_at(search: optimise._Search, theta: Floats) -> State:
    state = search.at(theta)
    assert state is not None
    return state


@pytest.mark.parametrize("reml", [True, False])
@pytest.mark.parametrize("formula", FORMULAS)
def test_gradient_and_hessian_are_the_differences_of_the_criterion(formula, reml):
    prepared = prepared_for(formula, data())
    places, theta = theta_for(prepared)
    search = optimise._Search(prepared, reml, lambda count: None)
    state = state_at(search, theta)
    derived = search.derived(state)
    value, gradient = search.gradient(theta)
    exact = curvature.hessian(prepared, state, derived, places, sigma=0.9, reml=reml)
    step = 1e-5
    for k in range(len(theta)):
        move = np.zeros(len(theta))
        move[k] = step
        up, down = state_at(search, theta + move).criterion, state_at(search, theta - move).criterion
        assert gradient[k] == pytest.approx((up - down) / (2 * step), rel=1e-5, abs=1e-4)
        row = (
            search.gradient(theta + move, weight=1 / 0.81)[1] - search.gradient(theta - move, weight=1 / 0.81)[1]
        ) / (2 * step)
        np.testing.assert_allclose(exact[k], row, rtol=1e-5, atol=1e-5 * np.abs(exact).max())
    assert np.isfinite(value)


@pytest.mark.parametrize("reml", [True, False])
@pytest.mark.parametrize("formula", FORMULAS)
def test_a_hessian_without_the_blocks_of_the_largest_group_is_the_hessian(formula, reml, monkeypatch):
    prepared = prepared_for(formula, data())
    places, theta = theta_for(prepared)
    search = optimise._Search(prepared, reml, lambda count: None)
    state = state_at(search, theta)
    made = []
    for many in (0, np.inf):
        monkeypatch.setattr(curvature, "MANY", many)
        monkeypatch.setattr(curvature, "LARGE", many)
        made.append(curvature.hessian(prepared, state, search.derived(state), places, sigma=0.9, reml=reml))
    np.testing.assert_allclose(made[0], made[1], rtol=1e-9, atol=1e-9 * np.abs(made[1]).max())


def test_a_hessian_in_pieces_is_the_hessian(monkeypatch):
    prepared = prepared_for("y ~ a + (1 + x | p) + (1 + a | i)", data())
    places, theta = theta_for(prepared)
    search = optimise._Search(prepared, True, lambda count: None)
    state = state_at(search, theta)
    whole = curvature.hessian(prepared, state, search.derived(state), places, sigma=1.0, reml=True)
    monkeypatch.setattr(curvature, "CHUNK", 1)
    pieces = curvature.hessian(prepared, state, search.derived(state), places, sigma=1.0, reml=True)
    np.testing.assert_allclose(whole, pieces, rtol=1e-9, atol=1e-9)


def test_a_zero_that_is_no_minimum_is_left():
    random = np.random.default_rng(5)
    g = np.repeat(np.arange(30), 10)
    x = np.tile(np.linspace(-1, 1, 10), 30)
    y = random.normal(0, 1, 30)[g] + random.normal(0, 1, 30)[g] * x + random.normal(0, 0.5, 300)
    frame = pd.DataFrame({"g": g.astype(str), "x": x, "y": y})
    prepared = prepared_for("y ~ x + (x || g)", frame)
    search = optimise._Search(prepared, True, lambda count: None)
    stuck = search.refined(np.array([0.5, 0.0]))
    assert stuck.theta[1] == 0
    assert not stuck.converged
    left = search.escape(stuck)
    assert left is not None
    better = search.refined(search.approached(left))
    assert better.converged
    assert better.theta[1] > 0.5
    assert better.state.criterion < stuck.state.criterion - 10


@settings(max_examples=15 if EXHAUSTIVE else 5, deadline=None)
@given(seed=st.integers(0, 10_000), shift=st.floats(-1e4, 1e4), scale=st.floats(0.01, 1e3))
def test_units_and_order_of_rows_change_nothing_that_is_tested(seed, shift, scale):
    frame = data(seed % 7, rows=90)
    formula = {"formula": "y ~ a * x + (1 | p) + (1 | i)", "contrasts": "sum"}
    plain = run(METHOD, frame, formula)
    shuffled = frame.sample(frac=1, random_state=seed).assign(y=lambda f: f["y"] * scale + shift)
    moved = run(METHOD, shuffled, formula)
    for table, columns in (("fixed", ["t", "df", "p"]), ("anova", ["f", "df2", "p"])):
        first, second = (report.table(table).frame()[columns].to_numpy(float) for report in (plain, moved))
        skip = 1 if table == "fixed" else 0  # the intercept moves with the measure
        np.testing.assert_allclose(first[skip:], second[skip:], rtol=2e-3, atol=1e-6)

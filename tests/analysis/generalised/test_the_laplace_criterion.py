"""The Laplace criterion against its definition with dense matrices, and its gradient against differences."""

import numpy as np
import pytest
from scipy import optimize, special

from analysis.methods.arrays import Floats
from analysis.methods.generalised.fitting.blocks import Grouping, Problem
from analysis.methods.generalised.fitting.laplace import Mode, mode, slopes
from analysis.methods.generalised.likelihoods.answers import Binomial, Cumulative, Likelihood
from analysis.methods.generalised.likelihoods.counts import NegativeBinomial, Poisson
from analysis.methods.generalised.likelihoods.times import Times

pytestmark = pytest.mark.slow

ROWS = 220


def data():
    random = np.random.default_rng(1)
    first, second, third = random.integers(0, 14, ROWS), random.integers(0, 6, ROWS), random.integers(0, 4, ROWS)
    x = random.normal(size=ROWS)
    both = np.column_stack([np.ones(ROWS), x])
    eta = 0.3 + 0.5 * x + random.normal(size=14)[first] + random.normal(size=6)[second] * x
    groups = (Grouping(first, both, 14), Grouping(second, both, 6), Grouping(third, np.ones((ROWS, 1)), 4))
    return eta, x, groups, random


def problems():
    made = []
    eta, x, groups, random = data()
    happened = (random.random(ROWS) < special.expit(eta)).astype(float)
    trials = random.integers(1, 6, ROWS).astype(float)
    category = np.digitize(eta + random.logistic(size=ROWS), [-1, 0, 2]).astype(np.intp)
    number, exposure = random.negative_binomial(2.0, 2 / (2 + np.exp(eta))).astype(float), random.normal(0, 0.2, ROWS)
    lasted = np.exp(eta) * random.gamma(8, 1 / 8, ROWS)
    likelihoods: dict[str, tuple[Likelihood, int]] = {
        "binary": (Binomial(happened, np.ones(ROWS)), 0),
        "counts": (Binomial(np.minimum(trials, 2), trials), 0),
        "ordered": (Cumulative(category, 4), 3),
        "with effects per threshold": (Cumulative(category, 4, x[:, None]), 5),
        "Poisson": (Poisson(number, exposure), 0),
        "negative binomial": (NegativeBinomial(number, exposure), -1),
        "gamma, log": (Times(lasted, "gamma", "log"), -1),
        "inverse Gaussian, log": (Times(lasted, "inverse-gaussian", "log"), -1),
        "gamma, identity": (Times(lasted + 20, "gamma", "identity", unit=3.0), -2),
        "inverse Gaussian, identity": (Times(lasted + 20, "inverse-gaussian", "identity", unit=3.0), -2),
    }
    for name, (likelihood, extra) in likelihoods.items():
        for count in (3, 2, 1, 0):
            X = np.column_stack([np.ones(ROWS), x]) if extra <= 0 else x[:, None]
            made.append(pytest.param(Problem(likelihood, X, groups[:count]), extra, id=f"{name}, {count} groups"))
    return made


def lambdas(values, count):
    a, b, c, d, e, f, g = values
    return (np.array([[a, 0], [b, c]]), np.array([[d, 0], [e, f]]), np.array([[g]]))[:count]


def mode_of(problem: Problem, factors: tuple[Floats, ...], beta: Floats, tau: Floats) -> Mode:
    found = mode(problem, factors, beta, tau)
    assert found is not None
    return found


def point(problem, extra):
    theta = np.array([0.8, 0.2, 0.5, 0.4, -0.1, 0.3, 0.6])
    if extra < 0:  # one parameter beside the mean; means of times with an identity link are far from zero
        return theta, np.array([0.2 + 20 * (extra == -2), 0.4]), np.array([0.7 + 3 * (extra == -2)])
    return theta, np.array([0.2, 0.4])[: problem.X.shape[1]], np.array([-1.0, 0.2, 1.5, 0.1, -0.1])[:extra]


@pytest.mark.parametrize(("problem", "extra"), problems())
def test_the_criterion_is_the_laplace_approximation_with_dense_matrices(problem, extra):
    theta, beta, tau = point(problem, extra)
    factors = lambdas(theta, len(problem.groupings))
    found = mode_of(problem, factors, beta, tau)
    columns = []
    for group, factor in zip(problem.groupings, factors, strict=True):
        Z = np.zeros((ROWS, group.levels * group.width))
        for row in range(ROWS):
            start = group.index[row] * group.width
            Z[row, start : start + group.width] = group.columns[row] @ factor
        columns.append(Z)
    Z = np.hstack(columns) if columns else np.zeros((ROWS, 0))

    def deviance(u):
        made = problem.likelihood.at(problem.X @ beta + Z @ u, tau)
        return -2 * made.value + u @ u, 2 * u - 2 * Z.T @ made.slope

    u = np.zeros(Z.shape[1])
    if Z.shape[1]:
        u = optimize.minimize(deviance, u, jac=True, method="BFGS", options={"maxiter": 2000}).x
    for _ in range(3):
        made = problem.likelihood.at(problem.X @ beta + Z @ u, tau)
        u = u - np.linalg.solve(2 * np.eye(len(u)) + 2 * Z.T @ (made.weight[:, None] * Z), deviance(u)[1])
    weight = problem.likelihood.at(problem.X @ beta + Z @ u, tau).weight
    expected = deviance(u)[0] + np.linalg.slogdet(np.eye(Z.shape[1]) + Z.T @ (weight[:, None] * Z))[1]
    assert found.criterion == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("problem", "extra"), problems())
def test_the_gradient_is_that_of_differences(problem, extra):
    theta, beta, tau = point(problem, extra)
    count, k = len(problem.groupings), len(beta)

    def criterion(values):
        return mode_of(problem, lambdas(values[:7], count), values[7 : 7 + k], values[7 + k :]).criterion

    found = mode_of(problem, lambdas(theta, count), beta, tau)
    made = slopes(problem, found)
    by_group = [2 * gamma @ factor for gamma, factor in zip(made.gammas, found.lambdas, strict=True)]
    by_theta = [s[place] for s in by_group[:2] for place in ((0, 0), (1, 0), (1, 1))] + [s[0, 0] for s in by_group[2:]]
    expected = np.concatenate([by_theta, np.zeros(7 - len(by_theta)), made.beta, made.extra])
    values = np.concatenate([theta, beta, tau])
    steps = 1e-5 * np.eye(len(values))
    differences = [(criterion(values + step) - criterion(values - step)) / 2e-5 for step in steps]
    assert expected == pytest.approx(np.array(differences), abs=2e-6)


@pytest.mark.parametrize("problem", [problems()[0].values[0]])
def test_where_a_variance_is_zero_its_derivative_still_says_whether_it_should_be(problem):
    _, beta, tau = point(problem, 0)
    zero = lambdas(np.zeros(7), 3)
    gamma = slopes(problem, mode_of(problem, zero, beta, tau)).gammas[0]
    small = (np.diag([1e-3, 0.0]), *zero[1:])
    difference = mode_of(problem, small, beta, tau).criterion - mode_of(problem, zero, beta, tau).criterion
    assert difference / 1e-6 == pytest.approx(gamma[0, 0], rel=1e-3)

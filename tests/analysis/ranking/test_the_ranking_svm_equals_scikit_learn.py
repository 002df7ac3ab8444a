"""Oracle: `LinearSVC` of scikit-learn without intercept, on the differences and their negatives with half the C."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from analysis.methods.ranking.svm import fit


def differences(seed: int, pairs: int, features: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    truth = random.normal(size=features)
    found = random.normal(size=(pairs, features)) * random.uniform(0.2, 3, size=features)
    return found * np.sign(found @ truth + random.normal(size=pairs))[:, None]


@pytest.mark.parametrize("c", [0.001, 1.0, 30.0])
@pytest.mark.parametrize(("pairs", "features"), [(40, 3), (400, 20), (30, 60)])
def test_weights_are_those_of_scikit_learn(c: float, pairs: int, features: int) -> None:
    better = differences(1, pairs, features)
    both, sides = np.vstack([better, -better]), np.repeat([1, -1], pairs)
    reference = LinearSVC(C=c / 2, fit_intercept=False, dual=False, tol=1e-10, max_iter=100_000).fit(both, sides)
    assert fit(better, c=c) == pytest.approx(reference.coef_[0], abs=1e-5, rel=1e-5)


def test_the_start_does_not_matter() -> None:
    better = differences(2, 300, 8)
    far = np.full(8, 50.0)
    assert fit(better, c=1.0, start=far) == pytest.approx(fit(better, c=1.0), abs=1e-7)


def test_without_pairs_there_are_no_weights() -> None:
    assert fit(np.empty((0, 3)), c=1.0).tolist() == [0.0, 0.0, 0.0]


def test_features_that_are_there_twice_share_their_weight() -> None:
    single = differences(3, 100, 1)
    weights = fit(np.hstack([single, single]), c=1.0)
    assert weights[0] == pytest.approx(weights[1])

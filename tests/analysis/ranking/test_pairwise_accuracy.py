"""Accuracy at input and at system level on numbers small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.methods.ranking.accuracies import Ratings, input_level, interval, resampled, system_level
from analysis.methods.ranking.folding import pairs_of

ITEMS = np.array([0, 0, 0, 1, 1, 1])
SYSTEMS = np.array([0, 1, 2, 0, 1, 2])
FOLDS = [np.array([0]), np.array([1])]


def ratings(values: list[float], folds: list[np.ndarray] = FOLDS) -> Ratings:
    numbers = np.array(values)
    return Ratings(ITEMS, SYSTEMS, numbers, pairs_of(ITEMS, numbers), folds)


def draws(folds: list[np.ndarray], number: int = 30) -> list[np.ndarray]:
    return resampled(folds, number, np.random.default_rng(1))


def test_input_level_is_the_mean_over_folds_of_pairs_in_the_right_order() -> None:
    # Fold 1: 3 > 2 > 1, two of three pairs right. Fold 2: one tie; 5 > 4 twice, one right.
    data = ratings([1, 2, 3, 4, 4, 5])
    found = input_level(data, np.array([2.0, 1, 3, 9, 1, 5]), draws(FOLDS))
    assert found.value == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert (found.pairs, found.tied) == (5, 1)


def test_equal_predictions_count_a_half() -> None:
    data = ratings([1, 2, 3, 1, 2, 3])
    assert input_level(data, np.zeros(6), draws(FOLDS)).value == 0.5
    assert system_level(data, np.zeros(6), draws(FOLDS)).value == 0.5


def test_system_level_compares_means_over_the_inputs_of_a_fold() -> None:
    together = [np.array([0, 1])]
    # Mean ratings 2, 3, 3 (a tie); mean predictions 5, 6, 4: of two pairs one is right.
    data = ratings([1, 2, 4, 3, 4, 2], together)
    found = system_level(data, np.array([5.0, 6, 4, 5, 6, 4]), draws(together))
    assert found.value == 0.5
    assert (found.pairs, found.tied) == (2, 1)


def test_means_that_are_equal_on_paper_are_ties() -> None:
    together = [np.array([0, 1])]
    data = ratings([0.1, 0.2, 0.9, 0.2, 0.1, 0.9], together)
    assert system_level(data, np.arange(6.0), draws(together)).tied == 1


def test_perfect_predictions_stay_perfect_in_every_draw() -> None:
    data = ratings([1, 2, 3, 4, 6, 5])
    found = input_level(data, data.ratings, draws(FOLDS))
    assert found.draws.tolist() == [1.0] * 30
    assert interval(found.value, found.draws, 0.95) == (1.0, 1.0)


def test_draws_keep_the_number_of_inputs() -> None:
    folds = [np.arange(7), np.arange(7, 12)]
    weights = draws(folds)
    assert [one.shape for one in weights] == [(30, 7), (30, 5)]
    assert set(np.hstack(weights).sum(axis=1)) == {12.0}


@pytest.mark.parametrize("number", [1, 5, 100])
def test_the_interval_of_an_accuracy_covers_its_standard_error(number: int) -> None:
    """100 inputs with one pair each, 70 right: the standard error is √(.7 · .3 / 100) = .046, in whatever folds."""
    items = np.repeat(np.arange(100), 2)
    values = np.tile([1.0, 2.0], 100)
    folds = [np.arange(start, 100, number) for start in range(number)]
    data = Ratings(items, np.tile([0, 1], 100), values, pairs_of(items, values), folds)
    scores = np.where(items < 70, values, -values)
    found = input_level(data, scores, resampled(folds, 4000, np.random.default_rng(2)))
    low, high = interval(found.value, found.draws, 0.95)
    assert low is not None
    assert high is not None
    assert (high - low) / 2 / 1.96 == pytest.approx(0.0458, abs=0.003)


def test_a_fold_in_which_all_ratings_tie_has_no_part() -> None:
    data = ratings([1, 2, 3, 4, 4, 4])
    scores = np.array([1.0, 2, 3, 9, 1, 5])
    assert input_level(data, scores, draws(FOLDS)).value == 1
    assert system_level(data, scores, draws(FOLDS)).value == 1
    none = ratings([4.0] * 6)
    assert np.isnan(input_level(none, scores, draws(FOLDS)).value)


def test_a_system_with_more_texts_has_no_larger_mean_for_that() -> None:
    """System 0 has one text, rated 5, system 1 two, rated 3 each."""
    items, systems, values = np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([5.0, 3, 3])
    together = [np.array([0, 1])]
    data = Ratings(items, systems, values, pairs_of(items, values), together)
    assert system_level(data, np.array([10.0, 1, 1]), draws(together)).value == 1
    assert system_level(data, np.array([1.5, 1, 1]), draws(together)).value == 1
    assert system_level(data, np.array([0.5, 1, 1]), draws(together)).value == 0


def test_few_draws_and_no_accuracy_have_no_interval() -> None:
    assert interval(0.5, np.linspace(0.4, 0.6, 19), 0.95) == (None, None)
    assert interval(0.5, np.append(np.linspace(0.4, 0.6, 19), np.nan), 0.95) == (None, None)
    assert interval(float("nan"), np.linspace(0.4, 0.6, 100), 0.95) == (None, None)
    low, high = interval(0.5, np.tile([0.4, 0.6], 50), 0.95)
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.1005, 0.5 + 1.96 * 0.1005), abs=1e-3)

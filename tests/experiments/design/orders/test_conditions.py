"""Orders of the conditions of one item: balanced over places, whatever their numbers."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.design.orders.conditions import balanced_orders


@given(st.integers(0, 30), st.integers(1, 8), st.integers(0, 1_000))
def test_every_order_holds_every_condition_once(n, k, seed):
    orders = balanced_orders(n, k, rng=random.Random(seed))
    assert len(orders) == n
    assert all(sorted(order) == list(range(k)) for order in orders)


@given(st.integers(1, 6), st.integers(1, 8), st.integers(0, 1_000))
def test_over_whole_squares_every_condition_stands_equally_often_at_every_place(squares, k, seed):
    orders = balanced_orders(squares * k, k, rng=random.Random(seed))
    for place in range(k):
        assert set(Counter(order[place] for order in orders).values()) == {squares}


@given(st.integers(0, 30), st.integers(1, 8), st.integers(0, 1_000))
def test_over_any_number_of_items_the_places_of_a_condition_differ_by_one_at_most(n, k, seed):
    orders = balanced_orders(n, k, rng=random.Random(seed))
    for place in range(k):
        times = Counter(dict.fromkeys(range(k), 0))
        times.update(order[place] for order in orders)
        assert max(times.values()) - min(times.values()) <= 1


def test_orders_are_made_again_from_the_same_seed_and_differ_with_another():
    def first(seed):
        return balanced_orders(12, 4, rng=random.Random(seed))

    assert first(3) == first(3)
    assert first(3) != first(4)


@pytest.mark.parametrize(("n", "k"), [(-1, 2), (3, 0)])
def test_impossible_numbers_are_refused(n, k):
    with pytest.raises(ValueError):
        balanced_orders(n, k, rng=random.Random(1))

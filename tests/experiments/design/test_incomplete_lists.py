"""Lists of incomplete designs: every item once, texts equally often, conditions and levels balanced."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.design import latin_square
from experiments.design.estimability import connected, efficiency, independent_effects
from experiments.design.incomplete_blocks import blocks
from experiments.design.incomplete_blocks import efficiency as of_blocks
from experiments.design.incomplete_lists import MOST_LISTS, lists, number_of_lists

CONDITIONS = 6


def crossed(rows, columns):
    """Conditions of two crossed factors, by their levels."""
    places = range(rows * columns)
    return [
        *([place for place in places if place // columns == level] for level in range(rows)),
        *([place for place in places if place % columns == level] for level in range(columns)),
    ]


def uneven(cells, shown, groups):
    """By how much more than one the frequencies of groups differ between lists, summed over groups."""
    counts = [Counter(own[place] for own, place in zip(cells, of, strict=True)) for of in shown]
    of_groups = [[sum(count[one] for one in group) for count in counts] for group in groups]
    return sum(max(0, max(of) - min(of) - 1) for of in of_groups)


def cells_of(sizes, items=14):
    one = st.lists(st.integers(0, CONDITIONS - 1), min_size=min(sizes), max_size=max(sizes), unique=True)
    return st.lists(one.map(tuple), min_size=1, max_size=items)


@given(cells_of((1, 4)))
def test_every_item_once_every_text_equally_often_and_conditions_within_one(cells):
    n_lists = number_of_lists(map(len, cells))
    shown = lists(cells, n_lists, crossed(2, 3))
    assert all(len(of) == len(cells) for of in shown)
    for item, own in enumerate(cells):
        times = Counter(of[item] for of in shown)
        assert times == dict.fromkeys(range(len(own)), n_lists // len(own))
    assert uneven(cells, shown, [[condition] for condition in range(CONDITIONS)]) == 0
    assert shown == lists(cells, n_lists, crossed(2, 3))


@given(cells_of((2, 2), items=8), st.sampled_from([(2, 3), (3, 2), (6, 1)]))
@settings(max_examples=40)
def test_levels_of_pairs_are_within_one_wherever_any_lists_are(cells, shape):
    """Against all ways to orient the pairs."""
    groups, conditions = crossed(*shape), [[condition] for condition in range(CONDITIONS)]
    ways = ([list(way), [1 - place for place in way]] for way in product((0, 1), repeat=len(cells)))
    best = min(uneven(cells, way, groups) for way in ways if uneven(cells, way, conditions) == 0)
    assert uneven(cells, lists(cells, 2, groups), groups) == best


@given(st.integers(1, 30), st.integers(1, 6))
def test_of_complete_items_they_are_the_latin_square(n_items, k):
    assert lists([tuple(range(k))] * n_items, k) == latin_square.lists(n_items, k)


def test_too_many_lists_are_not_made_and_texts_are_then_within_one():
    cells = [(0, 1), (0, 1, 2), (0, 1, 2, 3, 4), (1, 2, 3, 4, 5, 0, 6)] * 3
    n_lists = number_of_lists(map(len, cells))
    assert n_lists == 7 < MOST_LISTS
    shown = lists(cells, n_lists)
    for item, own in enumerate(cells):
        times = Counter(of[item] for of in shown)
        assert set(times.values()) <= {7 // len(own), -(-7 // len(own))}
    assert uneven(cells, shown, [[condition] for condition in range(7)]) == 0


@given(cells_of((1, 4)))
def test_the_efficiency_factor_is_what_linear_algebra_says(cells):
    """The variance of estimates of least squares with an effect of every item, against numpy."""
    complete = actual = 0.0
    for group in connected(cells):
        own = sorted({condition for item in group for condition in item})
        indicators = np.array([[condition in item for condition in own] for item in group], dtype=float)
        sizes = indicators.sum(axis=1)
        information = np.diag((indicators / sizes[:, None]).sum(axis=0)) - (
            (indicators / sizes[:, None] ** 2).T @ indicators
        )
        assert np.linalg.matrix_rank(information) == len(own) - 1
        actual += np.trace(np.linalg.pinv(information))
        complete += (len(own) - 1) * len(own) / len(group)
    assert efficiency(cells) == pytest.approx(complete / actual if actual > 1e-9 else 1.0)


@pytest.mark.parametrize(("n", "size"), [(3, 2), (7, 3), (6, 3), (8, 2)])
def test_balanced_blocks_have_the_efficiency_of_the_textbook(n, size):
    assert efficiency(blocks(n, size)) == pytest.approx(of_blocks(n, blocks(n, size)))


@given(
    st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=2, max_size=18, unique=True),
)
def test_effects_that_are_kept_can_be_estimated(combinations):
    conditions = [dict(zip("abc", levels, strict=True)) for levels in combinations]
    effects = independent_effects("abc", conditions)
    columns = [np.ones(len(conditions))]
    for effect in effects:
        coded = [np.ones(len(conditions))]
        for name in effect:
            levels = sorted({one[name] for one in conditions})
            own = [np.array([float(one[name] == level) for one in conditions]) for level in levels[1:]]
            coded = [a * b for a in coded for b in own]
        columns += coded
    assert np.linalg.matrix_rank(np.array(columns)) == len(columns)

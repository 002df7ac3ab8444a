"""The Latin square has its properties for every number of items and conditions."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.design.latin_square import is_balanced, lists

sizes = {"n": st.integers(0, 200), "k": st.integers(1, 40)}


@given(**sizes)
def test_there_is_one_list_per_condition_and_each_shows_each_item_once(n, k):
    square = lists(n, k)
    assert len(square) == k
    assert all(len(row) == n for row in square)
    assert all(0 <= condition < k for row in square for condition in row)


@given(**sizes)
def test_over_all_lists_each_item_appears_in_each_condition_once(n, k):
    square = lists(n, k)
    for item in range(n):
        assert sorted(row[item] for row in square) == list(range(k))


@given(**sizes)
def test_within_a_list_conditions_differ_in_frequency_by_at_most_one(n, k):
    for row in lists(n, k):
        counts = Counter(dict.fromkeys(range(k), 0))
        counts.update(row)
        assert max(counts.values()) - min(counts.values()) <= (0 if is_balanced(n, k) else 1)


@given(**sizes)
def test_item_i_in_list_g_shows_condition_i_plus_g_modulo_k(n, k):
    assert lists(n, k) == [[(i + g) % k for i in range(n)] for g in range(k)]


def test_the_paper_has_eight_lists_with_eighteen_items_in_each_condition():
    for row in lists(144, 8):
        assert set(Counter(row).values()) == {18}


@pytest.mark.parametrize(("n", "k"), [(-1, 2), (4, 0), (4, -3)])
def test_an_impossible_size_is_refused(n, k):
    with pytest.raises(ValueError):
        lists(n, k)

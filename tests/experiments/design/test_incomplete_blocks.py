"""Blocks of conditions: balanced where they can be, as few as are found, and as efficient as their factor says."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.design.incomplete_blocks import MOST_BLOCKS, blocks, efficiency, is_balanced, meetings, pairs


@given(st.integers(2, 20))
def test_all_pairs_come_once(n):
    assert sorted(tuple(sorted(pair)) for pair in pairs(n)) == list(combinations(range(n), 2))


@given(st.integers(2, 20))
def test_every_condition_stands_about_equally_often_on_either_side(n):
    firsts = [first for first, _ in pairs(n)]
    for condition in range(n):
        assert abs(2 * firsts.count(condition) - (n - 1)) <= 1


@given(st.integers(3, 13), st.data())
def test_blocks_hold_so_many_different_conditions_and_each_equally_often(n, data):
    size = data.draw(st.integers(2, min(n, 7)))
    made = blocks(n, size)
    assert all(len(set(block)) == size and set(block) <= set(range(n)) for block in made)
    assert len({meetings(n, made)[condition][condition] for condition in range(n)}) == 1
    assert len(made) <= max(MOST_BLOCKS, n * (n - 1) // 2)


@pytest.mark.parametrize(
    ("n", "size", "number"),
    [(4, 3, 4), (5, 3, 10), (5, 4, 5), (6, 3, 10), (7, 3, 7), (7, 4, 7), (8, 4, 14), (13, 4, 13)],
)
def test_balanced_designs_of_the_tables_are_found(n, size, number):
    made = blocks(n, size)
    assert is_balanced(n, made)
    assert len(made) == number


@given(st.integers(3, 11), st.data())
def test_the_efficiency_factor_is_that_of_the_information_matrix(n, data):
    """Oracle: eigenvalues of r I − N Nᵀ / k (numpy), harmonic mean of what they are beside r."""
    size = data.draw(st.integers(2, n))
    made = blocks(n, size)
    incidence = np.zeros((n, len(made)))
    for number, block in enumerate(made):
        incidence[list(block), number] = 1
    r = incidence.sum(axis=1)[0]
    eigenvalues = np.sort(np.linalg.eigvalsh(r * np.eye(n) - incidence @ incidence.T / size))[1:] / r
    assert math.isclose(efficiency(n, made), (n - 1) / np.sum(1 / eigenvalues), rel_tol=1e-9)
    if is_balanced(n, made):
        assert math.isclose(efficiency(n, made), n * (size - 1) / ((n - 1) * size), rel_tol=1e-9)


def test_what_cannot_be_balanced_with_so_few_blocks_is_still_efficient():
    made = blocks(16, 5)
    assert not is_balanced(16, made)
    assert len(made) == 16
    assert 0.8 < efficiency(16, made) < 16 * 4 / (15 * 5)


def test_nothing_is_compared_with_itself():
    with pytest.raises(ValueError, match="no two can be compared"):
        pairs(1)
    with pytest.raises(ValueError, match="Blocks of 4 cannot be made of 3"):
        blocks(3, 4)
    with pytest.raises(ValueError, match="neither balanced nor cyclic"):
        efficiency(4, [(0, 1), (1, 2), (2, 3)])

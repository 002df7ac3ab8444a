"""What lists show together: every block of every item at every place equally often, over lists and within them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.design.together import MOST_LISTS, together_design, turned

sizes = st.tuples(st.integers(2, 6), st.integers(2, 6)).filter(lambda drawn: drawn[1] <= drawn[0])


def whole(design, n_items):
    """Return (item, block in its places) over all lists."""
    return Counter(
        (item, block)
        for index in range(design.n_lists)
        for item, shown in enumerate(design.shown(n_items, index))
        for block in shown
    )


@given(sizes, st.integers(1, 30), st.data())
def test_over_all_lists_every_item_is_in_every_block_at_every_turn_equally_often(drawn, n_items, data):
    n, size = drawn
    number = len(together_design(n, size=size).blocks)
    per_item = data.draw(st.integers(1, number))
    design = together_design(n, size=size, per_item=per_item)
    if not design.is_exact:
        return
    found = whole(design, n_items)
    turns = {turned(block, by) for block in design.blocks for by in range(size)}
    assert set(found) == {(item, turn) for item in range(n_items) for turn in turns}
    assert set(found.values()) == {1 if design.shows_all else per_item}


@given(sizes, st.integers(1, 40), st.integers(0, 10_000))
def test_within_a_list_blocks_and_their_turns_differ_by_one_at_most(drawn, n_items, list_number):
    n, size = drawn
    design = together_design(n, size=size)
    shown = [block for (block,) in design.shown(n_items, list_number % design.n_lists)]
    blocks = Counter(frozenset(block) for block in shown)
    counts = [blocks[frozenset(block)] for block in design.blocks]
    assert max(counts) - min(counts) <= 1
    turns = Counter(shown)
    for block in design.blocks:
        of_block = [turns[turned(block, by)] for by in range(size)]
        assert max(of_block) - min(of_block) <= 1


@given(st.integers(2, 8), st.integers(1, 60), st.integers(0, 10_000))
def test_in_a_list_of_pairs_every_condition_stands_about_equally_often_on_both_sides(n, n_items, list_number):
    design = together_design(n, size=2)
    shown = [pair for (pair,) in design.shown(n_items, list_number % design.n_lists)]
    for condition in range(n):
        left = sum(first == condition for first, _ in shown)
        right = sum(second == condition for _, second in shown)
        assert abs(left - right) <= 2


@given(sizes, st.integers(1, 20), st.data())
def test_an_item_is_never_shown_in_the_same_block_twice(drawn, n_items, data):
    n, size = drawn
    number = len(together_design(n, size=size).blocks)
    design = together_design(n, size=size, per_item=data.draw(st.integers(1, number)))
    for shown in design.shown(n_items, data.draw(st.integers(0, design.n_lists - 1))):
        assert len({frozenset(block) for block in shown}) == design.per_item


@given(st.integers(2, 6), st.integers(1, 20))
def test_all_pairs_are_all_pairs_in_every_list_with_the_sides_exchanged_in_the_other(n, n_items):
    design = together_design(n, size=2, every=True)
    one, other = (design.shown(n_items, index) for index in (0, 1))
    assert design.n_lists == 2
    for shown, exchanged in zip(one, other, strict=True):
        assert [pair[::-1] for pair in shown] == exchanged
        assert len({frozenset(pair) for pair in shown}) == n * (n - 1) // 2


def test_of_many_conditions_the_lists_are_spread_over_the_square():
    design = together_design(14, size=2)
    assert (len(design.blocks), design.n_lists, design.is_exact) == (91, MOST_LISTS, False)
    found = whole(design, 100)
    assert max(found.values()) == 1
    pairs = Counter(frozenset(pair) for (_item, pair), _ in found.items())
    assert max(pairs.values()) - min(pairs.values()) <= 8
    assert min(pairs.values()) >= 60


def test_what_cannot_be_shown_is_refused():
    with pytest.raises(ValueError, match="has 3 blocks and cannot be shown in 4"):
        together_design(3, size=2, per_item=4)
    with pytest.raises(ValueError, match="no list 6; there are 6"):
        together_design(3, size=2).shown(4, 6)
    with pytest.raises(ValueError, match="decided when it begins"):
        together_design(3, size=2, is_adaptive=True).shown(4, 0)

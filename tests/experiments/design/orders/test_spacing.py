"""Where an item comes several times in a session, its texts do not follow each other directly."""

import random
from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.design.orders.randomised import OrderRules, order
from experiments.design.orders.spacing import neighbours
from experiments.procedure.arranging import complete_procedure
from experiments.procedure.sessions import plan_session, study_snapshot
from experiments.study.lifecycle import save_procedure

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Text:
    item: int
    condition: str | None
    is_filler: bool = False
    is_practice: bool = False


def within(n_items, n_conditions, fillers=0):
    texts = [Text(item, chr(97 + c)) for item in range(n_items) for c in range(n_conditions)]
    return texts + [Text(100 + number, None, is_filler=True) for number in range(fillers)]


def ordered(texts, rules=None, *, seed=0):
    return order(texts, rules or OrderRules(), rng=random.Random(seed), item=lambda text: text.item)


def targets(texts):
    return [text for text in texts if not text.is_filler]


@given(st.integers(2, 12), st.integers(2, 6), st.integers(0, 6), st.integers(0, 10_000))
def test_two_texts_of_an_item_never_follow_each_other(n, k, fillers, seed):
    texts = within(n, k, fillers)
    found = ordered(texts, seed=seed)
    assert Counter(found) == Counter(texts)
    assert neighbours(targets(found), lambda text: text.item) == []


@given(
    st.integers(3, 12), st.integers(2, 6), st.integers(1, 4), st.booleans(), st.integers(0, 4), st.integers(0, 10_000)
)
def test_nor_under_rules_on_conditions_which_are_kept(n, k, run, blocked, fillers, seed):
    rules = OrderRules(max_same_condition_run=0 if blocked else run, blocked=blocked)
    found = targets(ordered(within(n, k, fillers), rules, seed=seed))
    assert neighbours(found, lambda text: text.item) == []
    runs = [len(list(group)) for _, group in groupby(found, key=lambda text: text.condition)]
    assert len(runs) == k if blocked else max(runs) <= run


@given(st.integers(0, 2_000))
def test_where_it_cannot_be_the_fewest_stand_beside_each_other(seed):
    one_item = ordered(within(1, 3), seed=seed)
    assert len(neighbours(one_item, lambda text: text.item)) == 2
    # a b a b of two items: 1 1 2 2 or 1 2 2 1, one of them always beside itself.
    alternating = ordered(within(2, 2), OrderRules(max_same_condition_run=1), seed=seed)
    assert len(neighbours(alternating, lambda text: text.item)) == 1


def test_every_text_of_an_item_is_first_equally_often():
    first: Counter[Any] = Counter()
    for seed in range(600):
        seen = set()
        for text in ordered(within(6, 3), seed=seed):
            if text.item not in seen:
                first[text.condition] += 1
                seen.add(text.item)
    assert all(abs(count - 1200) < 120 for count in first.values()), first


def test_an_order_in_which_no_item_comes_twice_is_the_one_it_always_was():
    texts = [Text(number, "ab"[number % 2]) for number in range(12)]
    for rules in (OrderRules(), OrderRules(max_same_condition_run=1), OrderRules(blocked=True)):
        assert ordered(texts, rules, seed=4) == order(texts, rules, rng=random.Random(4))


def test_the_same_seed_gives_the_same_order_and_others_another():
    rules = OrderRules(max_same_condition_run=2)
    assert ordered(within(8, 4), rules, seed=3) == ordered(within(8, 4), rules, seed=3)
    assert len({tuple(ordered(within(8, 4), rules, seed=seed)) for seed in range(30)}) == 30


@pytest.mark.django_db
@pytest.mark.parametrize("rules", [{}, {"max_same_condition_run": 2}, {"blocked": True}])
def test_it_holds_in_the_session_of_a_study(ready, researcher, rules):
    study = save_procedure(ready, complete_procedure({"conditions": "all", **rules}), researcher)
    snapshot = study_snapshot(study, study.lists.get())
    item_of = {shown.stimulus_id: shown.item for shown in snapshot.stimuli if shown.condition}
    for seed in range(20):
        shown = [item_of[t.stimulus_id] for t in plan_session(snapshot, seed=seed) if t.stimulus_id in item_of]
        assert len(shown) == 16
        assert neighbours(shown, str) == []

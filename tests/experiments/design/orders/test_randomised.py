"""An order keeps to every rule of the study, or says which rule nothing can keep."""

import random
import time
from collections import Counter
from dataclasses import dataclass
from itertools import groupby, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.design.orders.randomised import ImpossibleOrder, OrderRules, impossible_rules, order


@dataclass(frozen=True)
class Trial:
    number: int
    condition: str | None = None
    is_filler: bool = False
    is_practice: bool = False

    @property
    def is_target(self):
        return not (self.is_filler or self.is_practice)


def trials_of(counts, fillers=0, practice=0):
    kinds: list[dict[str, Any]] = [{"condition": chr(97 + c)} for c, count in enumerate(counts) for _ in range(count)]
    kinds += [{"is_filler": True}] * fillers + [{"is_practice": True}] * practice
    return [Trial(number, **kind) for number, kind in enumerate(kinds)]


def longest_run(sequence):
    return max((len(list(group)) for _, group in groupby(sequence)), default=0)


def longest_target_run(ordered):
    return max((len(list(group)) for target, group in groupby(ordered, key=lambda t: t.is_target) if target), default=0)


def keeps_the_rules(ordered, rules):
    rest = list(ordered)
    if rules.practice_first:
        practice = sum(t.is_practice for t in rest)
        if not all(t.is_practice for t in rest[:practice]):
            return False
        rest = rest[practice:]
    if [t.is_filler for t in rest[: rules.leading_fillers]] != [True] * rules.leading_fillers:
        return False
    targets = [t.condition for t in rest if t.is_target]
    if rules.max_same_condition_run and longest_run(targets) > rules.max_same_condition_run:
        return False
    if rules.max_target_run and longest_target_run(rest) > rules.max_target_run:
        return False
    return not rules.blocked or len(list(groupby(targets))) == len(set(targets))


designs = st.builds(trials_of, st.lists(st.integers(0, 12), max_size=6), st.integers(0, 12), st.integers(0, 4))
rule_sets = st.builds(
    OrderRules,
    practice_first=st.booleans(),
    leading_fillers=st.integers(0, 4),
    max_same_condition_run=st.integers(0, 4),
    max_target_run=st.integers(0, 6),
    blocked=st.booleans(),
)


@given(designs, rule_sets, st.integers(0, 2**32))
@settings(max_examples=300)
def test_every_order_holds_each_trial_once_and_keeps_all_rules_or_the_impossible_rule_is_named(design, rules, seed):
    reasons = impossible_rules(design, rules)
    if reasons:
        with pytest.raises(ImpossibleOrder) as impossible:
            order(design, rules, rng=random.Random(seed))
        assert impossible.value.reasons == reasons
        return
    ordered = order(design, rules, rng=random.Random(seed))
    assert Counter(ordered) == Counter(design)
    assert keeps_the_rules(ordered, rules)


@given(
    st.lists(st.integers(0, 3), max_size=3).filter(lambda counts: sum(counts) <= 5),
    st.integers(0, 2),
    st.integers(0, 1),
    rule_sets,
)
@settings(max_examples=80, deadline=None)
def test_what_is_called_impossible_is_impossible_by_exhaustive_search(counts, fillers, practice, rules):
    design = trials_of(counts, fillers, practice)
    exists = any(keeps_the_rules(ordered, rules) for ordered in permutations(design))
    assert exists == (impossible_rules(design, rules) == [])


@given(designs, rule_sets, st.integers(0, 2**32))
def test_the_same_seed_gives_the_same_order(design, rules, seed):
    if not impossible_rules(design, rules):
        assert order(design, rules, rng=random.Random(seed)) == order(design, rules, rng=random.Random(seed))


def test_practice_trials_come_first_in_the_order_of_the_materials():
    ordered = order(trials_of([6, 6], fillers=4, practice=3), rng=random.Random(1))
    assert [t.number for t in ordered[:3]] == [16, 17, 18]


def test_every_target_is_equally_likely_to_come_first_without_rules():
    design = trials_of([2, 2])
    first = Counter(order(design, rng=random.Random(seed))[0].number for seed in range(4000))
    assert all(abs(count - 1000) < 150 for count in first.values())


def test_different_seeds_give_different_orders():
    design = trials_of([18] * 8)
    orders = {tuple(t.number for t in order(design, rng=random.Random(seed))) for seed in range(50)}
    assert len(orders) == 50


def test_a_run_that_cannot_be_kept_short_is_named_with_what_would_be_possible():
    with pytest.raises(ImpossibleOrder, match=r"5 of 7 targets have the condition 'a'. Allow at least 2 in a row"):
        order(trials_of([5, 2]), OrderRules(max_same_condition_run=1), rng=random.Random(1))


def test_too_few_fillers_are_named_with_the_number_needed():
    with pytest.raises(ImpossibleOrder, match="12 targets need 3 fillers between them, and only 1 is left"):
        order(trials_of([6, 6], fillers=2), OrderRules(leading_fillers=1, max_target_run=3), rng=random.Random(1))


def test_all_impossible_rules_are_named_together():
    rules = OrderRules(leading_fillers=3, max_same_condition_run=1, max_target_run=2)
    assert len(impossible_rules(trials_of([6]), rules)) == 3


def test_a_negative_rule_is_refused():
    assert "must be 0 or more" in impossible_rules(trials_of([2]), OrderRules(max_target_run=-1))[0]


def test_a_session_of_the_papers_size_is_ordered_in_milliseconds():
    design = trials_of([18] * 8)
    rules = OrderRules(max_same_condition_run=2)
    best = float("inf")
    for seed in range(20):
        started = time.process_time()
        ordered = order(design, rules, rng=random.Random(seed))
        best = min(best, time.process_time() - started)
        assert keeps_the_rules(ordered, rules)
    assert best < 0.050, "processor time, with room for a machine at half speed"

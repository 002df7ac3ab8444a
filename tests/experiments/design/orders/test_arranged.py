"""Trials are arranged as a procedure says, each as often as it is shown, or the arrangement is refused with numbers."""

import random
from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.design.orders.arranged import Arrangement, arranged, arrangement_faults
from experiments.design.orders.randomised import ImpossibleOrder, OrderRules
from experiments.design.orders.sequences import even_pattern


@dataclass(frozen=True)
class Trial:
    number: int
    item: str = ""
    condition: str | None = None
    is_filler: bool = False
    is_practice: bool = False
    block: str = ""
    chain: str = ""
    fixed: str = ""
    repetitions: int = 1
    repetition: int = 1


@st.composite
def designs(draw):
    """Return the trials of a session, some of them in blocks and chains, fixed or repeated, and an arrangement."""
    blocks = draw(st.sampled_from([(), ("A",), ("A", "B"), ("A", "B", "C")]))
    n_items = draw(st.integers(1, 9))
    per_item = draw(st.integers(1, 2))
    repetitions = draw(st.integers(1, 2))
    has_chains = draw(st.booleans())
    trials = [Trial(0, "p1", is_practice=True), Trial(1, "p2", is_practice=True, block=blocks[0] if blocks else "")]
    for item in range(n_items):
        block = blocks[item % len(blocks)] if blocks else ""
        fixed = draw(st.sampled_from(["", "", "", "first", "last"])) if not has_chains else ""
        for text in range(per_item):
            chain = f"c{item}" if has_chains and item % 2 else ""
            trials.append(
                Trial(
                    len(trials), f"i{item}", "xyz"[(item + text) % 3], block=block, chain=chain, fixed=fixed,
                    repetitions=1 if fixed else repetitions,
                )
            )  # fmt: skip
    for filler in range(draw(st.integers(0, 5))):
        trials.append(Trial(len(trials), f"f{filler}", is_filler=True))
    is_as_given = draw(st.booleans()) and draw(st.booleans())
    rules = OrderRules(
        leading_fillers=0 if is_as_given else draw(st.integers(0, 1)),
        max_same_condition_run=0 if is_as_given else draw(st.integers(0, 2)),
        max_target_run=0 if is_as_given else draw(st.sampled_from([0, 0, 2, 3])),
    )
    return trials, Arrangement(
        rules,
        is_as_given=is_as_given,
        blocks=blocks,
        block_order=draw(st.sampled_from(["as-given", "random", "latin-square"])),
        is_mixed_evenly=draw(st.booleans()),
        min_distance=draw(st.sampled_from([0, 0, 1, 2, 4])),
        in_rounds=draw(st.booleans()),
    )


def longest_run(values):
    return max((len(list(group)) for _, group in groupby(values)), default=0)


def is_target(trial):
    return not (trial.is_filler or trial.is_practice)


def same_chain(one, other):
    return bool(one.chain) and (one.chain, one.repetition) == (other.chain, other.repetition)


@given(designs(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_every_rule_is_kept_or_the_arrangement_is_refused_with_numbers(design, seed):
    trials, arrangement = design
    reasons = arrangement_faults(trials, arrangement)
    row = seed % arrangement.n_rows
    if reasons:
        assert all(any(character.isdigit() for character in reason) for reason in reasons)
        return
    shown = arranged(trials, arrangement, rng=random.Random(seed), row=row)
    assert shown == arranged(trials, arrangement, rng=random.Random(seed), row=row)
    # Every trial exactly as often as it is shown, its repetitions numbered in their order.
    of_trial = {trial.number: trial.repetitions for trial in trials}
    numbered = {number: [t.repetition for t in shown if t.number == number] for number in of_trial}
    assert {number: sorted(own) for number, own in numbered.items()} == {
        number: list(range(1, times + 1)) for number, times in of_trial.items()
    }
    # Blocks are contiguous; practice opens its block.
    if arrangement.blocks:
        assert len(list(groupby(t.block for t in shown))) == len({t.block for t in shown})
    for _block, group in groupby(shown, key=lambda t: t.block):
        own = list(group)
        kinds = [t.is_practice for t in own]
        assert kinds == sorted(kinds, reverse=True)
        main = [t for t in own if not t.is_practice]
        ends = [{"first": 0, "": 1, "last": 2}[t.fixed] for t in main]
        assert ends == sorted(ends)
        for end in ("first", "last"):
            assert [t.number for t in main if t.fixed == end] == sorted(t.number for t in main if t.fixed == end)
        body = [t for t in main if t.fixed != "first"]
        assert all(t.is_filler for t in body[: arrangement.rules.leading_fillers])
        rules = arrangement.rules
        if rules.max_same_condition_run:
            assert longest_run([t.condition for t in main if is_target(t)]) <= rules.max_same_condition_run
        if rules.max_target_run:
            runs = "".join("t" if is_target(t) else " " for t in main).split()
            assert max(map(len, runs), default=0) <= rules.max_target_run
        if arrangement.is_as_given:
            order = [(t.repetition, t.number) for t in main if not t.fixed]
            chained = {t.chain: t.number for t in reversed(trials) if t.chain}
            key = [
                (r, chained.get(t.chain, t.number), n)
                for (r, n), t in zip(order, [t for t in main if not t.fixed], strict=True)
            ]
            assert key == sorted(key)
        if arrangement.in_rounds:
            rounds = [t.repetition for t in main if not t.fixed]
            assert rounds == sorted(rounds)
    # Chains are contiguous and in order.
    chains = [list(group) for key, group in groupby(shown, key=lambda t: (t.chain, t.repetition)) if key[0]]
    assert len(chains) == len({(c[0].chain, c[0].repetition) for c in chains})
    assert all([t.number for t in chain] == sorted(t.number for t in chain) for chain in chains)
    # Two trials of an item are as far apart as they must be, except in a chain.
    last: dict[str, int] = {}
    for place, trial in enumerate(shown):
        before = last.get(trial.item)
        if before is not None and not same_chain(trial, shown[before]):
            assert place - before > arrangement.min_distance
        last[trial.item] = place


@given(st.integers(1, 6), st.integers(0, 2**20))
def test_balanced_blocks_are_equally_often_at_every_place_and_after_every_other(n_blocks, seed):
    names = tuple("ABCDEF"[:n_blocks])
    trials = [Trial(number, f"i{number}", block=names[number % n_blocks]) for number in range(2 * n_blocks)]
    arrangement = Arrangement(blocks=names, block_order="latin-square")
    orders = []
    for row in range(arrangement.n_rows):
        shown = arranged(trials, arrangement, rng=random.Random(seed), row=row)
        orders.append([block for block, _own in groupby(t.block for t in shown)])
    for place in range(n_blocks):
        assert set(Counter(order[place] for order in orders).values()) == {len(orders) // n_blocks}
    if n_blocks > 1:
        followers = Counter(pair for order in orders for pair in pairwise(order))
        assert len(followers) == n_blocks * (n_blocks - 1)
        assert len(set(followers.values())) == 1


@given(st.integers(2, 8), st.integers(2, 4), st.data())
@settings(max_examples=60, deadline=None)
def test_items_that_are_repeated_keep_the_largest_distance_that_there_is_room_for(n_items, times, data):
    trials = [Trial(number, f"i{number}", repetitions=times) for number in range(n_items)]
    distance = data.draw(st.integers(1, n_items))
    arrangement = Arrangement(min_distance=distance)
    reasons = arrangement_faults(trials, arrangement)
    # With n items the same number of times each, n − 1 others fit between two trials of one.
    assert bool(reasons) == (distance > n_items - 1)
    if reasons:
        assert f"Allow a distance of {n_items - 1}" in reasons[0]
        with pytest.raises(ImpossibleOrder):
            arranged(trials, arrangement, rng=random.Random(1))


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 1000))
def test_fillers_that_are_mixed_evenly_part_items_into_runs_of_nearly_one_length(n_targets, n_fillers, seed):
    pattern = even_pattern(n_targets, n_fillers, random.Random(seed))
    assert Counter(pattern) == Counter({True: n_targets, False: n_fillers})
    many = n_targets >= n_fillers
    lengths = [len(run) for run in "".join("m" if kind == many else " " for kind in pattern).split(" ")]
    assert max(lengths) - min(lengths) <= 1


def test_fillers_without_a_block_are_shared_among_the_blocks():
    trials = [Trial(number, f"i{number}", "a", block="AB"[number % 2]) for number in range(8)]
    trials += [Trial(8 + number, f"f{number}", is_filler=True) for number in range(5)]
    arrangement = Arrangement(OrderRules(leading_fillers=1), blocks=("A", "B"))
    assert arrangement_faults(trials, arrangement) == []
    seen = set()
    for seed in range(30):
        shown = arranged(trials, arrangement, rng=random.Random(seed))
        assert Counter(t.block for t in shown if t.is_filler) == {"A": 3, "B": 2}
        seen.add(tuple(t.number for t in shown if t.is_filler and t.block == "B"))
    assert len(seen) > 10


TARGETS = tuple(Trial(number, f"i{number}", "xxxy"[number % 4]) for number in range(8))


@pytest.mark.parametrize(
    ("trials", "arrangement", "said"),
    [
        (TARGETS, Arrangement(OrderRules(max_same_condition_run=1)), "6 of 8 targets have the condition 'x'"),
        (TARGETS, Arrangement(blocks=("A",)), "8 items belong to no block: 'i0', 'i1', "),
        (
            [replace(trial, block="A" if trial.number < 4 else "B") for trial in TARGETS],
            Arrangement(OrderRules(max_target_run=2), blocks=("A", "B")),
            "Block 'A': At most 2 targets in a row is impossible: 4 targets need 1 fillers",
        ),
        (
            [replace(trial, block="AB"[trial.number % 2], chain="c") for trial in TARGETS],
            Arrangement(blocks=("A", "B")),
            "These chains are spread over several blocks: 'c'.",
        ),
        (
            [replace(TARGETS[0], repetitions=3), TARGETS[1]],
            Arrangement(min_distance=1),
            "needs 5 trials, and a session has 4",
        ),
        (
            [TARGETS[0], TARGETS[1], replace(TARGETS[2], item="i0")],
            Arrangement(is_as_given=True, min_distance=2),
            "1 item returns too soon: 'i0' after 1 other trials; you ask for at least 2",
        ),
        (
            [replace(trial, chain=str(trial.number // 4)) for trial in TARGETS],
            Arrangement(OrderRules(max_same_condition_run=2)),
            "at most 2 of one condition in a row (6 of 8 have 'x'); chains of up to 4 trials",
        ),
        (
            [replace(TARGETS[0], chain="c", fixed="first"), replace(TARGETS[1], chain="c")],
            Arrangement(),
            "Only some trials of these chains are fixed at the start or the end: 'c'",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_met_is_said_with_numbers(trials, arrangement, said):
    reasons = arrangement_faults(trials, arrangement)
    assert any(said in reason for reason in reasons), reasons

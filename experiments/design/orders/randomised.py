"""Randomise the order of trials within a session under the study's constraints.

Pure: no Django, no database. The same trials, rules and random state give the same order.

Targets are ordered first, then fillers are spread among them. A filler does not end a run of one condition: "at most r
of one condition in a row" counts targets only. That makes the two steps independent, so that each can be solved
exactly, without backtracking.

If an item is shown several times, its texts are kept apart as well: exactly if there is no rule on conditions;
otherwise by swapping texts within the sequence of conditions (`experiments.design.orders.spacing`), if necessary from
several sequences. With few items and conditions there may be no such order; the one with the fewest adjacent
repetitions is used then.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from experiments.design.orders.spacing import neighbours, spaced
from experiments.formats.faults import spoken
from experiments.sentences import Sentence, counting


class Orderable(Protocol):
    """What ordering needs to know about a trial. A target is neither a filler nor a practice trial."""

    @property
    def condition(self) -> Hashable: ...
    @property
    def is_filler(self) -> bool: ...
    @property
    def is_practice(self) -> bool: ...


Trial = TypeVar("Trial", bound=Orderable)

# How many sequences of conditions are tried to keep the texts of an item apart.
_SEQUENCES = 20


@dataclass(frozen=True)
class OrderRules:
    """Constraints on an order; 0 means no limit.

    - `practice_first`: practice trials come first, in the order given; otherwise they are spread like fillers.
    - `leading_fillers`: number of fillers before the first target (and after the practice trials).
    - `max_same_condition_run`: most targets of one condition in a row, whether or not fillers come between them.
    - `max_target_run`: most targets in a row without a filler between them.
    - `blocked`: targets of one condition form a block; the order of the blocks is random.
    """

    practice_first: bool = True
    leading_fillers: int = 0
    max_same_condition_run: int = 0
    max_target_run: int = 0
    blocked: bool = False


class ImpossibleOrder(ValueError):
    """No order of these trials satisfies the rules. `reasons` has one sentence per rule that cannot be satisfied."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__(spoken(reasons))
        self.reasons = list(reasons)


def order(
    trials: Sequence[Trial],
    rules: OrderRules | None = None,
    *,
    rng: random.Random,
    item: Callable[[Trial], Hashable] | None = None,
) -> list[Trial]:
    """Return the trials in a random order that satisfies the rules.

    `item` maps a target to its item; targets of the same item are then never adjacent, as far as the rules allow.

    Raises ImpossibleOrder, naming every rule that cannot be satisfied, before anything is ordered.

    >>> from types import SimpleNamespace
    >>> trials = [SimpleNamespace(condition=c, is_filler=False, is_practice=False) for c in "aaabbb"]
    >>> "".join(t.condition for t in order(trials, OrderRules(max_same_condition_run=1), rng=random.Random(5)))
    'bababa'
    """
    rules = rules or OrderRules()
    reasons = impossible_rules(trials, rules)
    if reasons:
        raise ImpossibleOrder(reasons)
    practice = [trial for trial in trials if trial.is_practice]
    fillers = [trial for trial in trials if trial.is_filler and not trial.is_practice]
    targets = [trial for trial in trials if not trial.is_filler and not trial.is_practice]
    rng.shuffle(fillers)
    leading, spread = fillers[: rules.leading_fillers], fillers[rules.leading_fillers :]
    if not rules.practice_first:
        spread = [*spread, *practice]
        rng.shuffle(spread)
        practice = []
    if item is None or len({item(target) for target in targets}) == len(targets):
        ordered = _under_the_rules(targets, rules, rng)
    else:
        ordered = _with_items_apart(targets, rules, rng, item=item)
    return [*practice, *leading, *interleaved(ordered, spread, rules.max_target_run, rng)]


def impossible_rules(trials: Sequence[Orderable], rules: OrderRules) -> list[str]:
    """Return one sentence for each rule that no order of these trials can satisfy; empty if there is an order."""
    practice = sum(trial.is_practice for trial in trials)
    fillers = sum(trial.is_filler and not trial.is_practice for trial in trials)
    counts = Counter(trial.condition for trial in trials if not trial.is_filler and not trial.is_practice)
    targets = sum(counts.values())
    reasons: list[str] = [
        Sentence("The rule '{name}' is {value}; it must be 0 or more.", name=name, value=value)
        for name, value in (
            (Sentence("leading fillers"), rules.leading_fillers),
            (Sentence("targets of one condition in a row"), rules.max_same_condition_run),
            (Sentence("targets in a row"), rules.max_target_run),
        )
        if value < 0
    ]
    if reasons:
        return reasons
    if rules.leading_fillers > fillers:
        reasons.append(
            counting(
                "The first {first} trials cannot be fillers, because there is only {n} filler. Add fillers, or "
                "ask for fewer at the start.",
                "The first {first} trials cannot be fillers, because there are only {n} fillers. Add fillers, or "
                "ask for fewer at the start.",
                fillers,
                first=rules.leading_fillers,
            )
            if fillers
            else Sentence(
                "The first {first} trials cannot be fillers, because there are no fillers. Add fillers, or ask "
                "for fewer at the start.",
                first=rules.leading_fillers,
            )
        )
    largest = max(counts.values(), default=0)
    run = rules.max_same_condition_run
    if run and rules.blocked and largest > run:
        reasons.append(
            Sentence(
                "Blocked conditions and at most {run} of one condition in a row contradict each other: a block "
                "has up to {largest} trials. Remove one of the two rules.",
                run=run,
                largest=largest,
            )
        )
    elif run and largest > run * (targets - largest + 1):
        # At most r in a row before, between and after the other targets.
        smallest = -(-largest // (targets - largest + 1))
        reasons.append(
            Sentence(
                "At most {run} of one condition in a row is impossible, because {largest} of {targets} targets "
                "have {condition}. Allow at least {smallest} in a row.",
                run=run,
                largest=largest,
                targets=targets,
                condition=_condition_name(counts),
                smallest=smallest,
            )
        )
    between = max(fillers - rules.leading_fillers, 0) + (0 if rules.practice_first else practice)
    if rules.max_target_run and targets > rules.max_target_run * (between + 1):
        needed = -(-targets // rules.max_target_run) - 1
        reasons.append(
            counting(
                "At most {run} targets in a row is impossible: {targets} targets need {needed} fillers between "
                "them, and only {n} is left. Add fillers, or allow longer runs of targets.",
                "At most {run} targets in a row is impossible: {targets} targets need {needed} fillers between "
                "them, and only {n} are left. Add fillers, or allow longer runs of targets.",
                between,
                run=rules.max_target_run,
                targets=targets,
                needed=needed,
            )
            if between
            else Sentence(
                "At most {run} targets in a row is impossible: {targets} targets need {needed} fillers between "
                "them, and none is left. Add fillers, or allow longer runs of targets.",
                run=rules.max_target_run,
                targets=targets,
                needed=needed,
            )
        )
    return reasons


def _condition_name(counts: Counter[Hashable]) -> str:
    condition = counts.most_common(1)[0][0]
    if condition in (None, ""):
        return Sentence("one condition")
    return Sentence("the condition '{condition}'", condition=condition)


def _under_the_rules(targets: Sequence[Trial], rules: OrderRules, rng: random.Random) -> list[Trial]:
    if rules.blocked:
        return _in_blocks(targets, rng)
    return _without_long_runs(targets, rules.max_same_condition_run, rng)


def _with_items_apart(
    targets: Sequence[Trial], rules: OrderRules, rng: random.Random, *, item: Callable[[Trial], Hashable]
) -> list[Trial]:
    if not rules.blocked and not rules.max_same_condition_run:
        return _without_long_runs(targets, 1, rng, of=item)
    best: list[Trial] = []
    for _ in range(_SEQUENCES):
        drawn = _under_the_rules(targets, rules, rng)
        apart = spaced(drawn, item=item, condition=_condition_of, rng=rng)
        if not best or len(neighbours(apart, item)) < len(neighbours(best, item)):
            best = apart
        if not neighbours(best, item):
            break
    return best


def _condition_of(trial: Orderable) -> Hashable:
    return trial.condition


def _grouped(
    targets: Sequence[Trial], rng: random.Random, *, of: Callable[[Trial], Hashable] = _condition_of
) -> dict[Hashable, list[Trial]]:
    groups: dict[Hashable, list[Trial]] = {}
    for target in targets:
        groups.setdefault(of(target), []).append(target)
    for group in groups.values():
        rng.shuffle(group)
    return groups


def _in_blocks(targets: Sequence[Trial], rng: random.Random) -> list[Trial]:
    groups = list(_grouped(targets, rng).values())
    rng.shuffle(groups)
    return [target for group in groups for target in group]


def _without_long_runs(
    targets: Sequence[Trial], run: int, rng: random.Random, *, of: Callable[[Trial], Hashable] = _condition_of
) -> list[Trial]:
    """Return the targets shuffled, with at most `run` of one condition, or one value of `of`, in a row (0: no limit).

    Draws the next condition in proportion to what is left of it. The rest can be completed as long as every condition
    d keeps n_d ≤ r · (N − n_d) + (what the current run still has room for). Drawing another condition can break this
    for one condition at most, the one with n_d > r · (N − n_d); where there is one, it has to be next. So a check of
    the most frequent condition replaces backtracking.
    """
    if not run:
        shuffled = list(targets)
        rng.shuffle(shuffled)
        return shuffled
    groups = _grouped(targets, rng, of=of)
    remaining = len(targets)
    ordered: list[Trial] = []
    current: Hashable = None
    length = 0
    while remaining:
        largest = max(groups, key=lambda condition: len(groups[condition]))
        if len(groups[largest]) > run * (remaining - len(groups[largest])):
            chosen = largest
        else:
            open_to = [c for c, group in groups.items() if group and not (length == run and ordered and c == current)]
            chosen = rng.choices(open_to, weights=[len(groups[c]) for c in open_to])[0]
        length = length + 1 if ordered and chosen == current else 1
        current = chosen
        ordered.append(groups[chosen].pop())
        remaining -= 1
    return ordered


def interleaved(targets: Sequence[Any], fillers: Sequence[Any], run: int, rng: random.Random) -> list[Any]:
    """Merge targets and fillers, each in their order: random gaps, at most `run` targets in a row (0: no limit)."""
    waiting_targets, waiting_fillers = deque(targets), deque(fillers)
    ordered: list[Any] = []
    length = 0
    while waiting_targets or waiting_fillers:
        n_targets, n_fillers = len(waiting_targets), len(waiting_fillers)
        # A filler may only be used here if the remaining fillers still suffice to break up the targets.
        may_take_filler = n_fillers > 0 and (not run or n_targets <= run * n_fillers)
        may_take_target = n_targets > 0 and not (run and length == run)
        take_target = may_take_target and (not may_take_filler or rng.randrange(n_targets + n_fillers) < n_targets)
        if take_target:
            ordered.append(waiting_targets.popleft())
            length += 1
        else:
            ordered.append(waiting_fillers.popleft())
            length = 0
    return ordered

"""One sequence of pieces (single trials, and chains that stay together) that keeps all rules, or none. Pure.

Fillers and practice trials get their places first, at random or evenly. The places are then filled one after the other
with a piece that no rule forbids there. What the end of the sequence needs comes first: the condition that could no
longer be interrupted otherwise, and the items whose trials would no longer be far enough apart.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from experiments.design.orders.randomised import OrderRules, interleaved


class Placed(Protocol):
    """What sequences need to know about a trial. A target is neither a filler nor a practice trial."""

    @property
    def item(self) -> str: ...
    @property
    def condition(self) -> Hashable: ...
    @property
    def is_filler(self) -> bool: ...
    @property
    def is_practice(self) -> bool: ...


T = TypeVar("T", bound=Placed)


def is_target(trial: Placed) -> bool:
    """Return whether a trial is neither a filler nor for practice."""
    return not trial.is_filler and not trial.is_practice


@dataclass(frozen=True)
class Piece(Generic[T]):
    """Trials that stay together, in their order."""

    trials: tuple[T, ...]

    @property
    def has_target(self) -> bool:
        return any(map(is_target, self.trials))

    @property
    def items(self) -> set[str]:
        return {trial.item for trial in self.trials}


@dataclass
class Running:
    """What the trials so far mean for the next ones. Runs end with a block; distances hold over its end."""

    rules: OrderRules
    min_distance: int = 0
    place: int = 0
    last: dict[str, int] = field(default_factory=dict)
    condition: Hashable = None
    same: int = 0
    targets: int = 0

    def copy(self) -> Running:
        return Running(
            self.rules, self.min_distance, self.place, dict(self.last), self.condition, self.same, self.targets
        )

    def begin_block(self) -> None:
        self.same = self.targets = 0

    def distance_kept(self, piece: Piece[T], distance: int) -> bool:
        """Return whether the items of a piece, placed next, are far enough from their last trials."""
        if not distance:
            return True
        return all(
            trial.item not in self.last or self.place + offset - self.last[trial.item] > distance
            for offset, trial in enumerate(piece.trials)
        )

    def allows(self, piece: Piece[T]) -> bool:
        """Return whether no rule forbids the piece as the next one."""
        if not self.distance_kept(piece, self.min_distance):
            return False
        most, most_targets = self.rules.max_same_condition_run, self.rules.max_target_run
        if not most and not most_targets:
            return True
        condition, same, targets = self.condition, self.same, self.targets
        for trial in piece.trials:
            if is_target(trial):
                same = same + 1 if same and trial.condition == condition else 1
                condition, targets = trial.condition, targets + 1
                if (most and same > most) or (most_targets and targets > most_targets):
                    return False
            else:
                targets = 0
        return True

    def add(self, piece: Piece[T]) -> None:
        for trial in piece.trials:
            if is_target(trial):
                self.same = self.same + 1 if self.same and trial.condition == self.condition else 1
                self.condition, self.targets = trial.condition, self.targets + 1
            else:
                self.targets = 0
            self.last[trial.item] = self.place
            self.place += 1


def even_pattern(n_targets: int, n_others: int, rng: random.Random) -> list[bool]:
    """Return where targets (True) and other pieces come so that they mix evenly.

    The kind of which there are fewer parts the other into runs whose lengths differ by at most one; which of them are
    the longer ones is random.

    >>> pattern = even_pattern(6, 2, random.Random(1))
    >>> "".join("t" if target else "f" for target in pattern)
    'ttfttftt'
    """
    many, few = max(n_targets, n_others), min(n_targets, n_others)
    of_many = n_targets >= n_others
    length, longer = divmod(many, few + 1)
    lengths = [length + 1] * longer + [length] * (few + 1 - longer)
    rng.shuffle(lengths)
    pattern: list[bool] = []
    for number, run in enumerate(lengths):
        pattern += [of_many] * run + ([not of_many] if number < few else [])
    return pattern


def sequence(
    pieces: Sequence[Piece[T]],
    running: Running,
    rng: random.Random,
    *,
    leading: int = 0,
    evenly: bool = False,
    is_thrifty: bool = False,
) -> list[Piece[T]] | None:
    """Return the pieces in an order that keeps the rules, and count them in `running`; None if this draw found none.

    `leading` fillers come first. With `is_thrifty`, the items with the least room left come first; otherwise chance
    decides as long as there is room.
    """
    targets = [piece for piece in pieces if piece.has_target]
    others = [piece for piece in pieces if not piece.has_target]
    rng.shuffle(others)
    rng.shuffle(targets)
    has_chains = any(len(piece.trials) > 1 for piece in pieces)
    pattern: list[bool] = []
    if leading:
        count = 0
        # Practice trials are no fillers; they do not come first unless they are spread.
        others.sort(key=lambda piece: any(trial.is_practice for trial in piece.trials))
        taken: list[Piece[T]] = []
        while count < leading and others and others[0].trials[0].is_filler:
            taken.append(others.pop(0))
            count += len(taken[-1].trials)
        if count < leading:
            return None
        rng.shuffle(others)
        others = [*taken, *others]
        pattern = [False] * len(taken)
    n_leading = len(pattern)
    n_others = len(others) - n_leading
    if evenly:
        pattern += even_pattern(len(targets), n_others, rng)
    else:
        # With chains, which may hold fillers of their own, the places are a first guess that may be exchanged.
        run = 0 if has_chains else running.rules.max_target_run
        if run and len(targets) > run * (n_others + 1):
            return None
        pattern += interleaved([True] * len(targets), [False] * n_others, run, rng)
    fixed = len(pattern) if evenly or not has_chains else n_leading
    return _filled(pattern, targets, others, running, rng, fixed=fixed, is_thrifty=is_thrifty)


def _filled(
    pattern: Sequence[bool],
    targets: list[Piece[T]],
    others: list[Piece[T]],
    running: Running,
    rng: random.Random,
    *,
    fixed: int,
    is_thrifty: bool,
) -> list[Piece[T]] | None:
    """Return the pieces in order; places from `fixed` on may take a piece of the other kind if theirs is forbidden."""
    waiting = {True: targets, False: others}
    times = Counter(item for piece in (*targets, *others) for item in piece.items)
    repeated = any(count > 1 for count in times.values())
    apart = running.min_distance or (1 if repeated else 0)
    is_free = not apart and not running.rules.max_same_condition_run and not running.rules.max_target_run
    left = sum(len(piece.trials) for piece in (*targets, *others))
    conditions = Counter(trial.condition for piece in targets for trial in piece.trials if is_target(trial))
    ordered: list[Piece[T]] = []
    for place, kind in enumerate(pattern):
        pool = waiting[kind] or waiting[not kind]
        chosen: int | None = len(pool) - 1
        if not is_free:
            chosen = _chosen(pool, running, conditions, times, left, apart, rng, is_thrifty=is_thrifty)
        if chosen is None and place >= fixed and pool is waiting[kind] and waiting[not kind]:
            pool = waiting[not kind]
            chosen = _chosen(pool, running, conditions, times, left, apart, rng, is_thrifty=is_thrifty)
        if chosen is None:
            return None
        piece = pool[chosen]
        pool[chosen] = pool[-1]
        pool.pop()
        running.add(piece)
        ordered.append(piece)
        left -= len(piece.trials)
        times.subtract(piece.items)
        conditions.subtract(trial.condition for trial in piece.trials if is_target(trial))
    return ordered


def _chosen(
    pool: Sequence[Piece[T]],
    running: Running,
    conditions: Counter[Hashable],
    times: Counter[str],
    left: int,
    apart: int,
    rng: random.Random,
    *,
    is_thrifty: bool,
) -> int | None:
    """Return which piece of the pool comes next; None if every one is forbidden."""
    open_to = [number for number, piece in enumerate(pool) if running.allows(piece)]
    if not open_to:
        return None
    if apart and not running.min_distance:
        # Nobody asked for a distance: texts of one item are kept from following each other where that is possible.
        open_to = [number for number in open_to if running.distance_kept(pool[number], apart)] or open_to
    run = running.rules.max_same_condition_run
    if run and pool[open_to[0]].has_target:
        total = sum(conditions.values())
        condition, most = max(conditions.items(), key=lambda entry: entry[1])
        if most > run * (total - most):
            wanted = [
                number
                for number in open_to
                if any(is_target(trial) and trial.condition == condition for trial in pool[number].trials)
            ]
            open_to = wanted or open_to
    if not apart:
        return rng.choice(open_to)
    room = {number: _room(pool[number], running, times, left, apart) for number in open_to}
    least = min(room.values())
    if is_thrifty or least <= 0:
        open_to = [number for number in open_to if room[number] == least]
    return rng.choice(open_to)


def _room(piece: Piece[T], running: Running, times: Counter[str], left: int, apart: int) -> int:
    """Return how many places are left over when the other trials of its items follow as closely as they may."""
    return min(left - ((times[item] - 1) * (apart + 1) + 1) for item in piece.items)


def flat(pieces: Sequence[Piece[T]]) -> Iterator[T]:
    """Yield the trials of pieces in order."""
    for piece in pieces:
        yield from piece.trials

"""Arrange the trials of a session as a study's procedure says: blocks, chains, first and last trials, repetitions.

Pure: the same trials, arrangement, row and random state give the same order. A rule is kept or refused, never dropped:
if no draw of a session keeps all of them, the session takes the one that `arrangement_faults` found when the study was
checked, which depends on the trials alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise
from typing import Any, Protocol, TypeVar

from experiments.design.orders.randomised import ImpossibleOrder, OrderRules, impossible_rules
from experiments.design.orders.sequences import Piece, Placed, Running, flat, sequence
from experiments.design.part_orders import williams_orders
from experiments.formats.faults import listed
from experiments.sentences import Sentence, counting

GIVEN, RANDOM, LATIN_SQUARE = "as-given", "random", "latin-square"
FIRST, LAST = "first", "last"

# Draws of a session; draws that depend on the trials alone, when the study is checked and if those of a session fail.
_DRAWS = 30
_CHECKED_DRAWS = 200
# Of the draws that keep all rules, texts of one item that follow each other in fewest places: so many are looked at.
_SOFT_DRAWS = 10


class Arrangeable(Placed, Protocol):
    """What an arrangement needs to know about a trial.

    `block` and `chain` are names, empty where it belongs to none; `fixed` is "first", "last" or empty. It is shown
    `repetitions` times; `repetition` numbers these from 1.
    """

    @property
    def block(self) -> str: ...
    @property
    def chain(self) -> str: ...
    @property
    def fixed(self) -> str: ...
    @property
    def repetitions(self) -> int: ...
    @property
    def repetition(self) -> int: ...


T = TypeVar("T", bound=Arrangeable)


@dataclass(frozen=True)
class Arrangement:
    """How the trials of a session are arranged.

    - `rules`: rules of a random order. They hold in every block by itself: `leading_fillers` begin each block.
    - `is_as_given`: trials in the order given instead of at random, within blocks.
    - `blocks`: the names of the blocks in the order given; empty if there are none.
    - `block_order`: as-given, random, or latin-square: the row of a Williams square that `row` names.
    - `is_mixed_evenly`: fillers come at even distances instead of at random ones.
    - `min_distance`: so many other trials at least between two trials of one item, over the ends of blocks as well. The
      trials of a chain are exempt among themselves.
    - `in_rounds`: every trial once before any comes again.
    """

    rules: OrderRules = field(default_factory=OrderRules)
    is_as_given: bool = False
    blocks: tuple[str, ...] = ()
    block_order: str = GIVEN
    is_mixed_evenly: bool = False
    min_distance: int = 0
    in_rounds: bool = False

    @property
    def n_rows(self) -> int:
        """Number of rows over which the order of the blocks is balanced; 1 if it is not balanced."""
        return len(williams_orders(len(self.blocks))) if self.blocks and self.block_order == LATIN_SQUARE else 1


def arranged(trials: Sequence[T], arrangement: Arrangement, *, rng: random.Random, row: int = 0) -> list[T]:
    """Return the trials of a session in order, each as often as it is shown.

    Fillers without a block are shared among the blocks. Practice trials come first if the rules say so: those of a
    block at its start, others before all blocks. Then come, in every block, the trials that are fixed as first ones, in
    the order given, the others, and those that are fixed as last ones. Raises ImpossibleOrder with the reasons.
    """
    best: list[T] | None = None
    for number in range(_DRAWS):
        order = _block_names(trials, arrangement, row, rng)
        drawn = _drawn(trials, arrangement, order, rng, is_thrifty=number >= _DRAWS // 2)
        if drawn is None:
            continue
        if best is None or _follows_itself(drawn) < _follows_itself(best):
            best = drawn
        if arrangement.min_distance or arrangement.is_as_given or not _follows_itself(best) or number >= _SOFT_DRAWS:
            return best
    if best is not None:
        return best
    checked = _checked_draw(trials, arrangement, row)
    if checked is None:
        raise ImpossibleOrder(arrangement_faults(trials, arrangement) or [_not_found(trials, arrangement)])
    return checked


def arrangement_faults(trials: Sequence[Arrangeable], arrangement: Arrangement) -> list[str]:
    """Return one sentence, with numbers, for each reason why these trials cannot be arranged so; empty if they can."""
    trials = _dealt(trials, arrangement, random.Random(0))  # noqa: S311
    faults = _faults_of_blocks(trials, arrangement) + _faults_of_chains(trials)
    if faults:
        return faults
    if arrangement.is_as_given:
        faults = _faults_as_given(trials, arrangement)
    else:
        for name, shown in _by_block(_repeated(trials), arrangement).items():
            # Practice trials before all blocks obey no rule.
            if name is not None:
                said = impossible_rules(shown, arrangement.rules)
                faults += [
                    Sentence("Block '{block}': {said}", block=name, said=one) if arrangement.blocks else one
                    for one in said
                ]
        faults += _faults_of_distance(_repeated(trials), arrangement)
    if not faults and any(_checked_draw(trials, arrangement, row) is None for row in range(arrangement.n_rows)):
        faults.append(_not_found(trials, arrangement))
    return faults


def _checked_draw(trials: Sequence[T], arrangement: Arrangement, row: int) -> list[T] | None:
    """Return the first draw that keeps all rules, of draws that the trials alone determine; None if there is none."""
    fixed = arrangement if arrangement.block_order == LATIN_SQUARE else replace(arrangement, block_order=GIVEN)
    for number in range(_CHECKED_DRAWS):
        rng = random.Random(number)  # noqa: S311 - an order to be made again
        drawn = _drawn(trials, arrangement, _block_names(trials, fixed, row, rng), rng, is_thrifty=number % 2 == 1)
        if drawn is not None:
            return drawn
    return None


def _follows_itself(trials: Sequence[Arrangeable]) -> int:
    return sum(
        one.item == other.item and not (one.chain and one.chain == other.chain and one.repetition == other.repetition)
        for one, other in pairwise(trials)
    )


def _block_names(trials: Sequence[Arrangeable], arrangement: Arrangement, row: int, rng: random.Random) -> list[str]:
    """Return the names of the blocks that the trials have, in the order of a session."""
    there = dict.fromkeys(trial.block for trial in trials if trial.block)
    names = [*arrangement.blocks, *(name for name in there if name not in arrangement.blocks)]
    if not arrangement.blocks:
        return [""]
    if arrangement.block_order == RANDOM:
        rng.shuffle(names)
    elif arrangement.block_order == LATIN_SQUARE:
        rows = williams_orders(len(arrangement.blocks))
        names = [names[number] for number in rows[row % len(rows)]] + names[len(arrangement.blocks) :]
    return [name for name in names if name in there]


def _repeated(trials: Sequence[T]) -> list[T]:
    """Return every trial as often as it is shown, in the order given; practice trials once."""
    most = max((trial.repetitions for trial in trials), default=1)
    shown = []
    for number in range(1, most + 1):
        for trial in trials:
            if number <= (1 if trial.is_practice else trial.repetitions):
                # A copy with its number; trials are frozen data classes.
                shown.append(trial if number == trial.repetition else replace(trial, repetition=number))  # type: ignore[type-var]
    return shown


def _dealt(trials: Sequence[T], arrangement: Arrangement, rng: random.Random) -> list[T]:
    """Return the trials with fillers of no block shared among the blocks that have others: in equal numbers, at random.

    Chains of fillers stay whole. In the order given, fillers are shared in turn.
    """
    there = {trial.block for trial in trials}
    names = [name for name in arrangement.blocks if name in there]
    if not names:
        return list(trials)
    free = [
        piece
        for piece in _pieces(trials)
        if all(trial.is_filler and not trial.is_practice and not trial.block for trial in piece.trials)
    ]
    if not arrangement.is_as_given:
        rng.shuffle(free)
    given = {id(trial): names[number % len(names)] for number, piece in enumerate(free) for trial in piece.trials}
    return [
        replace(trial, block=given[id(trial)]) if id(trial) in given else trial  # type: ignore[type-var]
        for trial in trials
    ]


def _by_block(trials: Sequence[T], arrangement: Arrangement) -> dict[str | None, list[T]]:
    """Return the trials by their block; under None the practice trials that come before all blocks."""
    found: dict[str | None, list[T]] = {}
    for trial in trials:
        name = trial.block if arrangement.blocks else ""
        found.setdefault(None if arrangement.blocks and trial.is_practice and not name else name, []).append(trial)
    return found


def _drawn(
    trials: Sequence[T],
    arrangement: Arrangement,
    order: Sequence[str],
    rng: random.Random,
    *,
    is_thrifty: bool,
) -> list[T] | None:
    """Return one order of a session; None if this draw could not be completed."""
    by_block = _by_block(_repeated(_dealt(trials, arrangement, rng)), arrangement)
    running = Running(arrangement.rules, arrangement.min_distance)
    shown: list[Piece[T]] = []

    def add(piece: Piece[T]) -> bool:
        allowed = running.allows(piece)
        running.add(piece)
        shown.append(piece)
        return allowed

    for trial in by_block.get(None, ()):
        add(Piece((trial,)))
    for name in order:
        own = by_block.get(name, [])
        running.begin_block()
        if arrangement.rules.practice_first:
            for trial in own:
                if trial.is_practice:
                    add(Piece((trial,)))
            own = [trial for trial in own if not trial.is_practice]
        pieces = _pieces(own)
        firsts, lasts = ([piece for piece in pieces if piece.trials[0].fixed == end] for end in (FIRST, LAST))
        if not all(map(add, firsts)):
            return None
        rest = [piece for piece in pieces if piece.trials[0].fixed not in (FIRST, LAST)]
        for number, part in enumerate(_rounds(rest, arrangement)):
            if arrangement.is_as_given:
                if not all(map(add, part)):
                    return None
                continue
            leading = arrangement.rules.leading_fillers if number == 0 else 0
            found = sequence(
                part, running, rng, leading=leading, evenly=arrangement.is_mixed_evenly, is_thrifty=is_thrifty
            )
            if found is None:
                return None
            shown += found
        if not all(map(add, lasts)):
            return None
    return list(flat(shown))


def _pieces(trials: Sequence[T]) -> list[Piece[T]]:
    """Return the trials as pieces: those of a chain as one, at the place of its first trial."""
    chains: dict[tuple[str, int], list[T]] = {}
    for trial in trials:
        if trial.chain:
            chains.setdefault((trial.chain, trial.repetition), []).append(trial)
    made = []
    done = set()
    for trial in trials:
        key = (trial.chain, trial.repetition)
        if not trial.chain:
            made.append(Piece((trial,)))
        elif key not in done:
            done.add(key)
            made.append(Piece(tuple(chains[key])))
    return made


def _rounds(pieces: Sequence[Piece[T]], arrangement: Arrangement) -> list[list[Piece[T]]]:
    if not (arrangement.in_rounds or arrangement.is_as_given):
        return [list(pieces)]
    most = max((piece.trials[0].repetition for piece in pieces), default=1)
    return [[piece for piece in pieces if piece.trials[0].repetition == number] for number in range(1, most + 1)]


def _faults_of_blocks(trials: Sequence[Arrangeable], arrangement: Arrangement) -> list[str]:
    if not arrangement.blocks:
        return []
    without = list(dict.fromkeys(trial.item for trial in trials if not trial.block and not trial.is_practice))
    if not without:
        return []
    return [
        counting(
            "{n} item belongs to no block: {items}. Fill in its cell in the column of the blocks.",
            "{n} items belong to no block: {items}. Fill in their cells in the column of the blocks.",
            len(without),
            items=listed(without),
        )
    ]


def _faults_of_chains(trials: Sequence[Arrangeable]) -> list[str]:
    chains: dict[str, list[Arrangeable]] = {}
    for trial in trials:
        if trial.chain:
            chains.setdefault(trial.chain, []).append(trial)

    def torn(of: Callable[[Arrangeable], Any]) -> str:
        return listed([name for name, own in chains.items() if len({of(trial) for trial in own}) > 1])

    faults: list[str] = []
    if names := torn(lambda trial: trial.block):
        faults.append(
            Sentence(
                ("These chains are spread over several blocks: {chains}. Put all trials of a chain into one block."),
                chains=names,
            )
        )
    if names := torn(lambda trial: trial.is_practice):
        faults.append(
            Sentence(
                "These chains mix practice trials with others: {chains}. Give practice trials chains of their own.",
                chains=names,
            )
        )
    if names := torn(lambda trial: trial.fixed):
        faults.append(
            Sentence(
                (
                    "Only some trials of these chains are fixed at the start or the end: {chains}. Fix all of their "
                    "trials, or none."
                ),
                chains=names,
            )
        )
    if names := torn(lambda trial: trial.repetitions):
        faults.append(
            Sentence(
                "Not all trials of these chains are shown equally often: {chains}. Repeat a chain as a whole.",
                chains=names,
            )
        )
    return faults


def _faults_as_given(trials: Sequence[Arrangeable], arrangement: Arrangement) -> list[str]:
    """Name the items whose trials are too close to each other in the order given."""
    if not arrangement.min_distance:
        return []
    names = list(arrangement.blocks) or [""]
    free = replace(arrangement, min_distance=0, block_order=GIVEN)
    drawn = _drawn(trials, free, names, random.Random(0), is_thrifty=False) or []  # noqa: S311
    last: dict[str, int] = {}
    close: dict[str, int] = {}
    for place, trial in enumerate(drawn):
        if trial.item in last and not (trial.chain and trial.chain == drawn[last[trial.item]].chain):
            between = place - last[trial.item] - 1
            if between < arrangement.min_distance:
                close[trial.item] = min(between, close.get(trial.item, between))
        last[trial.item] = place
    if not close:
        return []
    item, between = min(close.items(), key=lambda entry: entry[1])
    return [
        counting(
            "In the order of the materials, {n} item returns too soon: '{item}' after {between} other trials; "
            "you ask for at least {distance}. Change the order of the rows, or choose a random order.",
            "In the order of the materials, {n} items return too soon, such as '{item}' after {between} other "
            "trials; you ask for at least {distance}. Change the order of the rows, or choose a random order.",
            len(close),
            item=item,
            between=between,
            distance=arrangement.min_distance,
        )
    ]


def _faults_of_distance(trials: Sequence[Arrangeable], arrangement: Arrangement) -> list[str]:
    """Say which distance the trials have no room for.

    k items that are shown m times each with d trials between them need (m − 1) · (d + 1) + min(k, d + 1) trials.
    """
    distance = arrangement.min_distance
    shown = [trial for trial in trials if not trial.is_practice]
    times = Counter(
        trial.item for piece in _pieces(shown) for trial in {one.item: one for one in piece.trials}.values()
    )
    most = max(times.values(), default=1)
    if not distance or most < 2:
        return []
    n = len(shown)
    k = sum(count == most for count in times.values())
    needed = (most - 1) * (distance + 1) + min(k, distance + 1)
    if needed <= n:
        return []
    possible = next((d for d in range(distance, 0, -1) if (most - 1) * (d + 1) + min(k, d + 1) <= n), 0)
    return [
        Sentence(
            "A distance of {distance} trials between two trials of one item is impossible. The item '{item}' is "
            "shown {times} times, which needs {needed} trials, and a session has {n}. Allow a distance of "
            "{possible}, or show items less often.",
            distance=distance,
            item=next(item for item, count in times.items() if count == most),
            times=most,
            needed=needed,
            n=n,
            possible=possible,
        )
    ]


def _not_found(trials: Sequence[Arrangeable], arrangement: Arrangement) -> str:
    """Say which rules no order was found for, with the numbers that make them hard."""
    shown = [trial for trial in _repeated(trials) if not trial.is_practice]
    targets = [trial for trial in shown if not trial.is_filler]
    said: list[str] = []
    rules = arrangement.rules
    conditions = Counter(trial.condition for trial in targets)
    if rules.max_same_condition_run and conditions:
        condition, n = conditions.most_common(1)[0]
        said.append(
            Sentence(
                "at most {run} of one condition in a row ({n} of {targets} have '{condition}')",
                run=rules.max_same_condition_run,
                n=n,
                targets=len(targets),
                condition=condition or "",
            )
        )
    if rules.max_target_run:
        said.append(
            Sentence(
                "at most {run} items without a filler ({targets} items, {fillers} fillers)",
                run=rules.max_target_run,
                targets=len(targets),
                fillers=len(shown) - len(targets),
            )
        )
    if rules.leading_fillers:
        said.append(Sentence("{n} fillers at the start of every block", n=rules.leading_fillers))
    if arrangement.min_distance:
        item, n = Counter(trial.item for trial in shown).most_common(1)[0]
        said.append(
            Sentence(
                "at least {distance} other trials between two trials of one item ('{item}' is shown {n} times in "
                "{total} trials)",
                distance=arrangement.min_distance,
                item=item,
                n=n,
                total=len(shown),
            )
        )
    longest = max(Counter(trial.chain for trial in trials if trial.chain).values(), default=0)
    if longest > 1:
        said.append(Sentence("chains of up to {n} trials", n=longest))
    fixed = sum(trial.fixed in (FIRST, LAST) for trial in trials)
    if fixed:
        said.append(Sentence("{n} trials fixed at the start or the end", n=fixed))
    if arrangement.in_rounds and max((trial.repetition for trial in shown), default=1) > 1:
        said.append(Sentence("every trial once before any comes again"))
    together = reduce(
        lambda one, other: Sentence("{one}; {other}", one=one, other=other), said or [Sentence("the order")]
    )
    return Sentence(
        "In {draws} draws, no order kept all of these rules: {rules}. Relax one of them.",
        draws=_CHECKED_DRAWS,
        rules=together,
    )

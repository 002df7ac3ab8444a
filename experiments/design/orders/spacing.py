"""Keep texts of the same item apart when a session shows an item several times. Pure.

Participants who read two versions of a text in succession compare them instead of judging each on its own.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")

_ROUNDS_PER_TRIAL = 20


def neighbours(ordered: Sequence[T], item: Callable[[T], Hashable]) -> list[int]:
    """Return the positions, from 1, whose item is the same as that of the position before.

    >>> neighbours("abba", str)
    [2]
    """
    return [place for place in range(1, len(ordered)) if item(ordered[place]) == item(ordered[place - 1])]


def spaced(
    ordered: Sequence[T],
    *,
    item: Callable[[T], Hashable],
    condition: Callable[[T], Hashable],
    rng: random.Random,
) -> list[T]:
    """Return the order with trials of the same condition swapped until no item follows itself.

    The sequence of conditions does not change, so it still satisfies the rules that it satisfied before. Adjacent
    repetitions that no swap removes are left; `neighbours` finds them.

    >>> cells = ["a1", "b1", "a2", "b3", "a3", "b2"]
    >>> apart = spaced(cells, item=lambda c: c[1], condition=lambda c: c[0], rng=random.Random(1))
    >>> [cell[0] for cell in apart], neighbours(apart, lambda c: c[1])
    (['a', 'b', 'a', 'b', 'a', 'b'], [])
    """
    cells = list(ordered)
    places: dict[Hashable, list[int]] = {}
    for place, cell in enumerate(cells):
        places.setdefault(condition(cell), []).append(place)

    def clashes_at(*around: int) -> int:
        pairs = {place for at in around for place in (at, at + 1) if 0 < place < len(cells)}
        return sum(item(cells[place]) == item(cells[place - 1]) for place in pairs)

    def clashes_after_exchange(a: int, b: int) -> int:
        cells[a], cells[b] = cells[b], cells[a]
        count = clashes_at(a, b)
        cells[a], cells[b] = cells[b], cells[a]
        return count

    for _ in range(_ROUNDS_PER_TRIAL * len(cells)):
        wrong = neighbours(cells, item)
        if not wrong:
            break
        # One of the two adjacent trials moves.
        here = rng.choice(wrong) - rng.randrange(2)
        others = [place for place in places[condition(cells[here])] if place != here]
        rng.shuffle(others)
        gains = [(clashes_after_exchange(here, place) - clashes_at(here, place), place) for place in others]
        if gains:
            gain, place = min(gains, key=lambda entry: entry[0])
            # A swap that makes nothing worse may make a helpful one possible.
            if gain <= 0:
                cells[here], cells[place] = cells[place], cells[here]
    return cells

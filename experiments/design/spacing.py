"""Keeping the texts of one item apart in an order in which an item comes several times. Pure: knows no Django.

Whoever reads two versions of a text directly after each other compares them instead of judging each by itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")

_ROUNDS_PER_TRIAL = 20


def neighbours(ordered: Sequence[T], item: Callable[[T], Hashable]) -> list[int]:
    """Return the places, from 1, at which something of the same item stands as directly before.

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
    """Return the order with trials of the same condition exchanged until no item follows itself.

    The sequence of conditions stays as it is, so whatever rule it keeps to it goes on to keep to. Where no exchange
    helps any more, what is left stays; `neighbours` tells.

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
        # One of the two that stand beside each other moves.
        here = rng.choice(wrong) - rng.randrange(2)
        others = [place for place in places[condition(cells[here])] if place != here]
        rng.shuffle(others)
        gains = [(clashes_after_exchange(here, place) - clashes_at(here, place), place) for place in others]
        if gains:
            gain, place = min(gains, key=lambda entry: entry[0])
            # An exchange that makes nothing worse may open the way for one that helps.
            if gain <= 0:
                cells[here], cells[place] = cells[place], cells[here]
    return cells

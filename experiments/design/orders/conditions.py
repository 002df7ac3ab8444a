"""Counterbalance the order of an item's conditions when a session shows all of them: random and balanced. Pure."""

from __future__ import annotations

import random


def balanced_orders(n_items: int, n_conditions: int, *, rng: random.Random) -> list[tuple[int, ...]]:
    """Return one order of the conditions for each item.

    The orders of k items in a row are the rows of a Latin square of size k whose rows, columns and conditions are
    permuted at random. So over any multiple of k items every condition is equally often at every place; within an
    incomplete square the numbers differ by at most one.

    Raises ValueError for a negative number of items or fewer than one condition.

    >>> orders = balanced_orders(4, 2, rng=random.Random(1))
    >>> [sorted(order) for order in orders], sum(order[0] for order in orders)
    ([[0, 1], [0, 1], [0, 1], [0, 1]], 2)
    """
    if n_items < 0:
        raise ValueError(f"There cannot be {n_items} items.")
    if n_conditions < 1:
        raise ValueError("There must be one condition at least.")
    orders: list[tuple[int, ...]] = []
    while len(orders) < n_items:
        rows, columns, names = (rng.sample(range(n_conditions), n_conditions) for _ in range(3))
        orders += [tuple(names[(row + column) % n_conditions] for column in columns) for row in rows]
    return orders[:n_items]

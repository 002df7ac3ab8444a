"""Williams designs: balanced orders of a study's parts over participants. Pure."""

from __future__ import annotations


def williams_orders(k: int) -> list[tuple[int, ...]]:
    """Return the orders of k things by the Williams design (1949): k orders if k is even, otherwise 2 k.

    Over all orders everything is equally often at every place and follows everything else equally often, so that
    neither fatigue nor first-order carry-over is confounded with one of them. The first row is 0, 1, k − 1, 2, k − 2,
    …; the others add 1, 2, … modulo k; for an odd k the same rows backwards are added.

    Raises ValueError for fewer than one thing.

    >>> williams_orders(2), williams_orders(3)
    ([(0, 1), (1, 0)], [(0, 1, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0), (0, 2, 1), (1, 0, 2)])
    """
    if k < 1:
        raise ValueError("There must be one part at least.")
    first = [0, *((place // 2 + 1) if place % 2 == 0 else k - (place // 2 + 1) for place in range(k - 1))]
    rows = [tuple((number + row) % k for number in first) for row in range(k)]
    return rows if k % 2 == 0 or k == 1 else rows + [row[::-1] for row in rows]

"""Balanced incomplete block designs: which conditions share a trial when not all of them fit into one. Pure.

A design of n conditions in blocks of k is balanced if every condition is in the same number of blocks (r) and every
pair of conditions meets in the same number of blocks (λ). Searched are cyclic designs (base blocks whose differences
modulo n, or modulo n − 1 with a fixed point, contain every number equally often; Bose 1939, *Annals of Eugenics* 9),
their complements, and the design of all subsets. If a balanced design needs too many blocks, the most efficient cyclic
design is used instead; its efficiency factor is then below that of a balanced design.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

Block = tuple[int, ...]

# No study could balance more blocks than this over its lists.
MOST_BLOCKS = 120
_MOST_CANDIDATES = 5_000


def pairs(n: int) -> tuple[Block, ...]:
    """Return all pairs of n conditions in the order of a round-robin tournament.

    In each round every condition is first once and second once (in the last round of an even number, one of the two),
    so that any n pairs in a row hold every condition about equally often at both places.

    Raises ValueError for fewer than two conditions.

    >>> pairs(3), pairs(4)
    (((0, 1), (1, 2), (2, 0)), ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)))
    """
    if n < 2:
        raise ValueError(f"Of {n} conditions no two can be compared.")
    return tuple(
        (first, (first + distance) % n)
        for distance in range(1, n // 2 + 1)
        for first in range(n // 2 if 2 * distance == n else n)
    )


@cache
def blocks(n: int, size: int) -> tuple[Block, ...]:
    """Return blocks of `size` out of n conditions: a balanced design if it has at most MOST_BLOCKS blocks.

    Raises ValueError if a block would hold fewer than two or more than n conditions.

    >>> blocks(3, 3), len(blocks(7, 3)), len(blocks(6, 3)), len(blocks(5, 4))
    (((0, 1, 2),), 7, 10, 5)
    """
    if not 2 <= size <= n:
        raise ValueError(f"Blocks of {size} cannot be made of {n} conditions.")
    if size == n:
        return (tuple(range(n)),)
    if size == 2:
        return pairs(n)
    found = _balanced(n, size)
    if found is None and n - size >= 2:
        others = pairs(n) if n - size == 2 else _balanced(n, n - size)
        found = None if others is None else tuple(_without(n, block) for block in others)
    if found is None and n - size == 1:
        found = tuple(_without(n, (left_out,)) for left_out in range(n))
    if found is not None and len(found) <= MOST_BLOCKS:
        return found
    if math.comb(n, size) <= MOST_BLOCKS:
        return tuple(combinations(range(n), size))
    return _most_efficient_cycle(n, size)


def meetings(n: int, made: Sequence[Block]) -> list[list[int]]:
    """Return the concurrence matrix: how often each pair of conditions shares a block; the diagonal counts blocks.

    >>> meetings(3, pairs(3))
    [[2, 1, 1], [1, 2, 1], [1, 1, 2]]
    """
    table = [[0] * n for _ in range(n)]
    for block in made:
        for one in block:
            for other in block:
                table[one][other] += 1
    return table


def is_balanced(n: int, made: Sequence[Block]) -> bool:
    """Return whether every condition is in the same number of blocks, and every pair of conditions too.

    >>> is_balanced(7, blocks(7, 3)), is_balanced(4, [(0, 1), (2, 3)])
    (True, False)
    """
    table = meetings(n, made)
    diagonal = {table[one][one] for one in range(n)}
    beside = {table[one][other] for one, other in combinations(range(n), 2)}
    return len(diagonal) == 1 and len(beside) == 1


def efficiency(n: int, made: Sequence[Block]) -> float:
    """Return the efficiency factor: the precision of a comparison of two conditions relative to complete blocks.

    Balanced blocks of k: E = λ n / (r k). Cyclic ones: the harmonic mean of the canonical factors 1 − μ_j / (r k), with
    μ_j = Σ_d c_d cos(2π j d / n) over the meetings c_d of conditions d apart (John & Williams 1995, *Cyclic and
    computer generated designs*).

    Raises ValueError for blocks that are neither balanced nor cyclic. 0 means that the design is disconnected: some
    conditions never meet, not even through others.

    >>> round(efficiency(7, blocks(7, 3)), 3), efficiency(3, blocks(3, 3)), efficiency(3, pairs(3))
    (0.778, 1.0, 0.75)
    """
    table = meetings(n, made)
    times, size = table[0][0], len(made[0])
    if is_balanced(n, made):
        return table[0][1] * n / (times * size)
    row = table[0]
    if any(table[one][other] != row[(other - one) % n] for one in range(n) for other in range(n)):
        raise ValueError("The blocks are neither balanced nor cyclic.")
    factors = [
        1 - sum(row[d] * math.cos(2 * math.pi * j * d / n) for d in range(n)) / (times * size) for j in range(1, n)
    ]
    return 0.0 if min(factors) < 1e-9 else (n - 1) / sum(1 / factor for factor in factors)


def _without(n: int, left_out: Block) -> Block:
    return tuple(condition for condition in range(n) if condition not in left_out)


def _balanced(n: int, size: int) -> tuple[Block, ...] | None:
    """Return a balanced design from one or two base blocks, with or without a fixed point; None if none is found."""
    if math.comb(n - 1, size - 1) > _MOST_CANDIDATES:
        return None
    return _from_bases(n, size) or (_with_fixed_point(n, size) if n > 3 else None)


def _from_bases(n: int, size: int) -> tuple[Block, ...] | None:
    candidates = list(_candidates(n, size))
    for number in (1, 2):
        if size * (size - 1) * number % (n - 1):
            continue
        bases = _bases(n, candidates, candidates if number == 2 else None, size * (size - 1) * number // (n - 1))
        if bases:
            return _developed(n, bases)
    return None


def _with_fixed_point(n: int, size: int) -> tuple[Block, ...] | None:
    """Rotate conditions 0 … n − 2 and keep the last one fixed; it is in one or both of the base blocks."""
    turning = n - 1
    fixed, free = list(_candidates(turning, size - 1)), list(_candidates(turning, size))
    for held, others in ((fixed, free), (fixed, fixed)):
        wanted = (size - 1) * (1 if others is free else 2)
        bases = _bases(turning, held, others, wanted)
        if bases:
            return tuple((*block, turning) if len(block) < size else block for block in _developed(turning, bases))
    return None


def _candidates(n: int, size: int) -> Iterator[Block]:
    return ((0, *rest) for rest in combinations(range(1, n), size - 1))


def _differences(n: int, block: Block) -> tuple[int, ...]:
    """Return how often each difference 1 … n // 2 occurs; n / 2 counts twice, once from each end."""
    counted = Counter((one - other) % n for one in block for other in block if one != other)
    return tuple(counted[difference] for difference in range(1, n // 2 + 1))


def _bases(n: int, first: Sequence[Block], second: Sequence[Block] | None, wanted: int) -> tuple[Block, ...] | None:
    """Return one block, or one of each, whose differences together occur `wanted` times each."""
    half = n // 2
    if second is None:
        return next(((block,) for block in first if _differences(n, block) == (wanted,) * half), None)
    by_differences: dict[tuple[int, ...], Block] = {}
    for block in second:
        by_differences.setdefault(_differences(n, block), block)
    for block in first:
        rest = tuple(wanted - count for count in _differences(n, block))
        if rest in by_differences:
            return block, by_differences[rest]
    return None


def _developed(n: int, bases: Sequence[Block]) -> tuple[Block, ...]:
    return tuple(tuple((place + turn) % n for place in base) for base in bases for turn in range(n))


def _most_efficient_cycle(n: int, size: int) -> tuple[Block, ...]:
    best: tuple[float, tuple[Block, ...]] = (-1.0, ())
    seen: set[tuple[int, ...]] = set()
    for number, base in enumerate(_candidates(n, size)):
        if number > _MOST_CANDIDATES:
            break
        differences = _differences(n, base)
        if differences in seen:
            continue
        seen.add(differences)
        made = _developed(n, (base,))
        worth = efficiency(n, made)
        if worth > best[0]:
            best = (worth, made)
    return best[1]

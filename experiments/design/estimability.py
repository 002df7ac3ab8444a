"""What an incomplete design can tell: which conditions items connect, and how precisely they are compared. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

T = TypeVar("T", bound=Collection[int])


def connected(cells: Iterable[T]) -> list[list[T]]:
    """Return items in groups, so that no two groups have a condition in common; each in the order given.

    Within a group any two conditions are compared within items, be it by way of others: a group with k conditions has
    k − 1 contrasts that differences between items do not disturb. Between groups there is none.

    >>> connected([(0, 1), (2, 3), (1, 4)])
    [[(0, 1), (1, 4)], [(2, 3)]]
    """
    items = list(cells)
    leader: dict[int, int] = {}

    def led(condition: int) -> int:
        while leader.setdefault(condition, condition) != condition:
            condition = leader[condition]
        return condition

    for conditions in dict.fromkeys(frozenset(own) for own in items):
        first, *others = {led(condition) for condition in conditions}
        leader.update(dict.fromkeys(others, first))
    groups: dict[int, list[T]] = {}
    for own in items:
        groups.setdefault(led(next(iter(own))), []).append(own)
    return list(groups.values())


def efficiency(cells: Sequence[Collection[int]]) -> float:
    """Return the efficiency factor: the precision of comparisons within items relative to items in every condition.

    Every item is shown equally often, in each of its c conditions in 1 / c of the cases, and its own effect is
    estimated. The information matrix of k conditions and n items is C = Σ_i (D_i / c_i − 1_i 1_i′ / c_i²), with 1_i the
    indicator of the conditions of item i and D_i its diagonal matrix. The factor is the trace of the pseudoinverse of C
    for complete items, (k − 1) k / n, divided by that of the items given (John & Williams 1995, *Cyclic and computer
    generated designs*, chapter 2). Groups of items without a common condition are summed. 1 where every item has all
    conditions of its group.

    >>> round(efficiency([(0, 1), (1, 2), (2, 0)]), 3), efficiency([(0, 1), (0, 1), (2, 3)])
    (0.75, 1.0)
    """
    complete = actual = 0.0
    for group in connected(cells):
        conditions = sorted({condition for own in group for condition in own})
        k = len(conditions)
        place = {condition: number for number, condition in enumerate(conditions)}
        # C + J / k is regular, and its inverse is the pseudoinverse of C plus J / k, whose trace is 1.
        matrix = [[1 / k] * k for _ in range(k)]
        for own in group:
            for one in own:
                matrix[place[one]][place[one]] += 1 / len(own)
                for other in own:
                    matrix[place[one]][place[other]] -= 1 / len(own) ** 2
        complete += (k - 1) * k / len(group)
        actual += _trace_of_inverse(matrix) - 1
    return complete / actual if actual > 1e-12 else 1.0


def _trace_of_inverse(matrix: Sequence[Sequence[float]]) -> float:
    """Return the trace of the inverse of a positive definite matrix, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(one == other) for other in range(size))] for one, row in enumerate(matrix)]
    for one in range(size):
        pivot = rows[one][one]
        rows[one] = [value / pivot for value in rows[one]]
        for other in range(size):
            if other != one and rows[other][one]:
                factor = rows[other][one]
                rows[other] = [value - factor * own for value, own in zip(rows[other], rows[one], strict=True)]
    return sum(rows[one][size + one] for one in range(size))


def independent_effects(factors: Sequence[str], conditions: Sequence[dict[str, str]]) -> list[tuple[str, ...]]:
    """Return main effects and interactions that conditions let a model estimate as a whole, in the order of a formula.

    `conditions` give a level of every factor. Effects are taken in turn, main effects first; one is left out where its
    columns are not independent of those before. Of nested factors the coarser one is left out: its contrasts are among
    those of the finer one.

    >>> crossed = [{"a": a, "b": b} for a in "xy" for b in "uv"]
    >>> independent_effects(["a", "b"], crossed), independent_effects(["a", "b"], crossed[:3])
    ([('a',), ('b',), ('a', 'b')], [('a',), ('b',)])
    >>> independent_effects(["kind", "word"], [{"kind": w[0], "word": w} for w in ("a1", "a2", "b1", "b2")])
    [('word',)]
    """
    names = [name for name in factors if len({condition[name] for condition in conditions}) > 1]
    coarse = {
        one
        for number, one in enumerate(names)
        for place, other in enumerate(names)
        if one != other
        and _follows(one, other, conditions)
        and (place < number or not _follows(other, one, conditions))
    }
    names = [name for name in names if name not in coarse]
    kept: list[tuple[str, ...]] = []
    basis = _Basis(len(conditions))
    basis.add([[1.0] * len(conditions)])
    for order in range(1, len(names) + 1):
        for effect in combinations(names, order):
            has_parts = order == 1 or all(part in kept for part in combinations(effect, order - 1))
            if has_parts and basis.add(_columns(effect, conditions)):
                kept.append(effect)
    return kept


def _follows(one: str, other: str, conditions: Sequence[dict[str, str]]) -> bool:
    """Whether the level of the one factor follows from that of the other."""
    return len({(c[one], c[other]) for c in conditions}) == len({c[other] for c in conditions})


def _columns(effect: Sequence[str], conditions: Sequence[dict[str, str]]) -> list[list[float]]:
    """Return the sum-coded columns of an effect over conditions."""
    columns = [[1.0] * len(conditions)]
    for name in effect:
        levels = list(dict.fromkeys(condition[name] for condition in conditions))
        coded = [
            [1.0 if c[name] == level else -1.0 if c[name] == levels[-1] else 0.0 for c in conditions]
            for level in levels[:-1]
        ]
        columns = [[own * new for own, new in zip(column, by, strict=True)] for column in columns for by in coded]
    return columns


class _Basis:
    """Orthogonal columns, to which further ones are added only where all of them are independent."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.kept: list[list[float]] = []

    def add(self, columns: Sequence[Sequence[float]]) -> bool:
        """Add the columns, and return whether they are independent of each other and of those before."""
        new: list[list[float]] = []
        for column in columns:
            rest = list(column)
            for one in [*self.kept, *new]:
                share = sum(a * b for a, b in zip(rest, one, strict=True))
                rest = [a - share * b for a, b in zip(rest, one, strict=True)]
            length = sum(a * a for a in rest) ** 0.5
            if length < 1e-9:
                return False
            new.append([a / length for a in rest])
        self.kept += new
        return True

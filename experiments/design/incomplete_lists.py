"""Lists of an incomplete design, in which items exist in some of the conditions only. Pure.

Every list shows every item once, every text of an item is in equally many lists, and within a list no condition occurs
more than once more often than in another list. Such lists always exist: texts and lists are an equitable edge colouring
of the bipartite graph of items and conditions (de Werra 1971, *Cahiers du Centre d'Études de Recherche Opérationnelle*
13). For two lists they are the two directions of an Eulerian orientation of the graph whose vertices are conditions and
whose edges are items.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Sequence

# More lists than this no study could fill.
MOST_LISTS = 60
# How often lists that are equally good are exchanged in the hope of better ones.
_SIDE_STEPS = 400

Cells = Sequence[Sequence[int]]


def number_of_lists(sizes: Iterable[int]) -> int:
    """Return the smallest number of lists in which texts are seen equally often, for items of so many texts.

    It is the least common multiple; where that is greater than MOST_LISTS, the greatest number of texts of an item.

    >>> number_of_lists([2, 2, 2]), number_of_lists([2, 3]), number_of_lists([3, 5, 7]), number_of_lists([])
    (2, 6, 7, 1)
    """
    found = sorted(set(sizes))
    multiple = math.lcm(*found)
    return multiple if multiple <= MOST_LISTS else found[-1]


def lists(cells: Cells, n_lists: int, groups: Sequence[Collection[int]] = ()) -> list[list[int]]:
    """Return `n_lists` lists; entry i of a list is which of its cells item i is shown in.

    `cells` are the conditions of every item, each at most once. Every list shows every item once; every text is in as
    many lists as any other text of its item, or one more where `n_lists` is no multiple of their number; the frequency
    of a condition differs by at most one between lists. `groups` are sets of conditions, such as the levels of a
    factor, whose frequencies are then brought as close together as exchanges of texts between lists bring them.

    >>> lists([(0, 1), (1, 2), (2, 0)], 2)
    [[1, 1, 1], [0, 0, 0]]
    >>> lists([(0, 1), (0, 1), (0, 2), (1, 2)], 2)
    [[0, 1, 0, 1], [1, 0, 1, 0]]
    """
    shown = [[(item + number) % len(own) for item, own in enumerate(cells)] for number in range(n_lists)]
    made = _Lists(cells, shown)
    made.even_out()
    made.even_out_groups([frozenset(group) for group in groups])
    return made.shown


class _Lists:
    """Lists that are being changed; `counts` of each, by condition."""

    def __init__(self, cells: Cells, shown: list[list[int]]) -> None:
        self.cells, self.shown = cells, shown
        self.counts = [Counter(own[place] for own, place in zip(cells, of, strict=True)) for of in shown]
        self.conditions = sorted({condition for own in cells for condition in own})

    def even_out(self) -> None:
        """Reorient pairs of lists until each condition occurs equally often in all of them, give or take one.

        Each turn makes the sum of the squared frequencies smaller: what differed by one at most keeps its difference.
        """
        at_work = True
        while at_work:
            at_work = False
            for condition in self.conditions:
                most = max(range(len(self.shown)), key=lambda one: self.counts[one][condition])
                least = min(range(len(self.shown)), key=lambda one: self.counts[one][condition])
                if self.counts[most][condition] - self.counts[least][condition] > 1:
                    self._orient(most, least)
                    at_work = True

    def _orient(self, one: int, other: int) -> None:
        """Share the texts of two lists along Eulerian trails: a condition is left as often as it is entered."""
        edges = self._edges(one, other)
        ends: list[tuple[int, int]] = [(a, b) for _item, a, b in edges]
        at: dict[int, list[int]] = defaultdict(list)
        for number, (a, b) in enumerate(ends):
            at[a].append(number)
            at[b].append(number)
        # Odd conditions are joined to one more vertex, which makes every degree even.
        for condition in [condition for condition in at if len(at[condition]) % 2]:
            at[condition].append(len(ends))
            at[-1].append(len(ends))
            ends.append((condition, -1))
        used = [False] * len(ends)
        for start in list(at):
            here = start
            while at[here]:
                number = at[here].pop()
                if used[number]:
                    continue
                used[number] = True
                a, b = ends[number]
                if here == b and number < len(edges):
                    self._exchange(edges[number][0], one, other)
                here = b if here == a else a

    def _edges(self, one: int, other: int) -> list[tuple[int, int, int]]:
        """Return the items that two lists show differently, each with its condition in either."""
        return [
            (item, own[mine], own[theirs])
            for item, (own, mine, theirs) in enumerate(zip(self.cells, self.shown[one], self.shown[other], strict=True))
            if mine != theirs
        ]

    def _exchange(self, item: int, one: int, other: int) -> None:
        mine, theirs = self.shown[one][item], self.shown[other][item]
        self.shown[one][item], self.shown[other][item] = theirs, mine
        for number, lost, won in ((one, mine, theirs), (other, theirs, mine)):
            self.counts[number][self.cells[item][lost]] -= 1
            self.counts[number][self.cells[item][won]] += 1

    def even_out_groups(self, groups: Sequence[frozenset[int]]) -> None:
        """Exchange texts along paths between two lists while that brings the frequencies of groups closer together.

        A path from a condition that the one list has once more often to one that the other has once more often changes
        no frequency of a condition beyond that. Where no path helps, one that does no harm is tried.
        """
        rng = random.Random(0)  # noqa: S311 - the same table gives the same lists
        steps = _SIDE_STEPS
        best, kept = self._unevenness(groups), None
        while best and steps:
            move = self._move(groups, rng)
            if move is None:
                break
            gain, one, other, path = move
            if gain >= 0:
                steps -= 1
            for item in path:
                self._exchange(item, one, other)
            uneven = self._unevenness(groups)
            if uneven < best:
                best, kept = uneven, [list(of) for of in self.shown]
        if kept is not None:
            self.shown = kept

    def _frequency(self, number: int, group: frozenset[int]) -> int:
        return sum(self.counts[number][condition] for condition in group)

    def _unevenness(self, groups: Sequence[frozenset[int]]) -> int:
        """Return by how much more than one the frequencies of groups differ between lists, summed over groups."""
        said = ([self._frequency(number, group) for number in range(len(self.shown))] for group in groups)
        return sum(max(0, max(of) - min(of) - 1) for of in said)

    def _move(self, groups: Sequence[frozenset[int]], rng: random.Random) -> tuple[int, int, int, list[int]] | None:
        """Return the exchange that helps most, or any that does no harm: what it costs, both lists, and the items."""
        found: list[tuple[int, float, int, int, int, int]] = []
        for group in groups:
            of = [self._frequency(number, group) for number in range(len(self.shown))]
            one, other = of.index(max(of)), of.index(min(of))
            if of[one] - of[other] < 2:
                continue
            ahead = {each: self._frequency(one, each) - self._frequency(other, each) for each in groups}
            more = [c for c in self.conditions if self.counts[one][c] - self.counts[other][c] == 1]
            less = [c for c in self.conditions if self.counts[one][c] - self.counts[other][c] == -1]
            for a in more:
                for b in less:
                    cost = sum(
                        2 - 2 * by if a in each else 2 + 2 * by
                        for each, by in ahead.items()
                        if (a in each) != (b in each)
                    )
                    if cost <= 0:
                        found.append((cost, rng.random(), one, other, a, b))
        for cost, _any, one, other, a, b in sorted(found):
            path = self._path(one, other, a, b)
            if path is not None:
                return cost, one, other, path
        return None

    def _path(self, one: int, other: int, start: int, end: int) -> list[int] | None:
        """Return items that lead from a condition of the one list to a condition of the other; None if none do."""
        onward: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for item, a, b in self._edges(one, other):
            onward[a].append((b, item))
        came: dict[int, tuple[int, int]] = {}
        waiting = deque([start])
        while waiting and end not in came:
            here = waiting.popleft()
            for there, item in onward[here]:
                if there not in came and there != start:
                    came[there] = (here, item)
                    waiting.append(there)
        if end not in came:
            return None
        path, here = [], end
        while here != start:
            here, item = came[here]
            path.append(item)
        return path

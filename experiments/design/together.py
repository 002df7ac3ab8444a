"""Lists for trials that show several conditions of an item: which conditions, at which places. Pure.

The square is one over blocks and their turns: with B blocks of k conditions and list g, item i is shown in block (i +
g) mod B, turned by (⌊i / B⌋ + ⌊g / B⌋) mod k places. Over all B · k lists every item is shown in every block at every
turn once; within a list, over any B · k items in a row, every block occurs at every turn once. For pairs, the blocks
are the pairs of conditions and the turns are the two sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from experiments.design.incomplete_blocks import Block, blocks, efficiency, is_balanced

# Most lists of a study; with many conditions these are a sample spread over the square.
MOST_LISTS = 60


@dataclass(frozen=True)
class TogetherDesign:
    """What is shown together: blocks of conditions (numbers from 0), and how many of them a session shows per item.

    `is_adaptive`: each session's blocks are chosen when it begins; there is one list then.
    """

    n_conditions: int
    blocks: tuple[Block, ...]
    per_item: int = 1
    is_adaptive: bool = False

    @property
    def size(self) -> int:
        """How many conditions one trial shows."""
        return len(self.blocks[0])

    @property
    def shows_all(self) -> bool:
        """Whether a session shows every item in every block."""
        return self.per_item == len(self.blocks)

    @property
    def n_lists(self) -> int:
        """How many lists there are."""
        return 1 if self.is_adaptive else min(self._places, MOST_LISTS)

    @property
    def is_exact(self) -> bool:
        """Whether the lists are the complete square, so that everything is balanced over them."""
        return not self.is_adaptive and self._places <= MOST_LISTS

    @property
    def efficiency(self) -> float:
        """The efficiency factor of the blocks."""
        return efficiency(self.n_conditions, self.blocks)

    @property
    def is_balanced(self) -> bool:
        """Whether every pair of conditions meets equally often over the blocks."""
        return is_balanced(self.n_conditions, self.blocks)

    @property
    def _places(self) -> int:
        return self.size if self.shows_all else len(self.blocks) * self.size

    def shown(self, n_items: int, list_index: int) -> list[list[Block]]:
        """Return for each item the conditions of its trials, each from the first place to the last.

        Raises ValueError for an adaptive design, whose blocks are not known before a session, or an unknown list.

        >>> design = together_design(3, size=2)
        >>> design.n_lists, [design.shown(3, index) for index in (0, 1, 3)]
        (6, [[[(0, 1)], [(1, 2)], [(2, 0)]], [[(1, 2)], [(2, 0)], [(0, 1)]], [[(1, 0)], [(2, 1)], [(0, 2)]]])
        """
        if self.is_adaptive:
            raise ValueError("What an adaptive session shows is decided when it begins.")
        if not 0 <= list_index < self.n_lists:
            raise ValueError(f"There is no list {list_index}; there are {self.n_lists}.")
        start = list_index * self._places // self.n_lists
        if self.shows_all:
            start *= len(self.blocks)
        return [[self._block(item, start, number) for number in range(self.per_item)] for item in range(n_items)]

    def _block(self, item: int, start: int, number: int) -> Block:
        count = len(self.blocks)
        block = self.blocks[(item + start + number * count // self.per_item) % count]
        return turned(block, item // count + start // count + number)


def together_design(
    n_conditions: int, *, size: int, per_item: int = 1, every: bool = False, is_adaptive: bool = False
) -> TogetherDesign:
    """Return the design for trials of `size` conditions; with `every` each session has every item in every block.

    Raises ValueError if that many conditions cannot be shown together, or an item has fewer blocks than requested.
    """
    made = blocks(n_conditions, size)
    if every:
        per_item = len(made)
    if not 1 <= per_item <= len(made):
        raise ValueError(f"An item has {len(made)} blocks and cannot be shown in {per_item} of them.")
    return TogetherDesign(n_conditions, made, per_item, is_adaptive)


def turned(block: Sequence[int], by: int) -> Block:
    """Return the conditions rotated: the first `by` of them moved to the end.

    >>> turned((0, 1, 2), 1)
    (1, 2, 0)
    """
    by %= len(block)
    return (*block[by:], *block[:by])

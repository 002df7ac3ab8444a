"""Latin-square lists: which condition of each item a list shows.

Pure: no Django, no database.
"""

from __future__ import annotations


def lists(n_items: int, n_conditions: int) -> list[list[int]]:
    """Return `n_conditions` lists; entry i of list g is the condition in which list g shows item i: (i + g) mod k.

    Each list shows each item once; over all lists each item appears in each condition once; within a list the
    frequencies of the conditions differ by at most one, and are equal if `n_conditions` divides `n_items`.

    Raises ValueError for a negative number of items or fewer than one condition.

    >>> lists(4, 2)
    [[0, 1, 0, 1], [1, 0, 1, 0]]
    >>> lists(3, 3)
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    """
    if n_items < 0:
        raise ValueError(f"A Latin square cannot have {n_items} items.")
    if n_conditions < 1:
        raise ValueError("A Latin square needs at least one condition.")
    return [[(item + group) % n_conditions for item in range(n_items)] for group in range(n_conditions)]


def is_balanced(n_items: int, n_conditions: int) -> bool:
    """Return whether every list shows every condition equally often, that is, whether k divides n.

    >>> is_balanced(32, 8), is_balanced(30, 8)
    (True, False)
    """
    return n_items % n_conditions == 0

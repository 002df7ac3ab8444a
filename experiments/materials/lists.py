"""The lists of a design: a Latin square for each item set, or every text of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.design import latin_square
from experiments.formats.faults import Fault
from experiments.materials.shapes import Design, DesignItem, DesignList


def lists_of(
    items: Sequence[DesignItem], n_conditions: int, *, item_sets: str = "together", conditions: str = "one"
) -> tuple[DesignList, ...]:
    """Return the lists: a Latin square over the targets of each item set, in the order of the materials.

    With `conditions` "all" nothing is rotated: a list shows its items in every condition, so that there is one list,
    or one for each item set where they are "apart".
    """
    by_set: dict[str, list[int]] = {}
    for position, item in enumerate(items):
        if item.is_target:
            by_set.setdefault(item.item_set, []).append(position)
    if conditions == "all":
        return _lists_of_everything(items, by_set, apart=item_sets == "apart" and len(by_set) > 1)
    lists: list[DesignList] = []
    together: list[list[tuple[int, int]]] = [[] for _ in range(n_conditions)]
    for item_set, positions in by_set.items():
        for index, shown in enumerate(latin_square.lists(len(positions), n_conditions)):
            cells = list(zip(positions, shown, strict=True))
            if item_sets == "apart" and len(by_set) > 1:
                lists.append(DesignList(item_set, index, tuple(cells)))
            else:
                together[index] += cells
    if lists:
        return tuple(lists)
    return tuple(DesignList("", index, tuple(sorted(cells))) for index, cells in enumerate(together) if cells)


def _lists_of_everything(
    items: Sequence[DesignItem], by_set: Mapping[str, Sequence[int]], *, apart: bool
) -> tuple[DesignList, ...]:
    groups = by_set if apart else {"": sorted(position for positions in by_set.values() for position in positions)}
    return tuple(
        DesignList(
            name,
            0,
            tuple((position, number) for position in positions for number in range(len(items[position].stimuli))),
        )
        for name, positions in groups.items()
        if positions
    )


def with_lists(design: Design, procedure: Mapping[str, Any]) -> Design:
    """Return the design with the lists that a procedure asks for, without warnings about squares it does not make."""
    n_conditions = max(1, len(design.conditions))
    conditions = procedure.get("conditions", "one")
    lists = lists_of(
        design.items, n_conditions, item_sets=procedure.get("item_sets", "together"), conditions=conditions
    )
    needless = size_warnings(design.items, n_conditions) if conditions == "all" else []
    return replace(
        design, lists=lists, warnings=tuple(warning for warning in design.warnings if warning not in needless)
    )


def size_warnings(items: Sequence[DesignItem], n_conditions: int) -> list[Fault]:
    """Return a warning for each item set whose items cannot be shared equally among the conditions."""
    if n_conditions < 2:
        return []
    warnings = []
    k = n_conditions
    for item_set, n in Counter(item.item_set for item in items if item.is_target).items():
        if latin_square.is_balanced(n, k):
            continue
        where = f"The item set '{item_set}' has" if item_set else "There are"
        message = (
            f"{where} {n} items in {k} conditions: {k} does not divide {n}, so within a list some conditions have one "
            "item more than others."
        )
        fewer = f"{n - n % k} or " if n > k else ""
        suggestion = f"Use {fewer}{n - n % k + k} items for equal numbers."
        warnings.append(Fault(message=message, suggestion=suggestion, step="materials"))
    return warnings

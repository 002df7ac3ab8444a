"""Make the lists of a design: a Latin square for each item set, or all of its texts.

If a paradigm shows several conditions of an item in one trial, its design determines the number of lists. Each of them
contains every text of its items; which texts share a trial follows from the number of the list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.design import latin_square
from experiments.design.incomplete_blocks import blocks
from experiments.design.together import TogetherDesign
from experiments.formats.faults import Fault
from experiments.materials.shapes import Design, DesignItem, DesignList
from experiments.models import Study
from experiments.paradigms import PARADIGMS, UnknownParadigm, paradigm_named
from experiments.sentences import Sentence


def lists_of(
    items: Sequence[DesignItem],
    n_conditions: int,
    *,
    item_sets: str = "together",
    conditions: str = "one",
    per_item: int = 2,
    copies: int = 0,
) -> tuple[DesignList, ...]:
    """Return the lists: by default a Latin square over the targets of each item set, in the order of the materials.

    With `conditions` "all" nothing is rotated: a list shows its items in every condition, so there is one list, or one
    per item set if these are "apart". With "several" a list shows `per_item` conditions of an item: a block of a
    balanced incomplete block design (`design.incomplete_blocks`), so that over the lists any two conditions of an item
    meet equally often where such a design exists. With `copies`, too, every list shows its items in every condition,
    and each list exists this many times.
    """
    by_set: dict[str, list[int]] = {}
    for position, item in enumerate(items):
        if item.is_target:
            by_set.setdefault(item.item_set, []).append(position)
    if conditions == "several" and per_item >= n_conditions:
        conditions = "all"
    if copies or conditions == "all":
        apart = item_sets == "apart" and len(by_set) > 1
        return _lists_of_everything(items, by_set, apart=apart, copies=copies or 1)
    lists: list[DesignList] = []
    shown_by = blocks(n_conditions, per_item) if conditions == "several" else [(n,) for n in range(n_conditions)]
    together: list[list[tuple[int, int]]] = [[] for _ in shown_by]
    for item_set, positions in by_set.items():
        for index, shown in enumerate(latin_square.lists(len(positions), len(shown_by))):
            cells = [
                (position, number)
                for position, block in zip(positions, shown, strict=True)
                for number in sorted(shown_by[block])
            ]
            if item_sets == "apart" and len(by_set) > 1:
                lists.append(DesignList(item_set, index, tuple(cells)))
            else:
                together[index] += cells
    if lists:
        return tuple(lists)
    return tuple(DesignList("", index, tuple(sorted(cells))) for index, cells in enumerate(together) if cells)


def _lists_of_everything(
    items: Sequence[DesignItem], by_set: Mapping[str, Sequence[int]], *, apart: bool, copies: int
) -> tuple[DesignList, ...]:
    groups = by_set if apart else {"": sorted(position for positions in by_set.values() for position in positions)}
    return tuple(
        DesignList(
            name,
            index,
            tuple((position, number) for position in positions for number in range(len(items[position].stimuli))),
        )
        for name, positions in groups.items()
        if positions
        for index in range(copies)
    )


def together_design_of(paradigm: str, settings: Mapping[str, Any], n_conditions: int) -> TogetherDesign | None:
    """Return the block design of the paradigm with this name; None if it shows every text by itself, or cannot yet."""
    try:
        return paradigm_named(paradigm).together_design(n_conditions, settings)
    except (UnknownParadigm, ValueError):
        return None


def with_lists(
    design: Design, procedure: Mapping[str, Any], *, paradigm: str = "", settings: Mapping[str, Any] | None = None
) -> Design:
    """Return the design with the lists that a procedure needs, without warnings about squares that it does not make.

    The lists of a `paradigm` that shows several conditions of an item together follow from its `settings`.
    """
    n_conditions = max(1, len(design.conditions))
    conditions = procedure.get("conditions", "one")
    together = together_design_of(paradigm, settings or {}, n_conditions)
    lists = lists_of(
        design.items,
        n_conditions,
        item_sets=procedure.get("item_sets", "together"),
        conditions=conditions,
        per_item=procedure.get("conditions_per_item", 2),
        copies=together.n_lists if together else 0,
    )
    needless = size_warnings(design.items, n_conditions) if together or conditions != "one" else []
    return replace(
        design, lists=lists, warnings=tuple(warning for warning in design.warnings if warning not in needless)
    )


def size_warnings(items: Sequence[DesignItem], n_conditions: int) -> list[Fault]:
    """Return a warning for each item set whose number of items is not a multiple of the number of conditions."""
    if n_conditions < 2:
        return []
    warnings = []
    k = n_conditions
    for item_set, n in Counter(item.item_set for item in items if item.is_target).items():
        if latin_square.is_balanced(n, k):
            continue
        message = Sentence(
            "There are {n} items in {k} conditions: {k} does not divide {n}, so within a list some conditions have one "
            "item more than others.",
            n=n,
            k=k,
        )
        if item_set:
            message = Sentence(
                "The item set '{item_set}' has {n} items in {k} conditions: {k} does not divide {n}, so within a list "
                "some conditions have one item more than others.",
                item_set=item_set,
                n=n,
                k=k,
            )
        suggestion = Sentence("Use {more} items for equal numbers.", more=n - n % k + k)
        if n > k:
            fewer = n - n % k
            suggestion = Sentence("Use {fewer} or {more} items for equal numbers.", fewer=fewer, more=fewer + k)
        warnings.append(Fault(message=message, suggestion=suggestion, step="materials"))
    return warnings


def shown_together(study: Study) -> TogetherDesign | None:
    """Return the block design of a stored study; None if every text has its own trial."""
    if not any(paradigm.slug == study.paradigm and paradigm.shows_several for paradigm in PARADIGMS):
        return None
    return together_design_of(study.paradigm, study.settings, max(1, study.conditions.count()))

"""Make the lists of a design: a Latin square for each item set, balanced lists of an incomplete one, or all texts.

If a paradigm shows several conditions of an item in one trial, its design determines the number of lists. Each of them
contains every text of its items; which texts share a trial follows from the number of the list.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from experiments.design import incomplete_lists, latin_square
from experiments.design.incomplete_blocks import blocks
from experiments.design.together import TogetherDesign
from experiments.formats.faults import Fault
from experiments.materials.incomplete import ItemSet, item_sets_of
from experiments.materials.shapes import Design, DesignCondition, DesignItem, DesignList
from experiments.models import Study
from experiments.paradigms import PARADIGMS, UnknownParadigm, paradigm_named
from experiments.sentences import Sentence


def lists_of(
    items: Sequence[DesignItem],
    conditions: Sequence[DesignCondition],
    *,
    item_sets: str = "together",
    shown: str = "one",
    per_item: int = 2,
    copies: int = 0,
) -> tuple[DesignList, ...]:
    """Return the lists: by default each item once, in the order of the materials.

    A set whose items are all in the same conditions is rotated by a Latin square of its own, any other by the lists of
    an incomplete design. There are as many lists as let every text be seen equally often.

    With `shown` "all" nothing is rotated: a list shows its items in every condition, so there is one list, or one
    per item set if these are "apart". With "several" a list shows `per_item` conditions of an item: a block of a
    balanced incomplete block design (`design.incomplete_blocks`), so that over the lists any two conditions of an item
    meet equally often where such a design exists. With `copies`, too, every list shows its items in every condition,
    and each list exists this many times.
    """
    sets = item_sets_of(items)
    names = list(dict.fromkeys(of.name for of in sets))
    apart = item_sets == "apart" and len(names) > 1
    by_name = [[of for of in sets if of.name == name] for name in names]
    if copies or shown == "all":
        return _lists_of_everything(items, sets, apart=apart, copies=copies or 1)
    if shown == "several":
        groups = by_name if apart else [sets]
        return tuple(made for group in groups for made in _of_several(items, group, per_item, apart=apart))
    if apart:
        return tuple(made for group in by_name for made in _balanced(group, conditions, name=group[0].name))
    return _balanced(sets, conditions)


def _of_several(
    items: Sequence[DesignItem], sets: Sequence[ItemSet], per_item: int, *, apart: bool
) -> Iterator[DesignList]:
    """Yield the lists that show several conditions of each item: one block of them, the next one on the next list."""
    cells: dict[int, Sequence[Sequence[int]]] = {}
    for of in sets:
        for place, position in enumerate(of.places):
            n = len(items[position].stimuli)
            shown_by = blocks(n, per_item) if 2 <= per_item < n else (tuple(range(n)),)
            turn = place % len(shown_by)
            cells[position] = [*shown_by[turn:], *shown_by[:turn]]
    for index in range(math.lcm(*(len(own) for own in cells.values())) if cells else 0):
        shown = [(position, number) for position, own in cells.items() for number in sorted(own[index % len(own)])]
        yield DesignList(sets[0].name if apart else "", index, tuple(sorted(shown)))


def _balanced(
    sets: Sequence[ItemSet], conditions: Sequence[DesignCondition], *, name: str = ""
) -> tuple[DesignList, ...]:
    """Return the lists of sets that everybody sees together."""
    n_lists = incomplete_lists.number_of_lists(len(own) for of in sets for own in of.cells)
    cells: list[list[tuple[int, int]]] = [[] for _ in range(n_lists if sets else 0)]
    for of in sets:
        if of.is_complete:
            square = latin_square.lists(len(of.places), len(of.conditions))
            for index, own in enumerate(cells):
                own += zip(of.places, square[index % len(square)], strict=True)
    partial = [of for of in sets if not of.is_complete]
    # A condition of one set and the same one of another are balanced each, and then both together.
    keys = [(number, condition) for number, of in enumerate(partial) for condition in of.conditions]
    place = {key: number for number, key in enumerate(keys)}
    texts = [tuple(place[number, one] for one in own) for number, of in enumerate(partial) for own in of.cells]
    shown = incomplete_lists.lists(texts, n_lists, _groups(keys, conditions))
    for own, chosen in zip(cells, shown, strict=False):
        own += zip((position for of in partial for position in of.places), chosen, strict=True)
    return tuple(DesignList(name, index, tuple(sorted(own))) for index, own in enumerate(cells))


def _groups(keys: Sequence[tuple[int, int]], conditions: Sequence[DesignCondition]) -> list[frozenset[int]]:
    """Return what is balanced beside the conditions of every set: levels in every set, conditions and levels in all."""
    groups: dict[tuple[Any, ...], set[int]] = {}
    for number, (item_set, condition) in enumerate(keys):
        levels = conditions[condition].levels.items() if conditions else ()
        for said in [(condition,), *((item_set, *level) for level in levels), *levels]:
            groups.setdefault(said, set()).add(number)
    return list(dict.fromkeys(frozenset(group) for group in groups.values() if len(group) > 1))


def _lists_of_everything(
    items: Sequence[DesignItem], sets: Sequence[ItemSet], *, apart: bool, copies: int
) -> tuple[DesignList, ...]:
    groups: dict[str, list[int]] = {}
    for of in sets:
        groups[of.name] = sorted([*groups.get(of.name, ()), *of.places])
    if not apart:
        groups = {"": sorted(position for positions in groups.values() for position in positions)}
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
        design.conditions,
        item_sets=procedure.get("item_sets", "together"),
        shown=conditions,
        per_item=procedure.get("conditions_per_item", 2),
        copies=together.n_lists if together else 0,
    )
    needless = size_warnings(design.items) if together or conditions != "one" else []
    return replace(
        design, lists=lists, warnings=tuple(warning for warning in design.warnings if warning not in needless)
    )


def uneven_sets(items: Sequence[DesignItem]) -> list[ItemSet]:
    """Return the complete item sets whose number of items is not a multiple of the number of their conditions."""
    return [
        of
        for of in item_sets_of(items)
        if of.is_complete and of.conditions and not latin_square.is_balanced(len(of.places), len(of.conditions))
    ]


def size_warnings(items: Sequence[DesignItem]) -> list[Fault]:
    """Return a warning for each item set whose number of items is not a multiple of the number of conditions."""
    warnings = []
    for of in uneven_sets(items):
        item_set, n, k = of.name, len(of.places), len(of.conditions)
        message = Sentence(
            "There are {n} items in {k} conditions. {k} does not divide {n}, so some conditions have one item "
            "more than others within a list.",
            n=n,
            k=k,
        )
        if item_set:
            message = Sentence(
                "The item set '{item_set}' has {n} items in {k} conditions. {k} does not divide {n}, so some "
                "conditions have one item more than others within a list.",
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

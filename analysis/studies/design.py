"""What the materials of a task say about its factors: which experiments they are of, and how these are designed."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from experiments.design.estimability import independent_effects
from experiments.materials.incomplete import ItemSet, families
from experiments.models import Stimulus, Study
from experiments.paradigms.base import DesignOfTask

Levels = Mapping[str, str]


@dataclass(frozen=True)
class Experiment:
    """Item sets of a task that share conditions, with their factors and levels in the order of the materials.

    `name` and `where`, a condition on rows, are empty if all items of the task are of one experiment.
    """

    name: str
    where: str
    factors: Mapping[str, Sequence[str]]
    design: DesignOfTask
    cells: Sequence[tuple[int, ...]] = ()
    """The conditions of every item, by their keys."""


def experiments_of_task(study: Study) -> list[Experiment]:
    """Return the experiments of a task: usually one; several where item sets have conditions of their own."""
    targets = study.items.filter(is_filler=False, is_practice=False)
    conditions = {condition.pk: condition for condition in study.conditions.all()}
    names = {str(factor["name"]): [str(level) for level in factor.get("levels", ())] for factor in study.factors}
    shown = Stimulus.objects.filter(item__in=targets)
    texts: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for item_set, item, condition in shown.values_list("item__item_set", "item_id", "condition_id"):
        texts[item_set][item].append(condition or 0)
    sets = [ItemSet(name, tuple(of), tuple(tuple(sorted(own)) for own in of.values())) for name, of in texts.items()]
    lists = list(
        shown.filter(lists__isnull=False, condition__isnull=False).values_list("lists", "condition_id", "item_id")
    )
    found = []
    together = families(sets)
    for family in together:
        own = {pk for of in family for item in of.cells for pk in item if pk in conditions}
        levels = {pk: conditions[pk].levels for pk in sorted(own, key=lambda pk: conditions[pk].position)}
        factors = {
            name: there
            for name, all_levels in names.items()
            if (there := [level for level in all_levels if any(of.get(name) == level for of in levels.values())])
            and (len(there) > 1 or len(together) == 1)
        }
        members = {place for of in family for place in of.places}
        of_lists = _conditions_by(((one, condition) for one, condition, item in lists if item in members), levels)
        of_items = [[levels[pk] for pk in item if pk in levels] for of in family for item in of.cells]
        others = [of.name for of in sets if of not in family]
        found.append(
            Experiment(
                "+".join(of.name for of in family) if others else "",
                (_is(family[0].name) if len(family) == 1 else " and ".join(map(_is_not, others))) if others else "",
                factors,
                _design(list(factors), list(levels.values()), of_lists, of_items),
                [item for of in family for item in of.cells],
            )
        )
    return found or [Experiment("", "", names, DesignOfTask())]


def design_of_task(study: Study) -> DesignOfTask:
    """Return the design of the first experiment of a task."""
    return experiments_of_task(study)[0].design


def _is(item_set: str) -> str:
    return f"item_set={_quoted(item_set)}"


def _is_not(item_set: str) -> str:
    return f"item_set!={_quoted(item_set)}"


def _quoted(text: str) -> str:
    return f'"{text}"' if "'" in text else f"'{text}'"


def _design(
    names: Sequence[str],
    conditions: Sequence[Levels],
    of_lists: Mapping[int, list[Levels]],
    of_items: list[list[Levels]],
) -> DesignOfTask:
    """Return the design of one experiment.

    A factor differs between people, or between items, where every list, or every item, has one level of it.
    """
    single = bool(of_lists) and all(max(map(conditions.count, conditions)) < 2 for conditions in of_lists.values())
    between_items = _constant(names, of_items)
    within = [name for name in names if name not in between_items]
    is_incomplete = len({frozenset(tuple(one.get(name) for name in within) for one in item) for item in of_items}) > 1
    crossed = math.prod(len({one.get(name) for one in conditions}) for name in names)
    varying = {
        name
        for name in within
        if 2 * sum(len({one.get(name) for one in item}) > 1 for item in of_items) >= len(of_items)
    }
    return DesignOfTask(
        between_participants=_constant(names, of_lists.values()),
        between_items=between_items,
        one_text_per_condition=single,
        is_incomplete=is_incomplete,
        item_slopes=frozenset(varying) if is_incomplete else frozenset(),
        effects=tuple(independent_effects(names, [dict(one) for one in conditions]))
        if names and len(conditions) < crossed
        else None,
    )


def _conditions_by(rows: Iterable[tuple[int, int]], levels: Mapping[int, Levels]) -> dict[int, list[Levels]]:
    found: dict[int, list[Levels]] = defaultdict(list)
    for group, condition in rows:
        found[group].append(levels[condition])
    return found


def _constant(names: Iterable[str], groups: Iterable[list[Levels]]) -> frozenset[str]:
    """Return the factors of which every group has one level, and of which there are several."""
    groups = list(groups)
    found = set()
    for name in names:
        seen = [{one.get(name) for one in group} for group in groups]
        if seen and all(len(one) == 1 for one in seen) and len(set.union(*seen)) > 1:
            found.add(name)
    return frozenset(found)

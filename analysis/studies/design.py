"""What the materials of a task say about its factors: which differ between participants, and which between items."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from experiments.models import Stimulus, Study
from experiments.paradigms.base import DesignOfTask
from experiments.rules.procedure import is_repeated

Levels = Mapping[str, str]


def design_of_task(study: Study) -> DesignOfTask:
    """Return the design of the task of a study.

    A factor differs between people, or between items, where every list, or every item, has one level of it.
    """
    targets = study.items.filter(is_filler=False, is_practice=False)
    levels = {condition.pk: condition.levels for condition in study.conditions.all()}
    shown = Stimulus.objects.filter(item__in=targets, condition__isnull=False)
    names = [str(factor["name"]) for factor in study.factors]
    of_items = _conditions_by(shown.values_list("item_id", "condition_id"), levels)
    of_lists = _conditions_by(shown.filter(lists__isnull=False).values_list("lists", "condition_id"), levels)
    single = bool(of_lists) and all(max(map(conditions.count, conditions)) < 2 for conditions in of_lists.values())
    return DesignOfTask(
        between_participants=_constant(names, of_lists.values()),
        between_items=_constant(names, of_items.values()),
        one_text_per_condition=single and not is_repeated(study.procedure),
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

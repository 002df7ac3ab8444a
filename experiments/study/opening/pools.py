"""Faults of pools: tasks that analyses take as one must measure the same in the same design."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from experiments.formats.faults import Fault, listed
from experiments.models import Part, Stimulus, Study
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.sentences import Sentence


def faults_of_pools(study: Study) -> list[Fault]:
    """Return why the tasks of a pool cannot be one task in analyses, each held against the first of its pool."""
    faults: list[Fault] = []
    for pool, (first, *others) in study.pools.items():
        for task in others:
            if task.paradigm == first.paradigm:
                faults += _differences(pool, first, task)
        faults += _items_of_two_parts(pool, [first, *others])
    return faults


def _differences(pool: str, first: Part, task: Part) -> Iterator[Fault]:
    try:
        paradigm = paradigm_named(task.paradigm)
    except UnknownParadigm:
        return
    said = {"pool": pool, "one": first.name, "other": task.name}
    one, other = paradigm.complete_settings(first.settings), paradigm.complete_settings(task.settings)
    names = [name for name in paradigm.settings_form.base_fields if name not in paradigm.may_differ_in_pools]
    if differing := [name for name in names if one.get(name) != other.get(name)]:
        yield Fault(
            message=Sentence(
                "The pool '{pool}': the parts '{one}' and '{other}' have different {settings}.",
                settings=listed(differing), **said,
            ),
            suggestion=Sentence("Give both the same settings on the page Procedure, or remove one of them from "
                                "the pool."),
            step="parts",
        )  # fmt: skip
    if _levels(first) != _levels(task):
        yield Fault(
            message=Sentence(
                "The pool '{pool}': the parts '{one}' and '{other}' have different factors or levels.", **said
            ),
            suggestion=Sentence(
                "Use the same names of factors and levels in both materials, or remove one part from the pool."
            ),
            step="parts",
        )


def _levels(task: Part) -> dict[str, set[str]]:
    return {str(factor["name"]): {str(level) for level in factor.get("levels", ())} for factor in task.factors}


def _items_of_two_parts(pool: str, tasks: list[Part]) -> Iterator[Fault]:
    """Yield the items of one code that have other texts in another part: analyses know an item by its code."""
    texts: dict[tuple[int, str], dict[str, Any]] = defaultdict(dict)
    rows = Stimulus.objects.filter(item__part__in=tasks, item__is_practice=False).order_by("item__position", "pk")
    for part, item, levels, text, extra in rows.values_list(
        "item__part", "item__code", "condition__levels", "text", "extra"
    ):
        texts[part, item][repr(sorted((levels or {}).items()))] = (text, extra)
    for number, task in enumerate(tasks):
        for before in tasks[:number]:
            shared = [item for part, item in texts if part == task.pk and (before.pk, item) in texts]
            differing = [item for item in shared if _differ(texts[before.pk, item], texts[task.pk, item])]
            if differing:
                yield Fault(
                    message=Sentence(
                        "The pool '{pool}': the parts '{one}' and '{other}' have different texts for the same "
                        "item, such as {item} ({n} of them).",
                        pool=pool, one=before.name, other=task.name, item=differing[0], n=len(differing),
                    ),
                    suggestion=Sentence(
                        "Analyses of the pool would treat them as one item. Give each a code of its own, such as "
                        "'{other}-{item}'.",
                        other=task.name, item=differing[0],
                    ),
                    step="parts",
                )  # fmt: skip


def _differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Return whether a condition that both have has another text."""
    return any(one[levels] != other[levels] for levels in one.keys() & other.keys()) or not one.keys() & other.keys()

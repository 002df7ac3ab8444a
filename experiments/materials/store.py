"""Store designs in the database (in one transaction), read them back, and write them as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import F, Model

from experiments.formats.csvtext import csv_text
from experiments.materials.lists import with_lists
from experiments.materials.shapes import (
    Design,
    DesignCondition,
    DesignFactor,
    DesignItem,
    DesignStimulus,
)
from experiments.models import Condition, Item, Part, Stimulus, StimulusList, Study
from experiments.sentences import Sentence

Row = TypeVar("Row", bound=Model)

_BATCH = 1_000
_CHANGED_AT_ONCE = 100  # an update in bulk is one expression of as many cases
_ASIDE = 10_000


class FrozenDesign(ValueError):
    """The design of a study that has been opened cannot be replaced. Nothing was changed."""


def task_of(given: Study | Part) -> Part:
    """Return the given task, or the first task of a given study."""
    return given if isinstance(given, Part) else given.task


@transaction.atomic
def store_design(target: Study | Part, design: Design) -> None:
    """Replace the design of a draft's task; given a study, of its first task.

    Unchanged conditions, items and texts keep their rows, so that data stored about one text, such as scores, survive
    the correction of another.

    Raises FrozenDesign for a study that has been opened. `lifecycle.save_design` does the same with an audit entry.
    """
    part = task_of(target)
    study = Study.objects.select_for_update(of=("self",)).get(pk=part.study_id)
    if study.is_frozen:
        raise FrozenDesign(
            Sentence(
                (
                    "The study '{slug}' has been opened, so its materials cannot be replaced. Duplicate the study "
                    "and change the copy."
                ),
                slug=study.slug,
            )
        )
    StimulusList.objects.filter(part=part).delete()
    part.factors = [{"name": factor.name, "levels": list(factor.levels)} for factor in design.factors]
    if design.reading:
        part.reading = dict(design.reading)
    part.save(update_fields=["factors", "reading"])
    conditions = _stored_conditions(part, design)
    stimuli = _stored_stimuli(design, _stored_items(part, design), conditions)
    first = []
    total = 0
    for item in design.items:
        first.append(total)
        total += len(item.stimuli)
    lists = StimulusList.objects.bulk_create(
        [StimulusList(part=part, item_set=shown.item_set, index=shown.index) for shown in design.lists]
    )
    entry = StimulusList.stimuli.through
    entry.objects.bulk_create(
        [
            entry(stimuluslist_id=row.pk, stimulus_id=stimuli[first[item] + number].pk)
            for row, shown in zip(lists, design.lists, strict=True)
            for item, number in shown.cells
        ],
        batch_size=_BATCH,
    )


def _stored_conditions(part: Part, design: Design) -> list[Condition]:
    """Store the conditions of a design; existing ones keep their rows."""
    known = {_levels(condition.levels): condition for condition in part.conditions.all()}
    wanted = [_levels(condition.levels) for condition in design.conditions]
    part.conditions.exclude(pk__in=[known[levels].pk for levels in wanted if levels in known]).delete()
    # Move them out of the way first: two conditions of a task must never have the same position, even in between.
    part.conditions.update(position=F("position") + _ASIDE)
    rows = [
        Condition(
            pk=known[levels].pk if levels in known else None,
            part=part,
            position=condition.position,
            levels=dict(condition.levels),
        )
        for levels, condition in zip(wanted, design.conditions, strict=True)
    ]
    return _stored(rows, ["position", "levels"])


def _stored_items(part: Part, design: Design) -> list[Item]:
    """Store the items of a design; existing ones, by their code, keep their rows."""
    known = dict(part.items.values_list("code", "pk"))
    gone = known.keys() - {item.code for item in design.items}
    part.items.filter(pk__in=[known[code] for code in gone]).delete()
    rows = [
        Item(
            pk=known.get(item.code),
            part=part,
            code=item.code,
            position=position,
            item_set=item.item_set,
            is_filler=item.is_filler,
            is_practice=item.is_practice,
            attributes=dict(item.attributes),
        )
        for position, item in enumerate(design.items)
    ]
    return _stored(rows, ["position", "item_set", "is_filler", "is_practice", "attributes"])


def _stored_stimuli(design: Design, items: Sequence[Item], conditions: Sequence[Condition]) -> list[Stimulus]:
    """Store the texts of a design, in its order; an item keeps the row of a condition, and with it its scores."""
    cells = Stimulus.objects.filter(item__in=[row.pk for row in items]).values_list("item_id", "condition_id", "pk")
    known: dict[tuple[int, int | None], int] = {(item, condition): pk for item, condition, pk in cells}
    rows = []
    for row, item in zip(items, design.items, strict=True):
        for stimulus in item.stimuli:
            condition = None if stimulus.condition is None else conditions[stimulus.condition]
            rows.append(
                Stimulus(
                    pk=known.pop((row.pk, condition.pk if condition else None), None),
                    item=row,
                    condition=condition,
                    text=stimulus.text,
                    extra=dict(stimulus.extra),
                    attributes=dict(stimulus.attributes),
                )
            )
    Stimulus.objects.filter(pk__in=known.values()).delete()
    return _stored(rows, ["text", "extra", "attributes"])


def _stored(rows: list[Row], fields: Sequence[str]) -> list[Row]:
    """Store rows: update these fields of those that have a key, create the others."""
    if not rows:
        return rows
    manager = type(rows[0])._default_manager
    new = [row for row in rows if row.pk is None]
    manager.bulk_update([row for row in rows if row.pk is not None], fields, batch_size=_CHANGED_AT_ONCE)
    manager.bulk_create(new, batch_size=_BATCH)
    return rows


def _levels(levels: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    return frozenset(levels.items())


def design_of(source: Study | Part, *, procedure: Mapping[str, Any] | None = None) -> Design:
    """Return the stored design as plain values; an empty one if there is none yet.

    `procedure` overrides the task's own rules for lists.
    """
    part = task_of(source)
    if part._state.adding:
        return Design((), (), (), ())
    factors = tuple(DesignFactor(factor["name"], tuple(factor["levels"])) for factor in part.factors)
    stored = list(part.conditions.order_by("position"))
    position_of = {condition.pk: condition.position for condition in stored}
    stimuli: dict[int, list[DesignStimulus]] = {}
    rows = Stimulus.objects.filter(item__part=part).order_by("item__position", "condition__position", "pk")
    columns = ("item_id", "text", "condition_id", "extra", "attributes")
    for item_id, text, condition_id, extra, attributes in rows.values_list(*columns):
        condition = None if condition_id is None else position_of[condition_id]
        stimuli.setdefault(item_id, []).append(DesignStimulus(text, condition, extra, attributes=attributes))
    items = tuple(
        DesignItem(
            item.code,
            tuple(stimuli.get(item.pk, ())),
            item.item_set,
            item.is_filler,
            item.is_practice,
            item.attributes,
        )
        for item in part.items.order_by("position")
    )
    conditions = tuple(
        DesignCondition(
            c.position, {factor.name: c.levels[factor.name] for factor in factors if factor.name in c.levels}
        )
        for c in stored
    )
    return with_lists(
        Design(factors, conditions, items, (), reading=part.reading),
        part.procedure if procedure is None else procedure,
        paradigm=part.paradigm,
        settings=part.settings,
    )


def copy_design(source: Study | Part, target: Study | Part, *, procedure: Mapping[str, Any] | None = None) -> None:
    """Copy the design of a task to another task of a draft, or rebuild its own lists by another rule."""
    store_design(target, design_of(source, procedure=procedure))


def materials_csv(design: Design, *, excel: bool = False) -> str:
    """Return the design as a CSV table from which `design_from` rebuilds it.

    Attributes of single texts come last; `Design.text_attributes` names them.
    """
    factors = [factor.name for factor in design.factors]
    attributes = list(dict.fromkeys(name for item in design.items for name in item.attributes))
    extra = list(dict.fromkeys(name for item in design.items for s in item.stimuli for name in s.extra))
    of_texts = design.text_attributes
    header = ["item", "text", *factors, "item_set", "is_filler", "is_practice", *extra, *attributes, *of_texts]

    def cells(item: DesignItem, stimulus: DesignStimulus) -> list[Any]:
        levels = {} if stimulus.condition is None else design.conditions[stimulus.condition].levels
        return [
            item.code,
            stimulus.text,
            *(levels.get(name, "") for name in factors),
            item.item_set,
            "true" if item.is_filler else "false",
            "true" if item.is_practice else "false",
            *(stimulus.extra.get(name, "") for name in extra),
            *(item.attributes.get(name, "") for name in attributes),
            *(stimulus.attributes.get(name, "") for name in of_texts),
        ]

    return csv_text(header, (cells(item, s) for item in design.items for s in item.stimuli), excel=excel)

"""Designs in the database: stored in one transaction, read back as the same plain values, written as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from experiments.formats.csvtext import csv_text
from experiments.materials.lists import with_lists
from experiments.materials.shapes import (
    Design,
    DesignCondition,
    DesignFactor,
    DesignItem,
    DesignStimulus,
)
from experiments.models import Condition, Item, Stimulus, StimulusList, Study

_BATCH = 1_000


class FrozenDesign(ValueError):
    """The design of a study that has been opened cannot be replaced. Nothing was changed."""


@transaction.atomic
def store_design(study: Study, design: Design) -> None:
    """Replace the design of a draft by this one.

    Raises FrozenDesign for a study that has been opened. `lifecycle.save_design` does the same with an audit entry.
    """
    if Study.objects.select_for_update(of=("self",)).get(pk=study.pk).is_frozen:
        raise FrozenDesign(f"The study '{study.slug}' has been opened; its materials cannot be replaced. Make a copy.")
    StimulusList.objects.filter(study=study).delete()
    Item.objects.filter(study=study).delete()
    Condition.objects.filter(study=study).delete()
    study.factors = [{"name": factor.name, "levels": list(factor.levels)} for factor in design.factors]
    study.save(update_fields=["factors"])
    conditions = Condition.objects.bulk_create(
        [Condition(study=study, position=c.position, levels=dict(c.levels)) for c in design.conditions]
    )
    items = Item.objects.bulk_create(
        [
            Item(
                study=study,
                code=item.code,
                position=position,
                item_set=item.item_set,
                is_filler=item.is_filler,
                is_practice=item.is_practice,
                attributes=dict(item.attributes),
            )
            for position, item in enumerate(design.items)
        ],
        batch_size=_BATCH,
    )
    stimuli = Stimulus.objects.bulk_create(
        [
            Stimulus(
                item=row,
                condition=None if stimulus.condition is None else conditions[stimulus.condition],
                text=stimulus.text,
                extra=dict(stimulus.extra),
            )
            for row, item in zip(items, design.items, strict=True)
            for stimulus in item.stimuli
        ],
        batch_size=_BATCH,
    )
    first = []
    total = 0
    for item in design.items:
        first.append(total)
        total += len(item.stimuli)
    lists = StimulusList.objects.bulk_create(
        [StimulusList(study=study, item_set=shown.item_set, index=shown.index) for shown in design.lists]
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


def design_of(study: Study, *, procedure: Mapping[str, Any] | None = None) -> Design:
    """Return the stored design as plain values; without items, conditions and lists where there is none yet.

    `procedure` makes lists by its rules instead of the study's own.
    """
    factors = tuple(DesignFactor(factor["name"], tuple(factor["levels"])) for factor in study.factors)
    stored = list(study.conditions.order_by("position"))
    position_of = {condition.pk: condition.position for condition in stored}
    stimuli: dict[int, list[DesignStimulus]] = {}
    rows = Stimulus.objects.filter(item__study=study).order_by("item__position", "condition__position", "pk")
    for item_id, text, condition_id, extra in rows.values_list("item_id", "text", "condition_id", "extra"):
        condition = None if condition_id is None else position_of[condition_id]
        stimuli.setdefault(item_id, []).append(DesignStimulus(text, condition, extra))
    items = tuple(
        DesignItem(
            item.code,
            tuple(stimuli.get(item.pk, ())),
            item.item_set,
            item.is_filler,
            item.is_practice,
            item.attributes,
        )
        for item in study.items.order_by("position")
    )
    conditions = tuple(
        DesignCondition(c.position, {factor.name: c.levels[factor.name] for factor in factors}) for c in stored
    )
    return with_lists(Design(factors, conditions, items, ()), study.procedure if procedure is None else procedure)


def copy_design(source: Study, target: Study, *, procedure: Mapping[str, Any] | None = None) -> None:
    """Store the design of one study in another draft, or in the same one with lists by another rule."""
    store_design(target, design_of(source, procedure=procedure))


def materials_csv(design: Design, *, excel: bool = False) -> str:
    """Return the design as the table from which `design_from` makes it again."""
    factors = [factor.name for factor in design.factors]
    attributes = list(dict.fromkeys(name for item in design.items for name in item.attributes))
    extra = list(dict.fromkeys(name for item in design.items for s in item.stimuli for name in s.extra))
    header = ["item", "text", *factors, "item_set", "is_filler", "is_practice", *extra, *attributes]

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
        ]

    return csv_text(header, (cells(item, s) for item in design.items for s in item.stimuli), excel=excel)

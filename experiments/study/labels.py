"""Store labels of factors and levels, which may change at any time because they do not affect the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from experiments.formats.faults import Fault, spoken
from experiments.models import Study
from experiments.rules.labels import in_shown_order, labels_faults, written_labels
from experiments.study.audit import record
from experiments.study.editing import locked


class LabelFaults(ValueError):
    """The labels cannot be stored. `faults` holds everything that is wrong with them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(spoken(faults))
        self.faults = list(faults)


def factors_to_label(study: Study) -> dict[str, tuple[str, ...]]:
    """Return the factors of all tasks with their levels; what several tasks share is there once.

    Levels stand in the order that was chosen for reports, otherwise in that of the design.
    """
    found: dict[str, dict[str, None]] = {}
    for task in study.tasks:
        for factor in task.factors:
            found.setdefault(str(factor["name"]), {}).update(dict.fromkeys(map(str, factor["levels"])))
    return {
        name: in_shown_order(tuple(levels), study.labels.get(name, {}).get("order", ()))
        for name, levels in found.items()
    }


def save_order(study: Study, factor: str, levels: Sequence[str], user: Any) -> None:
    """Store the order in which the levels of a factor are shown. Raises LabelFaults where it is none of theirs."""
    labels = dict(study.labels)
    save_labels(study, {**labels, factor: {**labels.get(factor, {}), "order": list(levels)}}, user)


@transaction.atomic
def save_labels(study: Study, labels: Mapping[str, Any], user: Any) -> None:
    """Store all labels of a study instead of those before; an empty one is the word of the materials.

    Raises LabelFaults with everything that is wrong, and nothing stored.
    """
    study = locked(study)
    if faults := labels_faults(labels, factors_to_label(study)):
        raise LabelFaults(faults)
    kept = written_labels(labels)
    if kept == study.labels:
        return
    detail = "; ".join(
        f"{factor}: {study.labels.get(factor, {})!r} → {kept.get(factor, {})!r}"
        for factor in dict.fromkeys([*study.labels, *kept])
        if study.labels.get(factor) != kept.get(factor)
    )
    study.labels = kept
    study.save(update_fields=["labels"])
    record(study, action="labels changed", user=user, detail=detail)

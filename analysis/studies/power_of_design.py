"""Derive parameters of the method `power` from a study's design: factors, items and lists."""

from __future__ import annotations

import re
from typing import Any

from analysis.studies.attributes import Attribute, attributes_of, power_with
from analysis.studies.design import experiments_of_task
from experiments.models import Study

METHOD = "power"
# The table of the design reads names and levels that are words; others are given by their number.
_WORD = re.compile(r"[^\W\d]\w*")


def parameters_of(study: Study, *, attribute: str = "") -> dict[str, Any]:
    """Return the parameters of `power` that follow from the study's design; empty where it has no factors.

    Participants are multiples of the number of lists, about 12 to 48, so that every list is filled equally and the
    figure is a curve. Effects and variances nobody can know from the design; they are asked for. Of several experiments
    in one list, they are of the first. With `attribute`, the column of one that has levels, it is a factor between
    items: an attribute is not rotated.
    """
    experiment = experiments_of_task(study)[0]
    factors = [(name, list(levels)) for name, levels in experiment.factors.items() if _WORD.fullmatch(name)]
    items = len(experiment.cells)
    if not factors or not items:
        return {}
    design = experiment.design
    # Of a pool everybody has a list of each task.
    lists = max(1, *(task.lists.count() for task in study.current_tasks if task.pk))
    steps = sorted({max(round(about / lists), 1) * lists for about in (12, 24, 36, 48)})
    found: dict[str, Any] = {
        "design": "; ".join(f"{name}={_levels(levels)}" for name, levels in factors),
        "n_participants": ",".join(map(str, steps)),
        "n_items": str(items),
        "method": "lmm" if design.is_incomplete else "f1-and-f2",
    }
    if between := [name for name, _levels in factors if name in design.between_items]:
        found["between_items"] = ",".join(between)
    if design.is_incomplete:
        found["cells_per_item"] = str(min(map(len, experiment.cells)))
    chosen = next((one for one in attributes_with_levels(study) if one.column == attribute), None)
    return found if chosen is None else power_with(found, chosen)


def attributes_with_levels(study: Study) -> list[Attribute]:
    """Return the attributes that can be factors of a simulated design: those with levels, called by words."""
    return [one for one in attributes_of(study) if one.levels and _WORD.fullmatch(one.column)]


def _levels(levels: list[str]) -> str:
    if all(_WORD.fullmatch(level) for level in levels) and len(levels) > 1:
        return ",".join(levels)
    return str(len(levels))

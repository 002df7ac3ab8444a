"""Derive parameters of the method `power` from a study's design: factors, items and lists."""

from __future__ import annotations

import re

from analysis.studies.design import experiments_of_task
from experiments.models import Study

METHOD = "power"
# The table of the design reads names and levels that are words; others are given by their number.
_WORD = re.compile(r"[^\W\d]\w*")


def parameters_of(study: Study) -> dict[str, str]:
    """Return the parameters of `power` that follow from the study's design; empty where it has no factors.

    Participants are multiples of the number of lists, about 24 and 48, so that every list is filled equally. Effects
    and variances nobody can know from the design; they are asked for. Of several experiments in one list, they are of
    the first.
    """
    experiment = experiments_of_task(study)[0]
    factors = [(name, list(levels)) for name, levels in experiment.factors.items() if _WORD.fullmatch(name)]
    items = len(experiment.cells)
    if not factors or not items:
        return {}
    design = experiment.design
    lists = max(study.lists.count(), 1)
    steps = sorted({max(round(about / lists), 1) * lists for about in (24, 48)})
    found = {
        "design": "; ".join(f"{name}={_levels(levels)}" for name, levels in factors),
        "n_participants": ",".join(map(str, steps)),
        "n_items": str(items),
        "method": "lmm" if design.is_incomplete else "f1-and-f2",
    }
    if between := [name for name, _levels in factors if name in design.between_items]:
        found["between_items"] = ",".join(between)
    if design.is_incomplete:
        found["cells_per_item"] = str(min(map(len, experiment.cells)))
    return found


def _levels(levels: list[str]) -> str:
    if all(_WORD.fullmatch(level) for level in levels) and len(levels) > 1:
        return ",".join(levels)
    return str(len(levels))

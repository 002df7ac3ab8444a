"""Derive parameters of the method `power` from a study's design: factors, items and lists."""

from __future__ import annotations

import re

from experiments.models import Study

METHOD = "power"
# The table of the design reads names and levels that are words; others are given by their number.
_WORD = re.compile(r"[^\W\d]\w*")


def parameters_of(study: Study) -> dict[str, str]:
    """Return the parameters of `power` that follow from the study's design; empty where it has no factors.

    Participants are multiples of the number of lists, about 24 and 48, so that every list is filled equally. Effects
    and variances nobody can know from the design; they are asked for.
    """
    factors = [(str(factor["name"]), [str(level) for level in factor["levels"]]) for factor in study.factors]
    factors = [(name, levels) for name, levels in factors if _WORD.fullmatch(name)]
    items = study.items.filter(is_filler=False, is_practice=False).count()
    if not factors or not items:
        return {}
    # Of a pool everybody has a list of each task.
    lists = max(1, *(task.lists.count() for task in study.current_tasks if task.pk))
    steps = sorted({max(round(about / lists), 1) * lists for about in (24, 48)})
    return {
        "design": "; ".join(f"{name}={_levels(levels)}" for name, levels in factors),
        "n_participants": ",".join(map(str, steps)),
        "n_items": str(items),
        "method": "f1-and-f2",
    }


def _levels(levels: list[str]) -> str:
    if all(_WORD.fullmatch(level) for level in levels) and len(levels) > 1:
        return ",".join(levels)
    return str(len(levels))

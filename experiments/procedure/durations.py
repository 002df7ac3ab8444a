"""Estimate the duration of each part of a study: the median of finished sessions, otherwise from its trials."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.module_loading import import_string

from experiments.design.orders.randomised import ImpossibleOrder
from experiments.models import Part, Study
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.procedure.parts import plan_part
from experiments.procedure.sequence import groups_of, parts_for
from experiments.procedure.sessions import seconds_of


@dataclass(frozen=True)
class PartDuration:
    """Duration of a part in seconds: the median of this many sessions, or an estimate if that is 0."""

    seconds: float
    sessions: int = 0

    @property
    def minutes(self) -> float:
        """The same in minutes."""
        return self.seconds / 60

    @property
    def is_short(self) -> bool:
        """Whether it is too short for minutes with one decimal."""
        return self.seconds < 30


def durations_of(study: Study, *, measured: bool = True) -> dict[str, PartDuration]:
    """Return the duration of each part by name, without parts whose duration is still unknown.

    Estimates assume the first list, slow readers, and the paradigm's usual time per trial. With `measured`, medians of
    finished sessions take precedence.
    """
    found: dict[str, PartDuration] = {}
    for part in study.ordered_parts:
        seconds = _estimated(part)
        if seconds is not None:
            found[part.name] = PartDuration(seconds)
    if measured and study.is_frozen:
        for name, (seconds, sessions) in import_string(settings.MEASURED_DURATIONS)(study).items():
            found[name] = PartDuration(seconds, sessions)
    return found


def _estimated(part: Part) -> float | None:
    chosen = part.lists.first() if part.kind == Part.Kind.TASK else None
    if part.kind == Part.Kind.TASK and chosen is None:
        return None
    try:
        per_trial = paradigm_named(part.paradigm).seconds_per_trial if part.kind == Part.Kind.TASK else 0.0
        return seconds_of(plan_part(part, list_id=chosen.pk if chosen else None, seed=0), per_trial)
    except (ImpossibleOrder, UnknownParadigm):
        return None


@dataclass(frozen=True)
class TotalDuration:
    """Total duration for one group; `group` is empty if all groups have the same parts."""

    group: str
    seconds: float
    is_complete: bool

    @property
    def minutes(self) -> int:
        """In whole minutes, rounded up."""
        return max(1, math.ceil(self.seconds / 60))


def totals_of(study: Study, durations: dict[str, PartDuration]) -> list[TotalDuration]:
    """Return the total for every group, or one if they do not differ; `is_complete`: every part is included."""
    groups: Sequence[str] = [group.name for group in groups_of(study)] or [""]
    totals = []
    for group in groups:
        parts = parts_for(study, group)
        known = [durations[part.name].seconds for part in parts if part.name in durations]
        totals.append(TotalDuration(group, math.fsum(known), len(known) == len(parts)))
    if len({(total.seconds, total.is_complete) for total in totals}) == 1:
        return [TotalDuration("", totals[0].seconds, totals[0].is_complete)]
    return totals


def estimated_minutes(study: Study) -> int | None:
    """Return the minutes to tell participants, those of the longest group; None before materials exist."""
    if not study.tasks:
        return None
    totals = totals_of(study, durations_of(study, measured=False))
    return max(total.minutes for total in totals) if all(total.is_complete for total in totals) else None

"""How long each part of a study takes: measured where people have finished it, else estimated from its trials."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils.module_loading import import_string

from experiments.design.ordering import ImpossibleOrder
from experiments.models import Part, Study
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.procedure.parts import plan_part
from experiments.procedure.sequence import groups_of, parts_for
from experiments.procedure.sessions import seconds_of


@dataclass(frozen=True)
class PartDuration:
    """How long a part takes in seconds: the median of so many sessions, or an estimate where that is 0."""

    seconds: float
    sessions: int = 0

    @property
    def minutes(self) -> float:
        """The same in minutes."""
        return self.seconds / 60

    @property
    def is_short(self) -> bool:
        """Whether it is less than what minutes with one decimal can say."""
        return self.seconds < 30


def durations_of(study: Study, *, measured: bool = True) -> dict[str, PartDuration]:
    """Return how long each part takes, by its name; nothing of a part of which that cannot be said yet.

    An estimate is that of a session on the first list: reading at the pace of slow readers, and the usual time of a
    trial of the paradigm. With `measured`, medians of finished sessions go before it.
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
    """How long everything takes that a group goes through; `group` is empty where all go through the same."""

    group: str
    seconds: float
    is_complete: bool

    @property
    def minutes(self) -> int:
        """In whole minutes, rounded up."""
        return max(1, math.ceil(self.seconds / 60))


def totals_of(study: Study, durations: dict[str, PartDuration]) -> list[TotalDuration]:
    """Return the sum for every group, once where they do not differ; `is_complete` where every part is in it."""
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
    """Return how many minutes participants can be told, by the group that takes longest; None before materials."""
    if not study.tasks:
        return None
    totals = totals_of(study, durations_of(study, measured=False))
    return max(total.minutes for total in totals) if all(total.is_complete for total in totals) else None

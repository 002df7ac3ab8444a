"""Estimate the duration of each part of a study: the median of finished sessions, otherwise from its trials."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import caches
from django.db.models import Count, Q, Sum, TextField
from django.db.models.functions import Cast, Length
from django.utils.module_loading import import_string

from experiments.design.orders.randomised import ImpossibleOrder
from experiments.formats.words import NeedsRegions
from experiments.models import Part, Stimulus, StimulusList, Study
from experiments.paradigms import UnknownParadigm, paradigm_named
from experiments.procedure.default_texts import rounded_up
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
    """Return the seconds of a part, planned once for what it holds: thousands of trials take seconds to plan."""
    if part.kind != Part.Kind.TASK:
        return _planned_seconds(part, None, 0.0)
    chosen = part.lists.first()
    if chosen is None:
        return None
    key = f"seconds-{_stamp(part, chosen)}"
    if (kept := caches["process"].get(key)) is None:
        try:
            per_trial = paradigm_named(part.paradigm).seconds_per_trial
        except UnknownParadigm:
            return None
        kept = (_planned_seconds(part, chosen.pk, per_trial),)
        caches["process"].set(key, kept, None)
    seconds: float | None = kept[0]
    return seconds


def _planned_seconds(part: Part, list_id: int | None, per_trial: float) -> float | None:
    try:
        return seconds_of(plan_part(part, list_id=list_id, seed=0), per_trial)
    except (ImpossibleOrder, NeedsRegions, UnknownParadigm):
        return None


def _stamp(part: Part, chosen: StimulusList) -> str:
    """Return what changes with everything that the duration of a task rests on: its settings, and of its materials how
    many there are and how long they are.
    """

    def length(column: str) -> Sum:
        return Sum(Length(Cast(column, TextField())))

    materials = Stimulus.objects.filter(item__part=part).aggregate(
        n=Count("pk"),
        fillers=Count("pk", filter=Q(item__is_filler=True)),
        practice=Count("pk", filter=Q(item__is_practice=True)),
        text=length("text"),
        extra=length("extra"),
        attributes=length("attributes"),
        of_items=length("item__attributes"),
    )
    study = part.study
    facts = [
        part.name, part.paradigm, part.settings, part.procedure, part.factors, study.language, study.questions,
        materials, chosen.stimuli.count(), study.media_files.count(),
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(facts, sort_keys=True, default=str).encode()).hexdigest()


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
    return estimated_seconds(study)[1]


def estimated_seconds(study: Study) -> tuple[dict[str, float], int | None]:
    """Return the estimated seconds of each part by name, and the minutes of the whole as `estimated_minutes`."""
    durations = durations_of(study, measured=False)
    totals = totals_of(study, durations)
    minutes = max(total.minutes for total in totals) if all(total.is_complete for total in totals) else None
    return {name: duration.seconds for name, duration in durations.items()}, minutes if study.tasks else None


def told_minutes(study: Study) -> int | None:
    """Return the minutes that texts name: what the study states, otherwise in a draft the estimate, rounded up.

    The estimate comes from the number of trials and the usual time of each, so that above ten minutes it is given in
    steps of five. None where there is neither; opening keeps what a draft was told.
    """
    if study.estimated_minutes or study.is_frozen:
        return study.estimated_minutes
    minutes = estimated_minutes(study)
    return minutes if minutes is None else rounded_up(minutes)

"""Locate drop-outs: at which trial, and in which part if there are several tasks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Exists, Min, OuterRef, QuerySet

from experiments.models import Study
from participants.models import Response, Session, Trial


@dataclass(frozen=True)
class Stop:
    """Where sessions that dropped out ended: the first trial without an answer.

    Where the study has several tasks, `part` names the part, and `position` counts within it.
    """

    position: int
    phase: str
    number: int
    width: int
    part: str = ""


def stops_of(study: Study, sessions: QuerySet[Session]) -> list[Stop]:
    """Return at which trial these sessions stopped, in the order of the trials.

    Of several tasks, in the order of the parts: what comes first differs between groups and orders.
    """
    unanswered = ~Exists(Response.objects.filter(trial=OuterRef("pk")))
    first = dict(
        Trial.objects.filter(unanswered, session__in=sessions)
        .order_by()
        .values_list("session")
        .annotate(first=Min("position"))
    )
    trials = Trial.objects.filter(session__in=sessions, position__in=set(first.values()))
    if study.has_several_tasks:
        return _stops_within_parts(study, first, trials)
    phases = dict(trials.values_list("position", "phase"))
    counts = Counter(first.values())
    most = max(counts.values(), default=1)
    return [
        Stop(position=position + 1, phase=phases.get(position, ""), number=n, width=round(100 * n / most))
        for position, n in sorted(counts.items())
    ]


def _stops_within_parts(study: Study, first: dict[int, int], trials: QuerySet[Trial]) -> list[Stop]:
    """Return the stops by part, place in it and phase, given where each session stopped and the trials there."""
    begins = {
        (session, part): position
        for session, part, position in Trial.objects.filter(session__in=first)
        .order_by()
        .values_list("session", "part")
        .annotate(first=Min("position"))
    }
    counts = Counter(
        (part, position - begins[session, part] + 1, phase)
        for session, position, part, phase in trials.values_list("session", "position", "part", "phase")
        if first.get(session) == position
    )
    most = max(counts.values(), default=1)
    places = {part.pk: place for place, part in enumerate(study.ordered_parts)}
    labels = {part.pk: part.shown_name for part in study.ordered_parts}
    return [
        Stop(position=position, phase=phase, number=n, width=round(100 * n / most), part=labels[part])
        for (part, position, phase), n in sorted(counts.items(), key=lambda one: (places[one[0][0]], *one[0][1:]))
    ]

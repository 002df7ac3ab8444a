"""Plan a session's trials from its seed (`experiments.procedure`) and store them once, as shown.

A session begins with the questionnaires and pages that all participants share. The following parts are planned after
assignment; if assignment is possible from the start, everything is stored at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Max
from rest_framework.serializers import Serializer

from experiments.models import Part, Study, StudyText
from experiments.paradigms import paradigm_behind
from experiments.paradigms.base import Paradigm, TrialPlan
from experiments.procedure.parts import plan_part
from experiments.procedure.piping import part_pipes, pipes
from experiments.procedure.sequence import (
    before_assignment,
    branched_parts,
    groups_of,
    in_order,
    order_sets,
    parts_for,
)
from experiments.procedure.stages import late_parts, stages_of
from experiments.study.packages import changed_package
from participants.models import Session, SessionList, Trial
from participants.prepared import Prepared, insert_rows
from participants.refusals import package_changed
from participants.session.rows import locked_session_row, with_parts
from participants.session.screening import may_screen, texts_known


def paradigm_of(study: Study) -> Paradigm:
    """Return the paradigm of the study's current task."""
    return paradigm_behind(study.paradigm)


def refuse_changed_package(study: Study) -> None:
    """Raise Refusal `package-changed` where the study was opened with another version of its paradigm's package."""
    if changed_package(study) is not None:
        raise package_changed()


def response_serializer(paradigm: Paradigm, plugin: str) -> type[Serializer[Any]] | None:
    """Return the serializer that checks the payloads of a plugin, or None where the paradigm has no such plugin."""
    return paradigm.responses.get(plugin)


@dataclass(frozen=True)
class PlannedPart:
    """A part of a session with its trials, in order."""

    part: Part
    trials: Sequence[TrialPlan]


_COLUMNS = ("session_id", "part_id", "position", "phase", "plugin", "params", "private", "stimulus_id")
_any_trial = Prepared(lambda session: Trial.objects.filter(session_id=session).order_by().values_list("pk")[:1])
_further_lists = Prepared(
    lambda session: (
        SessionList.objects.filter(session_id=session).order_by("pk").values_list("list_id", "list__part_id")
    )
)


def assignment_waits(study: Study) -> bool:
    """Return whether group, order and lists are decided only after the questionnaires and pages at the start.

    They are if it matters: if answers may end the session or decide its parts, or more than one list is assigned.
    """
    study = with_parts(study)
    if not before_assignment(study):
        return False
    is_simple = len(study.tasks) < 2 and not groups_of(study) and not order_sets(study.ordered_parts)
    return not is_simple or bool(branched_parts(study)) or may_screen(study) or _names_answers(study)


# Whether texts of opened studies name earlier answers; the moment of its creation tells a study from any other.
_naming: dict[tuple[int, datetime], bool] = {}


def _names_answers(study: Study) -> bool:
    key = (study.pk, study.created_at)
    if key not in _naming or not study.is_frozen:
        instructions = study.texts.filter(kind=StudyText.Kind.INSTRUCTIONS).values_list("body", flat=True)
        _naming[key] = any(map(part_pipes, study.ordered_parts)) or pipes(*instructions)
    return _naming[key]


def parts_of(session: Session) -> list[Part]:
    """Return the parts of a session in its order, as far as they are decided."""
    study = with_parts(session.study)
    if session.assigned_at is None:
        return before_assignment(study)
    parts = in_order(study, session.group, session.order, session.skipped.split())
    if session.stage is None:
        return parts
    decided = {part.pk for stage in stages_of(study.ordered_parts)[: session.stage + 1] for part in stage}
    return [part for part in parts if part.pk in decided]


def awaits_more(session: Session) -> bool:
    """Return whether further parts of a session are decided only when what it has is answered."""
    return session.assigned_at is None or session.stage is not None


def lists_of(session: Session) -> dict[int, int]:
    """Return task → list of a session, by their keys."""
    tasks = [part.pk for part in parts_of(session) if part.kind == Part.Kind.TASK]
    if late_parts(with_parts(session.study).ordered_parts):
        # A list that was decided later stands behind those of tasks that come after it.
        further = {part: pk for pk, part in _further_lists(session.pk)}
        own = {session.list.part_id: session.list.pk} if session.list is not None else {}
        return {task: pk for task, pk in {**further, **own}.items() if task in tasks}
    if len(tasks) < 2:
        return {task: session.list_id for task in tasks if session.list_id is not None}
    lists = {part: pk for pk, part in _further_lists(session.pk)}
    # The list of the session is that of the task which has no further one.
    first = next((task for task in tasks if task not in lists), None)
    return lists if first is None or session.list_id is None else {first: session.list_id, **lists}


def planned_parts(session: Session) -> list[PlannedPart]:
    """Return the session's parts with their trials, not stored. The same seed and design give the same trials.

    If a paradigm is adaptive, the answers stored now are part of the design.
    """
    lists = lists_of(session)
    return [
        PlannedPart(
            part,
            plan_part(
                part,
                list_id=lists.get(part.pk),
                seed=session.seed,
                earlier=earlier_answers(session, part) if part.kind == Part.Kind.TASK else (),
                answers=partial(texts_known, session, part),
            ),
        )
        for part in parts_of(session)
    ]


def earlier_answers(session: Session, part: Part) -> list[dict[str, Any]]:
    """Return the measures of what others of the same kind, simulated or not, answered in a task, with their `item`.

    Of the main phase alone. Sessions that are left out do not count; unfinished ones do, as far as they went. Empty
    where the task's paradigm does not learn from answers.
    """
    paradigm = paradigm_behind(part.paradigm)
    if not paradigm.learns_from_answers(paradigm.complete_settings(part.settings)):
        return []
    rows = (
        Trial.objects.filter(
            part=part,
            session__is_simulated=session.is_simulated,
            session__is_excluded=False,
            phase="main",
            stimulus__item__is_filler=False,
            response__isnull=False,
        )
        .exclude(session=session)
        .order_by("pk")
        .values_list("stimulus__item__code", "params", "private", "response__payload")
    )
    return [
        {"item": item, **paradigm.measure({**params, **private}, payload, ())}
        for item, params, private, payload in rows.iterator(chunk_size=2_000)
    ]


# How many trials a session of a frozen study has about; the moment of its creation tells a study from any other.
_expected: dict[tuple[int, datetime, str], int] = {}


def expected_trials(study: Study) -> int:
    """Return about how many trials a session has in all: those of the first group, on the first list of every task."""
    key = (study.pk, study.created_at, study.read_in)
    if key not in _expected:
        groups = groups_of(study)
        parts = parts_for(with_parts(study), groups[0].name if groups else "")
        _expected[key] = sum(
            len(plan_part(part, list_id=part.lists.values_list("pk", flat=True).first(), seed=0)) for part in parts
        )
    return _expected[key]


def has_trials(session: Session) -> bool:
    """Return whether the session's trials are stored."""
    return bool(_any_trial(session.pk))


def store_trials(session: Session, planned: Sequence[PlannedPart], *, first: int = 0) -> None:
    """Store planned trials from the position `first` on. Runs in a transaction that holds the lock on the session.

    Where trials are stored already, they come after the last of them: rounds of practice that were left out keep their
    positions, so that there are fewer trials than positions.
    """
    if first:
        first = max(first, 1 + (session.trials.aggregate(last=Max("position"))["last"] or 0))
    plans = [(each.part.pk, plan) for each in planned for plan in each.trials]
    if not plans:
        return
    insert_rows(
        Trial,
        _COLUMNS,
        [
            (
                session.pk, part, position, plan.phase, plan.plugin, dict(plan.params), dict(plan.private),
                plan.stimulus_id,
            )
            for position, (part, plan) in enumerate(plans, start=first)
        ],
    )  # fmt: skip


def ensure_trials(session: Session) -> None:
    """Store the session's trials unless they are stored already.

    A server that dies between storing a session and storing its trials leaves a session without any; the next request
    makes them from the seed. Does nothing where the session was erased meanwhile.
    """
    if has_trials(session):
        return
    # Planned before the lock is taken: nobody has to wait for it.
    planned = planned_parts(session)
    with transaction.atomic():
        if locked_session_row(session) is not None and not has_trials(session):
            store_trials(session, planned)

"""A session's trials: planned from its seed by `experiments.procedure.sessions`, stored once as shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from rest_framework.serializers import Serializer

from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm, TrialPlan
from experiments.procedure.sessions import plan_session, snapshot_of_list
from participants.models import Session, Trial
from participants.prepared import Prepared, insert_rows
from participants.session.rows import locked_session_row


def paradigm_of(study: Study) -> Paradigm:
    """Return the paradigm of a study."""
    return paradigm_named(study.paradigm)


def response_serializer(paradigm: Paradigm, plugin: str) -> type[Serializer[Any]] | None:
    """Return the serializer that checks the payloads of a plugin, or None where the paradigm has no such plugin."""
    return paradigm.responses.get(plugin)


_COLUMNS = ("session_id", "position", "phase", "plugin", "params", "private", "stimulus_id")
_any_trial = Prepared(lambda session: Trial.objects.filter(session_id=session).order_by().values_list("pk")[:1])


def planned_trials(session: Session) -> list[TrialPlan]:
    """Return the session's trials in order, not stored. The same seed and design give the same trials."""
    return plan_session(snapshot_of_list(session.study, session.list_id), seed=session.seed)


def has_trials(session: Session) -> bool:
    """Return whether the session's trials are stored."""
    return bool(_any_trial(session.pk))


def store_trials(session: Session, plans: Sequence[TrialPlan]) -> None:
    """Store planned trials. Runs in a transaction that holds the lock on a session without trials."""
    insert_rows(
        Trial,
        _COLUMNS,
        [
            (session.pk, position, plan.phase, plan.plugin, dict(plan.params), dict(plan.private), plan.stimulus_id)
            for position, plan in enumerate(plans)
        ],
    )


def ensure_trials(session: Session) -> None:
    """Store the session's trials unless they are stored already.

    A server that dies between storing a session and storing its trials leaves a session without any; the next request
    makes them from the seed. Does nothing where the session was erased meanwhile.
    """
    if has_trials(session):
        return
    # Planned before the lock is taken: nobody has to wait for it.
    plans = planned_trials(session)
    with transaction.atomic():
        if locked_session_row(session.pk) is not None and not has_trials(session):
            store_trials(session, plans)

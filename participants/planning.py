"""A session's trials: planned from its seed by `experiments.procedure`, stored once with the exact parameters shown."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from rest_framework.serializers import Serializer

from experiments.models import Study
from experiments.paradigms import paradigm_named
from experiments.paradigms.base import Paradigm, TrialPlan
from experiments.procedure import plan_session, study_snapshot
from participants.models import Session, Trial
from participants.prepared import insert_rows


def paradigm_of(study: Study) -> Paradigm:
    """Return the paradigm of a study."""
    return paradigm_named(study.paradigm)


def response_serializer(paradigm: Paradigm, plugin: str) -> type[Serializer[Any]] | None:
    """Return the serializer that checks the payloads of a plugin, or None where the paradigm has no such plugin."""
    return paradigm.responses.get(plugin)


_COLUMNS = ("session_id", "position", "phase", "plugin", "params", "private", "stimulus_id")


def planned_trials(session: Session) -> list[TrialPlan]:
    """Return the session's trials in order, not stored. The same seed and design give the same trials."""
    return plan_session(study_snapshot(session.study, session.list), seed=session.seed)


def ensure_trials(session: Session) -> None:
    """Store the session's trials unless they are stored already.

    A server that dies between storing a session and storing its trials leaves a session without any; the next request
    makes them from the seed. Does nothing where the session was erased meanwhile.
    """
    stored = Trial.objects.filter(session=session)
    if stored.exists():
        return
    # Planned before the lock is taken: nobody has to wait for it.
    rows = [
        (session.pk, position, plan.phase, plan.plugin, dict(plan.params), dict(plan.private), plan.stimulus_id)
        for position, plan in enumerate(planned_trials(session))
    ]
    with transaction.atomic():
        locked = Session.objects.select_for_update(of=("self",), no_key=True).filter(pk=session.pk)
        if locked.values_list("pk").first() and not stored.exists():
            insert_rows(Trial, _COLUMNS, rows)

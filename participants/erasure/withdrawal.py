"""Withdrawal: erase every trace of a participant and leave a tombstone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.study.audit import record
from participants.erasure.journal import remember
from participants.models import (
    BrowserError,
    Erasure,
    EventBatch,
    IntakeProblem,
    Participant,
    ProviderSubmission,
    RecruitmentIdentity,
    Response,
    Session,
    Tombstone,
    Trial,
)
from participants.refusals import Refusal


@dataclass(frozen=True)
class Loss:
    """What a withdrawal erases."""

    responses: int
    event_batches: int
    problems: int
    browser_errors: int
    has_recruitment_id: bool
    is_complete: bool


def participant_by_code(study: Study, typed: str) -> Participant:
    """Return the participant whose withdrawal code this is. Raises Refusal `unknown-code` (404)."""
    participant = Participant.objects.filter(study=study, withdrawal_code_hash=Participant.hash_of_code(typed)).first()
    if participant is None:
        raise unknown_code()
    return participant


def participant_by_code_or_pseudonym(study: Study, given: str) -> Participant:
    """Return the participant by withdrawal code or pseudonym, for researchers. Raises Refusal `unknown-code` (404)."""
    participant = Participant.objects.filter(
        Q(withdrawal_code_hash=Participant.hash_of_code(given)) | Q(pseudonym__iexact=given.strip()), study=study
    ).first()
    if participant is None:
        raise unknown_code()
    return participant


def unknown_code() -> Refusal:
    """Return the refusal for a code that nobody in the study has."""
    return Refusal(
        "unknown-code",
        _("There is no participant with this code in this study. Please check the code; nothing was changed."),
        status=404,
    )


def loss_of(participant: Participant) -> Loss:
    """Return what a withdrawal of this participant would erase."""
    of_participant = {"session__participant": participant}
    return Loss(
        responses=Response.objects.filter(trial__session__participant=participant).count(),
        event_batches=EventBatch.objects.filter(trial__session__participant=participant).count(),
        problems=IntakeProblem.objects.filter(**of_participant).count(),
        browser_errors=BrowserError.objects.filter(**of_participant).count(),
        has_recruitment_id=RecruitmentIdentity.objects.filter(participant=participant).exists(),
        is_complete=participant.sessions.filter(status=Session.Status.COMPLETE).exists(),
    )


def withdraw(participant: Participant, *, by_participant: bool, user: Any = None) -> Tombstone | None:
    """Erase every trace of a participant, leave a tombstone and return it. The place in the list becomes free. Return
    None, without doing anything, if the participant is already erased (a second click).

    If a researcher does it, an audit entry records only the researcher (`user`, None on the command line). This cannot
    be undone. A result that arrives later finds no session and is not stored.
    """
    with transaction.atomic():
        # Another transaction that erases the same participant holds these locks until it has finished.
        _locked_sessions(participant)
        if not Participant.objects.filter(pk=participant.pk).exists():
            return None
        remember(
            [participant],
            kind=Erasure.Kind.WITHDRAWN if by_participant else Erasure.Kind.REMOVED,
        )
        study = participant.study
        was_complete = erase(participant)
        tombstone = Tombstone.objects.create(study=study, by_participant=by_participant, was_complete=was_complete)
        if not by_participant:
            record(study, action="participant erased", user=user, detail="All data of one participant.")
    return tombstone


def _locked_sessions(participant: Participant) -> list[Session]:
    """Lock in the same order as intake, to avoid deadlocks."""
    return list(Session.objects.select_for_update(no_key=True).filter(participant=participant))


def erase(participant: Participant) -> bool:
    """Erase every row of a participant within the caller's transaction; return whether they had finished."""
    sessions = _locked_sessions(participant)
    keys = [session.pk for session in sessions]
    # In bulk and from the leaves up: a session of a reading study has thousands of rows.
    EventBatch.objects.filter(trial__session__in=keys).delete()
    Response.objects.filter(trial__session__in=keys).delete()
    Trial.objects.filter(session__in=keys).delete()
    known = RecruitmentIdentity.objects.filter(participant=participant).values_list("external_id_hash", flat=True)
    ProviderSubmission.objects.filter(study=participant.study_id, person_hash__in=list(known)).update(person_hash="")
    participant.delete()
    return any(session.status == Session.Status.COMPLETE for session in sessions)

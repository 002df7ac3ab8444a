"""Erase all participants of a study at the end of retention; keep its texts, materials and aggregate reports."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.models import AuditEntry, Study
from experiments.study.audit import record
from participants.erasure.identities import forget_submissions
from participants.erasure.journal import remember
from participants.models import (
    BrowserError,
    Erasure,
    EventBatch,
    IntakeProblem,
    Participant,
    RecruitmentIdentity,
    Response,
    Session,
    Trial,
)

ACTION = "all participants erased"


class StillOpen(Exception):
    """Participants can still be in the middle of the study."""

    def __str__(self) -> str:
        return _(
            "The study is open, so somebody may be taking part right now. Close it first; then erase the participants."
        )


@dataclass(frozen=True)
class LossOfAll:
    """What erasing all participants of a study erases."""

    participants: int
    simulated: int
    finished: int
    responses: int
    event_batches: int
    problems: int
    browser_errors: int
    recruitment_ids: int


@dataclass(frozen=True)
class Erased:
    """When all participants of a study were last erased, and the words in which it was recorded."""

    at: datetime
    detail: str


def loss_of_all(study: Study) -> LossOfAll:
    """Return what erasing all participants would erase; nothing is changed."""
    sessions = Session.objects.filter(study=study)
    return LossOfAll(
        participants=Participant.objects.filter(study=study).count(),
        simulated=sessions.filter(is_simulated=True).values("participant").distinct().count(),
        finished=sessions.filter(status=Session.Status.COMPLETE).values("participant").distinct().count(),
        responses=Response.objects.filter(trial__session__study=study).count(),
        event_batches=EventBatch.objects.filter(trial__session__study=study).count(),
        problems=IntakeProblem.objects.filter(session__study=study).count(),
        browser_errors=BrowserError.objects.filter(study=study).count(),
        recruitment_ids=RecruitmentIdentity.objects.filter(study=study).count(),
    )


def erase_all(study: Study, *, user: Any) -> LossOfAll:
    """Erase every participant of a study that is not open, all or none, and return what was erased.

    No tombstones are left, because nobody withdrew: an audit entry records how many were erased, when and by which
    user. Everything that depends on a participant is deleted as in a withdrawal, including codings and reports that
    name participants. Raises StillOpen.
    """
    with transaction.atomic():
        # Locked, so that nobody opens it meanwhile; starting a session takes the same lock.
        if Study.objects.select_for_update().get(pk=study.pk).status == Study.Status.OPEN:
            raise StillOpen
        list(Session.objects.select_for_update(no_key=True).filter(study=study).order_by("pk").values_list("pk"))
        loss = loss_of_all(study)
        remember(Participant.objects.filter(study=study), kind=Erasure.Kind.RETENTION)
        # In bulk and from the leaves up, as in a withdrawal.
        EventBatch.objects.filter(trial__session__study=study).delete()
        Response.objects.filter(trial__session__study=study).delete()
        Trial.objects.filter(session__study=study).delete()
        BrowserError.objects.filter(study=study).delete()
        Participant.objects.filter(study=study).delete()
        forget_submissions(study)
        if loss.participants:
            record(
                study,
                action=ACTION,
                user=user,
                detail=f"Participants: {loss.participants}; finished: {loss.finished}; answers: {loss.responses}.",
            )
    return loss


def last_erased(study: Study) -> Erased | None:
    """Return when all participants were last erased, or None where they never were."""
    entry = AuditEntry.objects.filter(study=study, action=ACTION).order_by("-pk").first()
    return None if entry is None else Erased(entry.at, entry.detail)


def is_due(study: Study, *, today: date | None = None) -> bool:
    """Return whether the day on which the data are deleted has come and there are still data of participants."""
    if study.retention_until is None or study.retention_until > (today or timezone.localdate()):
        return False
    return Participant.objects.filter(study=study).exists()

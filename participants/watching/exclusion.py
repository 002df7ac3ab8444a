"""Exclude a session from the analyses, with a reason, and readmit it. Its data are kept."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from experiments.study.audit import record
from participants.models import Session
from participants.session.assignment import lock_study
from participants.session.completing import locked_session

EXCLUDED, READMITTED = "session excluded", "session readmitted"


def exclude(session: Session, *, reason: str, user: Any) -> Session:
    """Exclude a session from the analyses and free its place in the list. Its data are kept.

    Raises ValueError without a reason: later readers of the data must be able to follow the decision.
    """
    if not reason.strip():
        raise ValueError("An exclusion needs a reason.")
    return _set_exclusion(session, excluded=True, reason=reason.strip()[:500], user=user)


def readmit(session: Session, *, user: Any) -> Session:
    """Take an exclusion back; the session counts in its list again."""
    return _set_exclusion(session, excluded=False, reason="", user=user)


def _set_exclusion(session: Session, *, excluded: bool, reason: str, user: Any) -> Session:
    with transaction.atomic():
        study = lock_study(session.study)
        session = locked_session(session)
        session.is_excluded, session.exclusion_reason = excluded, reason
        session.excluded_by, session.excluded_at = (user, timezone.now()) if excluded else (None, None)
        session.save(update_fields=["is_excluded", "exclusion_reason", "excluded_by", "excluded_at"])
        record(
            study,
            action=EXCLUDED if excluded else READMITTED,
            user=user,
            # The session's number, not the pseudonym: this row outlives a withdrawal.
            detail=f"Session {session.pk}. {reason}".strip(),
        )
    return session

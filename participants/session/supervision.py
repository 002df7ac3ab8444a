"""Supervised sessions: an experimenter starts each one with a code, and ends its pauses."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.study.audit import record
from participants.codes import new_session_code, normalised_session_code
from participants.models import Session, SessionCode, SessionPause
from participants.refusals import Refusal

VALID_FOR = timedelta(hours=12)


def is_supervised(study: Study) -> bool:
    """Return whether every session of the study needs an experimenter."""
    return bool(study.conduct.get("supervised"))


def new_code(study: Study, *, user: Any) -> SessionCode:
    """Return a new code for one session, valid for twelve hours."""
    while True:
        try:
            with transaction.atomic():
                return SessionCode.objects.create(  # type: ignore[misc]  # the codes are properties, which seal them
                    study=study, code=new_session_code(), release_code=new_session_code(), created_by=user
                )
        except IntegrityError:
            # Another session of this study has it already.
            continue


def discard_code(code: SessionCode) -> None:
    """Take a code back that nobody has used; one that was used stays."""
    SessionCode.objects.filter(pk=code.pk, session__isnull=True).delete()


def code_for_start(study: Study, typed: str, *, now: datetime) -> SessionCode | None:
    """Return the code with which a new session may begin; None where the study needs none.

    Raises Refusal `session-code` where it is missing, unknown, used or older than twelve hours.
    """
    if not is_supervised(study):
        return None
    found = (
        SessionCode.objects.select_for_update()
        .filter(
            study=study,
            code_hash=SessionCode.hash_of_code(typed),
            session__isnull=True,
            created_at__gt=now - VALID_FOR,
        )
        .first()
    )
    if found is None:
        raise Refusal(
            "session-code",
            _("This session code is not valid. Nothing was stored. Please ask the experimenter for a code."),
        )
    return found


def use_code(code: SessionCode, session: Session) -> None:
    """Tie a code to the session that began with it."""
    code.session = session
    code.save(update_fields=["session"])


def is_held(session: Session) -> bool:
    """Return whether the session is paused."""
    return SessionPause.objects.filter(session=session, ended_at__isnull=True).exists()


def hold(session: Session, *, reason: str) -> None:
    """Pause a supervised session. Does nothing where it is paused already or over. Raises Refusal `not-supervised`."""
    if not is_supervised(session.study):
        raise Refusal("not-supervised", _("This study has no experimenter who could end a pause."))
    with transaction.atomic():
        # The session's row makes two requests for a pause wait for each other.
        held = Session.objects.select_for_update(no_key=True).get(pk=session.pk)
        if held.status == Session.Status.RUNNING and not is_held(held):
            SessionPause.objects.create(session=session, reason=reason)


def release(session: Session, *, user: Any = None) -> None:
    """End the pause of a session; does nothing where it is not paused."""
    ended = SessionPause.objects.filter(session=session, ended_at__isnull=True).update(ended_at=timezone.now())
    if ended and user is not None:
        record(session.study, action="pause ended", user=user, detail=f"Session {session.pk}.")


def release_by_code(session: Session, typed: str) -> None:
    """End the pause with the code that only the experimenter has. Raises Refusal `release-code` for any other."""
    code = SessionCode.objects.filter(session=session).first()
    # An empty code is one that cannot be opened any more: nothing that is typed equals it.
    expected = code.release_code if code is not None else ""
    if not expected or not constant_time_compare(expected, normalised_session_code(typed)):
        raise Refusal("release-code", _("This is not the code of the experimenter. The session stays paused."))
    release(session)

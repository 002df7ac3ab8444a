"""Find the session of somebody who comes back, and decide whether they may open it.

A recruitment id finds a session; it does not open it. What opens it: the browser's cookie or start key, the resume
code, a one-time code that a researcher gave out, a personal link signed by this platform, or the id alone where the
researcher chose so for its source (`id_only`). Whoever came by a link alone never learns the withdrawal code.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from experiments.models import Study
from experiments.study.audit import record
from participants.codes import new_resume_code
from participants.limits.guessing import ARRIVING_IDS, FOUND_IDS, RESUME_CODES
from participants.models import OneTimeResumeCode, RecruitmentIdentity, Session
from participants.prepared import Prepared
from participants.refusals import (
    already_taken_part,
    no_session,
    resume_code_needed,
    too_many_guesses,
    unknown_resume_code,
)
from participants.sealing import digest, keyed_digest
from participants.session.recruitment import Arrival, Identity
from participants.session.rows import in_own_language

ONE_TIME_CODES_VALID_FOR = timedelta(days=7)

by_start_key = Prepared(
    lambda study, key: Session.objects.filter(study_id=study).filter(start_key_hash=key).order_by().values_list("pk")
)


def known_session(study: Study, *, start_key: str, arrival: Arrival, current: Session | None) -> Session | None:
    """Return the session with which somebody who presses Start goes on; None if they are new.

    `current` is the session of the browser's cookie. Raises Refusal `already-taken-part`, and `resume-code-needed` if
    the link names somebody who has begun and nothing shows that they are the one.
    """
    for (pk,) in by_start_key(study.pk, digest(start_key)):
        return _sessions(study).get(pk=pk)
    if arrival.identity is not None:
        session = session_of_identity(study, arrival.identity)
        if session is None:
            return None
        if session.status != Session.Status.RUNNING:
            raise already_taken_part()
        if current is not None and current.pk == session.pk:
            return current
        if not arrival.opens_session:
            raise resume_code_needed()
        session.is_joined_by_link = True
        return session
    if current is not None and current.study_id == study.pk and current.status == Session.Status.RUNNING:
        return current
    return None


def recovered_session(study: Study, start_key: str) -> Session:
    """Return the running session that was started with this key. Raises Refusal `no-session` where there is none.

    A complete one is not brought back: its last page holds a withdrawal code, and the computer may be shared.
    """
    session = _sessions(study).filter(start_key_hash=digest(start_key), status=Session.Status.RUNNING).first()
    if session is None:
        raise no_session()
    return session


def session_of_identity(study: Study, identity: Identity) -> Session | None:
    """Return the session of the person named by a link; None if there is none yet."""
    session = (
        _sessions(study)
        .filter(
            participant__recruitment__source=identity.source,
            participant__recruitment__external_id_hash=keyed_digest(identity.external_id),
        )
        .first()
    )
    return session and in_own_language(session)


def is_another(session: Session, identity: Identity) -> bool:
    """Return whether a link names another person than the session's participant.

    Unknown, hence False, for participants without such a link, or whose id was sealed with another key.
    """
    own = RecruitmentIdentity.objects.filter(participant=session.participant_id).first()
    if own is None or not own.external_id:
        return False
    return (own.source, own.external_id) != (identity.source, identity.external_id)


def resumed_session(study: Study, typed: str, *, sender: str, now: datetime | None = None) -> Session:
    """Return the session that a resume code opens; a one-time code is used up by it.

    Raises Refusal `unknown-code`, and `too-many-requests` where the sender has tried many others.
    """
    code_hash = Session.hash_of_resume_code(typed)
    seconds = RESUME_CODES.wait(sender, code_hash)
    if seconds:
        raise too_many_guesses(seconds)
    session = _sessions(study).filter(resume_code_hash=code_hash).first()
    if session is None:
        session = _session_of_one_time_code(study, code_hash, now=now or timezone.now())
    if session is None:
        RESUME_CODES.note(sender, code_hash)
        raise unknown_resume_code()
    return session


def refuse_guessed_ids(identity: Identity, *, sender: str) -> None:
    """Raise Refusal `too-many-requests` where the sender has asked for so many other ids that this one has to wait."""
    seconds = max(kind.wait(sender, identity.external_id) for kind in (ARRIVING_IDS, FOUND_IDS))
    if seconds:
        raise too_many_guesses(seconds)
    ARRIVING_IDS.note(sender, identity.external_id)


def resume_code_of(session: Session) -> str:
    """Return the resume code of a session, made now if it has none that can be opened; empty for whoever came by a
    link alone.
    """
    if session.is_joined_by_link:
        return ""
    while not session.resume_code:
        before = session.resume_code_hash
        session.resume_code = new_resume_code()
        try:
            with transaction.atomic():
                made = Session.objects.filter(pk=session.pk, resume_code_hash=before).update(
                    resume_code_hash=session.resume_code_hash, resume_code_sealed=session.resume_code_sealed
                )
        except IntegrityError:
            made = 0
        if not made:
            # Another request has made one, or another session has the same.
            session.refresh_from_db(fields=["resume_code_hash", "resume_code_sealed"])
    return session.resume_code


@transaction.atomic
def give_one_time_code(session: Session, *, user: Any, now: datetime | None = None) -> str:
    """Return a new resume code that opens a running session once within a week; an earlier one ends.

    Raises Refusal `no-session` for a session that is over.
    """
    if session.status != Session.Status.RUNNING:
        raise no_session()
    code = new_resume_code()
    OneTimeResumeCode.objects.filter(session=session).delete()
    OneTimeResumeCode.objects.create(
        session=session, code_hash=Session.hash_of_resume_code(code), created_by=user, created_at=now or timezone.now()
    )
    record(session.study, action="resume code given", user=user, detail=f"Session {session.pk}.")
    return code


@transaction.atomic
def _session_of_one_time_code(study: Study, code_hash: str, *, now: datetime) -> Session | None:
    since = now - ONE_TIME_CODES_VALID_FOR
    found = OneTimeResumeCode.objects.filter(session__study=study, code_hash=code_hash, created_at__gt=since).first()
    # Of two requests at once one deletes it.
    if found is None or not OneTimeResumeCode.objects.filter(pk=found.pk).delete()[0]:
        return None
    record(study, action="resume code used", user=None, detail=f"Session {found.session_id}.")
    return _sessions(study).get(pk=found.session_id)


def _sessions(study: Study) -> QuerySet[Session]:
    return Session.objects.select_related("study", "participant", "list").filter(study=study)

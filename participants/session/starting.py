"""Start a session: identify the participant, check consent, assign a list. Idempotent."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.models import Study, StudyText
from participants.codes import new_pseudonym, new_resume_code, new_seed, new_token, new_withdrawal_code
from participants.content import why_not_storable
from participants.models import Participant, RecruitmentIdentity, Session
from participants.prepared import Prepared, insert_row
from participants.refusals import Refusal
from participants.sealing import digest
from participants.session.assigned import give, keep_further_lists
from participants.session.assignment import Assignment, assign, check_quota, lock_study
from participants.session.coming_back import by_start_key, is_another, known_session
from participants.session.planning import assignment_waits, refuse_changed_package
from participants.session.queueing import queueing_transaction
from participants.session.recruitment import Arrival, Identity, arrival_from, refuse_lacking, why_kept_out
from participants.session.supervision import code_for_start, use_code
from participants.session.variants import seed_in_balance

MAX_CLIENT_CHARACTERS = 4_000
MOST_ATTEMPTS = 3

_with_pseudonym = Prepared(
    lambda study, name: Participant.objects.filter(study_id=study).filter(pseudonym=name).order_by().values_list("pk")
)
_consent_texts = Prepared(
    lambda study, kind, language: (
        StudyText.objects.filter(study_id=study)
        .filter(kind=kind)
        .filter(language=language)
        .order_by("-version")
        .values_list("version", "required_boxes", "optional_boxes")
    )
)


@dataclass(frozen=True)
class Consent:
    """A participant's consent: the version of the text, and which boxes were ticked."""

    version: int
    required: tuple[bool, ...] = ()
    optional: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Simulation:
    """Identifies a simulated participant by seed and number, which determine its order."""

    seed: int
    participant: int


def why_closed(study: Study) -> Refusal | None:
    """Return why the study accepts no new sessions at the moment, apart from quotas; None if it does."""
    if study.status == Study.Status.DRAFT:
        return Refusal("not-open", _("This study is not open yet. Please come back later, with the same link."))
    if study.status == Study.Status.CLOSED:
        return Refusal("closed", _("This study is closed: it takes no more participants. Nothing was stored."))
    if study.is_paused:
        return Refusal("paused", _("This study is paused. Please come back later, with the same link."))
    return None


def start_session(
    study: Study,
    *,
    start_key: str,
    consent: Consent,
    recruitment: Mapping[str, Any] | None = None,
    client: Mapping[str, Any] | None = None,
    current: Session | None = None,
    simulation: Simulation | None = None,
    session_code: str = "",
    now: datetime | None = None,
) -> tuple[Session, bool]:
    """Return the session of the participant who pressed Start, and whether it is new. Pressing again returns the same
    session.

    A participant is recognised by the page's start key (an idempotency key), by `current`, the running session of the
    browser's cookie (unless a recruitment id names another person), or by a link that opens sessions.

    The lock on the study is held only for identification, assignment and the new rows. Consent is checked before.
    Trials follow from the stored seed and the frozen design; they are created when the session is first opened, so that
    the lock is short when a class starts at once.

    Raises Refusal: not-open, closed, paused, full, not-ready, already-taken-part, consent-changed, consent-missing,
    session-code, package-changed, link-incomplete, resume-code-needed, kept-out.
    """
    now = now or timezone.now()
    arrival = arrival_from(study, recruitment or {})
    asked = _Start(
        start_key=_own_key(study, start_key, arrival.identity),
        consent=consent,
        consent_choices=_checked_consent(study, consent),
        recruitment=recruitment or {},
        arrival=arrival,
        client=storable_client(client or {}),
        session_code=session_code,
        simulation=simulation,
        now=now,
    )
    for _attempt in range(MOST_ATTEMPTS - 1):
        # A concurrent start with the same pseudonym is visible at the next attempt.
        with contextlib.suppress(IntegrityError):
            return _known_or_new(study, asked, current=current)
    return _known_or_new(study, asked, current=current)


def _own_key(study: Study, start_key: str, identity: Identity | None) -> str:
    """Return the start key, extended by the identity in the link if the tab has the key of another person."""
    if identity is not None:
        for (pk,) in by_start_key(study.pk, digest(start_key)):
            if is_another(Session.objects.get(pk=pk), identity):
                return f"{start_key} {identity.source} {identity.external_id}"
    return start_key


@dataclass(frozen=True)
class _Start:
    """A request to start, as far as it can be checked without a lock."""

    start_key: str
    consent: Consent
    consent_choices: dict[str, bool] | Refusal
    recruitment: Mapping[str, Any]
    arrival: Arrival
    client: dict[str, Any]
    session_code: str
    simulation: Simulation | None
    now: datetime


def _known_or_new(study: Study, asked: _Start, *, current: Session | None) -> tuple[Session, bool]:
    simulation = asked.simulation
    rng = random.Random(f"{study.slug} {simulation.seed} {simulation.participant}") if simulation else None  # noqa: S311
    # A pseudonym that is taken is drawn again; a simulation would draw the same one, so it looks for a free one first.
    pseudonym = _free_pseudonym(study, rng) if rng else new_pseudonym()
    with queueing_transaction():
        study = lock_study(study)
        known = known_session(study, start_key=asked.start_key, arrival=asked.arrival, current=current)
        if known is not None:
            return known, False
        refusal = why_closed(study)
        if refusal:
            raise refusal
        refuse_lacking(study, asked.arrival, asked.recruitment)
        kept_out = None if simulation else why_kept_out(study, asked.arrival.identity)
        if kept_out:
            raise kept_out
        refuse_changed_package(study)
        # A simulation has no experimenter.
        code = None if simulation else code_for_start(study, asked.session_code, now=asked.now)
        session = _new_session(study, asked, pseudonym=pseudonym, rng=rng)
        if code is not None:
            use_code(code, session)
    return session, True


def _checked_consent(study: Study, consent: Consent) -> dict[str, bool] | Refusal:
    """Return what was chosen, or why nobody can begin with this; whoever has begun already need not hear it."""
    texts = _consent_texts(study.pk, StudyText.Kind.CONSENT.value, study.read_in)
    version, required, optional = texts[0] if texts else (0, [], [])
    if consent.version != version:
        return Refusal(
            "consent-changed",
            _("The consent text has changed since you opened this page. Please load the page again and read it."),
        )
    if len(consent.required) != len(required) or not all(consent.required):
        return Refusal("consent-missing", _("Please tick every required statement before you start."))
    return {str(statement): bool(consent.optional.get(statement, False)) for statement in optional}


def _new_session(study: Study, asked: _Start, *, pseudonym: str, rng: random.Random | None) -> Session:
    if isinstance(asked.consent_choices, Refusal):
        raise asked.consent_choices
    simulated = rng is not None
    seed = rng.getrandbits(63) if rng else new_seed()
    assignment: Assignment | None = None
    if assignment_waits(study):
        check_quota(study, simulated=simulated, now=asked.now)
    else:
        assignment = assign(study, seed=seed, simulated=simulated, now=asked.now)
        seed = seed_in_balance(study, seed, lists=assignment.lists, simulated=simulated, now=asked.now)
    participant = Participant(  # type: ignore[misc]  # the code is a property, which seals it
        study=study,
        pseudonym=pseudonym,
        withdrawal_code=new_withdrawal_code(),
        is_simulated=rng is not None,
    )
    insert_row(participant)
    identity = asked.arrival.identity
    if identity is not None:
        RecruitmentIdentity.objects.create(  # type: ignore[misc]  # the id is a property, which seals it
            participant=participant,
            study=study,
            source=identity.source,
            external_id=identity.external_id,
            parameters=dict(identity.parameters),
        )
    session = Session(  # type: ignore[misc]  # token, key and code are properties, which seal them
        study=study,
        participant=participant,
        token=new_token(),
        start_key=asked.start_key,
        resume_code=new_resume_code(),
        seed=seed,
        source=asked.arrival.name,
        study_version=study.version,
        language=study.participants_language,
        is_simulated=rng is not None,
        consent_version=asked.consent.version,
        consent_given_at=asked.now,
        consent_choices=asked.consent_choices,
        last_seen_at=asked.now,
        client=asked.client,
    )
    if assignment is not None:
        give(session, assignment, now=asked.now)
    insert_row(session)
    if assignment is not None:
        keep_further_lists(session, assignment)
    return session


def _free_pseudonym(study: Study, rng: random.Random) -> str:
    while True:
        pseudonym = f"SIM-{new_pseudonym(rng)}"
        if not _with_pseudonym(study.pk, pseudonym):
            return pseudonym


def storable_client(client: Mapping[str, Any]) -> dict[str, Any]:
    """Return the storable facts about a browser; odd ones never prevent a start."""
    facts = {str(name)[:60]: value for name, value in client.items() if not why_not_storable({name: value})}
    kept: dict[str, Any] = {}
    room = MAX_CLIENT_CHARACTERS
    for name, value in facts.items():
        room -= len(name) + len(str(value))
        if room < 0:
            break
        kept[name] = value
    return kept

"""Open and complete sessions. `starting` begins them, `intake` stores results, `withdrawal` erases them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from experiments.models import Study
from experiments.paradigms import paradigm_behind
from participants.models import EventBatch, Response, Session
from participants.prepared import update_row
from participants.refusals import Refusal, no_session
from participants.sealing import keyed_digest
from participants.session.answered import judged_trials
from participants.session.assignment import is_stale
from participants.session.endings import CLOSED_MEANWHILE, ending_of_closed
from participants.session.figures import keep_at_end
from participants.session.planning import (
    PlannedPart,
    awaits_more,
    ensure_trials,
    has_trials,
    planned_parts,
    refuse_changed_package,
    store_trials,
)
from participants.session.resuming import apply_policy, would_end
from participants.session.rows import locked_session_row, with_parts
from participants.session.starting import storable_client

LEASE = timedelta(seconds=60)
# How long after its last activity a session that cannot be resumed is protected from being ended by another tab.
THERE_IN_ONE_GO = timedelta(minutes=10)
# Fields of a session that opening and completing may change.
_OPENED = (
    "lease_holder", "lease_until", "last_seen_at", "client", "returned_late", "status", "finished_at", "outcome",
)  # fmt: skip
_COMPLETED = (
    "status", "finished_at", "last_seen_at", "lease_holder", "lease_until", "returned_late", "planned_exclusion",
    "outcome",
)  # fmt: skip

_Answers = list[tuple[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class OpenedSession:
    """What the browser needs to continue a session."""

    session: Session
    trials: list[dict[str, Any]]
    answered: list[int]
    interrupted: list[int]
    carried: dict[str, Any]


def open_session(
    session: Session,
    *,
    tab: str,
    take_over: bool = False,
    client: Mapping[str, Any] | None = None,
    now: datetime | None = None,
) -> OpenedSession:
    """Return the session's trials and progress, and give its lease to `tab`.

    Opening a session that has begun resumes it under the study's policy. Repeating the request changes nothing more.
    Raises Refusal `closed` where the study was closed before the session was complete: nothing more is shown, and
    results that its browser still holds are taken all the same; `other-device` (423) while another tab holds a live
    lease, unless `take_over`; `one-go` until ten minutes after the last sign of another tab where opening the session
    here would end it; `no-session` (404) where the session was erased meanwhile; `package-changed` where the study was
    opened with another paradigm.
    """
    now = now or timezone.now()
    refuse_changed_package(session.study)
    # Planned before the lock is taken, and stored in the transaction that opens the session.
    is_new = session.status == Session.Status.RUNNING and session.lease_until is None
    planned = planned_parts(session) if is_new or not has_trials(session) else None
    with transaction.atomic():
        session = locked_session(session)
        if planned is not None and not has_trials(session):
            store_trials(session, planned)
        else:
            planned = None
        if session.status == Session.Status.RUNNING and session.lease_holder not in ("", tab):
            _refuse_what_is_open_elsewhere(session, take_over=take_over, now=now)
        if session.status == Session.Status.RUNNING and session.study.status == Study.Status.CLOSED:
            raise Refusal(
                "closed",
                CLOSED_MEANWHILE,
                participant=session.participant.pseudonym,
                ending=asdict(ending_of_closed(session)),
            )
        session.returned_late = session.returned_late or is_stale(session, now=now)
        if session.status == Session.Status.RUNNING:
            apply_policy(session, now=now)
            session.lease_holder, session.lease_until, session.last_seen_at = tab, now + LEASE, now
        if client:
            session.client = {**session.client, **storable_client(client)}
        update_row(session, _OPENED)
        return _opened(session) if planned is None else _opened_anew(session, planned)


def _refuse_what_is_open_elsewhere(session: Session, *, take_over: bool, now: datetime) -> None:
    """Refuse to open a session that another tab had last, where somebody may be there, unless it is asked for."""
    # A page may be read for minutes without a result, so the lease may expire; ending the session then would be too
    # strict.
    if session.last_seen_at > now - THERE_IN_ONE_GO and would_end(session):
        raise Refusal(
            "one-go",
            _(
                "This study is open in another window or on another device, and it has to be done in one go. Please go "
                "on there. Your answers are saved."
            ),
        )
    if not take_over and session.lease_until is not None and session.lease_until > now:
        raise Refusal(
            "other-device",
            _("This study is open in another window or on another device. Go on there, or take over here."),
            status=423,
        )


def last_holder(session: Session, tab: str) -> str:
    """Return the identifier by which a complete session remembers the tab that held its lease; empty if none did.

    A browser's tab id is the same in all of its sessions. This identifier differs between sessions, so that stored
    sessions cannot be linked to one browser without the key.
    """
    return keyed_digest(f"{session.pk} {tab}") if tab else ""


def locked_session(session: Session) -> Session:
    """Return the session as it is now, locked until the transaction ends. Raises Refusal `no-session`."""
    fresh = locked_session_row(session)
    if fresh is None:
        raise no_session()
    return fresh


def _opened_anew(session: Session, planned: Sequence[PlannedPart]) -> OpenedSession:
    """Return what the browser needs for a session whose trials have just been stored."""
    plans = [(each.part.name, plan) for each in planned for plan in each.trials]
    trials = [
        shown_trial(position, plan.phase, plan.plugin, dict(plan.params), part)
        for position, (part, plan) in enumerate(plans)
    ]
    carried = _carried({each.part.pk: (each.part.paradigm, []) for each in planned})
    return OpenedSession(session=session, trials=trials, answered=[], interrupted=[], carried=carried)


def shown_trials(session: Session) -> list[dict[str, Any]]:
    """Return the stored trials of a session as its browser gets them, in order."""
    rows = session.trials.order_by("position").values_list("position", "phase", "plugin", "params", "part__name")
    return [shown_trial(*row) for row in rows]


def shown_trial(position: int, phase: str, plugin: str, params: Mapping[str, Any], part: str) -> dict[str, Any]:
    """Return a trial as its browser gets it; `part` is the name of its part."""
    return {"position": position, "phase": phase, "plugin": plugin, "params": params, "part": part}


def _opened(session: Session) -> OpenedSession:
    # A trial without a response has None for what is the response's.
    rows: list[tuple[Any, ...]] = list(
        session.trials.order_by("position").values_list(
            "position", "opened_at", "plugin", "response__payload", "response__pk", "part_id", "part__paradigm"
        )
    )
    answered: list[int] = []
    interrupted: list[int] = []
    answers: dict[int, tuple[str, _Answers]] = {}
    current: int | None = None
    for position, opened_at, plugin, payload, response, part, paradigm in rows:
        answers.setdefault(part, (paradigm, []))
        if response is not None:
            answered.append(position)
            answers[part][1].append((plugin, payload))
            continue
        current = part if current is None else current
        if opened_at is not None:
            interrupted.append(position)
    return OpenedSession(
        session=session,
        trials=shown_trials(session),
        answered=answered,
        interrupted=interrupted,
        carried=_carried(answers, current=current),
    )


def _carried(answers: Mapping[int, tuple[str, _Answers]], *, current: int | None = None) -> dict[str, Any]:
    """Return the values that later trials need from earlier answers of the same task.

    `answers`: the paradigm and the (plugin, payload) pairs of every part.
    """
    if current is not None and answers[current][0]:
        answers = {current: answers[current]}
    carried: dict[str, Any] = {}
    for paradigm, given in answers.values():
        carried |= paradigm_behind(paradigm).carried(given)
    return carried


@dataclass(frozen=True)
class Missing:
    """What is missing: positions without a response, and announced event batches that have not arrived."""

    positions: list[int]
    events: list[dict[str, Any]]

    def __bool__(self) -> bool:
        return bool(self.positions or self.events)


def missing_from(session: Session) -> Missing:
    """Return what the session still lacks before it is complete."""
    unanswered = ~Exists(Response.objects.filter(trial=OuterRef("pk")))
    positions = list(session.trials.filter(unanswered).order_by("position").values_list("position", flat=True))
    announced = session.trials.filter(response__event_batches__gt=0).values_list("position", "response__event_batches")
    stored: dict[int, set[int]] = {}
    for position, sequence in EventBatch.objects.filter(trial__session=session).values_list(
        "trial__position", "sequence"
    ):
        stored.setdefault(position, set()).add(sequence)
    events = [
        {"sequence": position, "batches": lacking}
        for position, number in announced
        if (lacking := sorted(set(range(number)) - stored.get(position, set())))
    ]
    return Missing(positions=positions, events=events)


def lacks_answers(session: Session) -> bool:
    """Return whether a running session cannot be completed yet, because answers or the assignment are missing."""
    return awaits_more(session) or bool(missing_from(session))


def complete_session(session: Session, *, now: datetime | None = None) -> tuple[Session, Missing]:
    """Complete the session if nothing is missing; return it and what is missing. Idempotent.

    A session that the resuming policy had ended is completed too if all its results have arrived.
    """
    now = now or timezone.now()
    ensure_trials(session)
    with transaction.atomic():
        session = locked_session(session)
        if session.status == Session.Status.COMPLETE:
            return session, Missing([], [])
        missing = missing_from(session)
        # What was never decided has not been shown; what was ended by a rule or a quota stays ended.
        is_over = not awaits_more(session) and session.outcome in ("", Session.Outcome.DROPPED_OUT)
        if not missing and is_over:
            session.returned_late = session.returned_late or is_stale(session, now=now)
            session.status, session.finished_at, session.last_seen_at = Session.Status.COMPLETE, now, now
            # Whose lease it was can be told: another device that still shows the session stops.
            session.lease_holder, session.lease_until = last_holder(session, session.lease_holder), None
            judged = next(judged_trials(with_parts(session.study), [session.pk]))
            session.planned_exclusion = judged.verdict.session
            session.outcome = Session.Outcome.COMPLETED
            update_row(session, _COMPLETED)
            keep_at_end(session, judged)
        return session, missing

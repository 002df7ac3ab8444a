"""Advance a session after the first questionnaires and pages: screen the answers, then assign the rest.

The browser calls `advance` once its last answer has arrived. It assigns group, order and lists under the lock of the
study, as starting does, and stores the trials that follow. It is idempotent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from experiments.procedure.sequence import before_assignment
from participants.models import Session
from participants.refusals import Refusal
from participants.session.assigned import give, keep_further_lists
from participants.session.assignment import assign, check_criteria, is_stale, lock_study
from participants.session.completing import locked_session, missing_from, shown_trials
from participants.session.planning import parts_of, planned_parts, store_trials
from participants.session.queueing import queueing_transaction
from participants.session.screening import met_criteria, screened, skipped_by_answers
from participants.session.variants import seed_in_balance


@dataclass(frozen=True)
class Advanced:
    """The next trials for the browser; none if the session has ended, is complete or lacks answers."""

    session: Session
    trials: list[dict[str, Any]] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)


def advance(session: Session, *, now: datetime | None = None) -> Advanced:
    """Continue a session whose first parts are answered; return its further trials. Idempotent.

    If answers are missing, they are named and nothing is assigned. A screening rule, a full quota, or a study that was
    closed meanwhile may end the session. Raises Refusal `no-session`.
    """
    with queueing_transaction():
        # The study before the session, as where sessions start.
        study = lock_study(session.study)
        now = now or timezone.now()
        session = locked_session(session)
        session.study = study
        if session.status == Session.Status.RUNNING and session.assigned_at is None:
            missing = missing_from(session)
            if missing:
                return Advanced(session, missing=missing.positions)
            if study.status == study.Status.CLOSED:
                end(session, Session.Outcome.OVER_QUOTA, now=now)
            else:
                _decide(session, now=now)
        before = {part.name for part in before_assignment(study)}
        return Advanced(session, trials=[trial for trial in shown_trials(session) if trial["part"] not in before])


def _decide(session: Session, *, now: datetime) -> None:
    """Decide what comes next for a session whose stored trials are all answered, and store it."""
    outcome = screened(session, parts_of(session))
    if outcome:
        end(session, outcome, now=now)
        return
    met, skipped = met_criteria(session), skipped_by_answers(session)
    try:
        without = check_criteria(session.study, met, simulated=session.is_simulated, now=now)
        assignment = assign(
            session.study,
            seed=session.seed,
            simulated=session.is_simulated,
            now=now,
            is_new=False,
            without=without,
            skipped=skipped,
        )
    except Refusal as refusal:
        if refusal.code != "full":
            raise
        end(session, Session.Outcome.OVER_QUOTA, now=now)
        return
    session.seed = seed_in_balance(
        session.study, session.seed, lists=assignment.lists, simulated=session.is_simulated, now=now
    )
    stored = session.trials.count()
    begun = len(parts_of(session))
    give(session, assignment, now=now)
    session.criteria, session.skipped = " ".join(met), " ".join(skipped)
    session.returned_late = session.returned_late or is_stale(session, now=now)
    session.last_seen_at = now
    session.save(
        update_fields=[
            "seed",
            "group",
            "order",
            "list",
            "criteria",
            "skipped",
            "assigned_at",
            "returned_late",
            "last_seen_at",
        ]
    )
    keep_further_lists(session, assignment)
    store_trials(session, planned_parts(session)[begun:], first=stored)


def end(session: Session, outcome: str, *, now: datetime) -> None:
    """End a running session with an outcome other than completed; its place becomes free."""
    session.status, session.outcome, session.finished_at, session.last_seen_at = Session.Status.ENDED, outcome, now, now
    session.lease_holder, session.lease_until = "", None
    session.save(update_fields=["status", "outcome", "finished_at", "last_seen_at", "lease_holder", "lease_until"])

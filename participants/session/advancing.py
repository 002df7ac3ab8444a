"""Advance a session: after the first questionnaires and pages screen the answers and assign the rest; later decide what
further answers and scores decide.

The browser calls `advance` once its last answer has arrived. It assigns group, order and lists under the lock of the
study, as starting does, and stores the trials that follow. It is idempotent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from experiments.models import Part
from experiments.procedure.stages import late_parts, stages_of
from participants.models import Session
from participants.refusals import Refusal
from participants.session.assigned import FIRST, give, give_later, keep_further_lists
from participants.session.assignment import assign, assign_later, check_criteria, is_stale, lock_study
from participants.session.completing import locked_session, missing_from, shown_trials
from participants.session.planning import awaits_more, parts_of, planned_parts, store_trials
from participants.session.queueing import queueing_transaction
from participants.session.rows import with_parts
from participants.session.screening import met_criteria, screened, skipped_at_first, skipped_later
from participants.session.variants import seed_in_balance


@dataclass(frozen=True)
class Advanced:
    """The next trials for the browser; none if the session has ended, is complete or lacks answers."""

    session: Session
    trials: list[dict[str, Any]] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)


def advance(session: Session, *, now: datetime | None = None) -> Advanced:
    """Continue a session whose stored parts are answered; return its further trials. Idempotent.

    If answers are missing, they are named and nothing is decided; asked again before the further trials are begun, it
    returns the same ones. A screening rule, a full quota, or a study that was closed meanwhile may end the session.
    Raises Refusal `no-session`.
    """
    with queueing_transaction():
        # The study before the session, as where sessions start.
        study = lock_study(session.study)
        now = now or timezone.now()
        session = locked_session(session)
        session.study = study
        while session.status == Session.Status.RUNNING and awaits_more(session):
            # Events that are still under way decide nothing; completing asks for them.
            missing = missing_from(session).positions
            if missing and session.assigned_at is not None and _is_untouched(session):
                break
            if missing:
                return Advanced(session, missing=missing)
            if study.status == study.Status.CLOSED:
                end(session, Session.Outcome.OVER_QUOTA, now=now)
            elif session.assigned_at is None:
                _decide(session, now=now)
            else:
                _decide_stage(session, now=now)
        shown = {part.name for part in _last_stage(session)}
        return Advanced(session, trials=[trial for trial in shown_trials(session) if trial["part"] in shown])


def _last_stage(session: Session) -> list[Part]:
    """Return the parts that were decided last; those of all stages from the first one on where they are decided."""
    stages = stages_of(with_parts(session.study).ordered_parts)
    if len(stages) <= FIRST + 1:
        return [part for stage in stages[FIRST:] for part in stage]
    return stages[-1 if session.stage is None else session.stage]


def _is_untouched(session: Session) -> bool:
    """Return whether nothing of the stage that was decided last is opened or answered."""
    trials = session.trials.filter(part__in=_last_stage(session))
    return not trials.exclude(opened_at=None, response=None).exists()


def _decide_stage(session: Session, *, now: datetime) -> None:
    """Decide the next stage of a session by what is stored of those before it, and store its trials."""
    stages = stages_of(with_parts(session.study).ordered_parts)
    stored, begun = session.trials.count(), len(parts_of(session))
    number = (session.stage or FIRST) + 1
    late = {part.name for part in late_parts(session.study.ordered_parts)}
    without = skipped_later(session, stages[number])
    session.skipped = " ".join([*session.skipped.split(), *without])
    said = [session.skipped_because, *(f"{name}: {met}" for name, met in without.items())]
    session.skipped_because = "; ".join(filter(None, said))
    session.stage = number if number + 1 < len(stages) else None
    tasks = [
        part
        for part in parts_of(session)
        if part.kind == Part.Kind.TASK and part.name in late and part in stages[number]
    ]
    give_later(session, assign_later(session.study, session, tasks, now=now))
    session.returned_late = session.returned_late or is_stale(session, now=now)
    session.last_seen_at = now
    session.save(update_fields=["list", "skipped", "skipped_because", "stage", "returned_late", "last_seen_at"])
    store_trials(session, planned_parts(session)[begun:], first=stored)


def _decide(session: Session, *, now: datetime) -> None:
    """Decide what comes next for a session whose stored trials are all answered, and store it."""
    outcome = screened(session, parts_of(session))
    if outcome:
        end(session, outcome, now=now)
        return
    met, skipped = met_criteria(session), skipped_at_first(session)
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
            "stage",
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

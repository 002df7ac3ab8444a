"""Resume an interrupted session by the study's policy: continue, restart the block, or end.

The policy is part of the procedure. A block is restarted only in the main phase: questions, instructions and practice
continue where they were interrupted. With the policy `end`, every session that had begun is ended.
"""

from __future__ import annotations

from datetime import datetime

from participants.content import content_hash
from participants.models import EventBatch, IntakeProblem, Response, Session

POLICIES = ("continue", "restart-block", "end")


def policy_of(session: Session) -> str:
    """Return the study's policy for resuming; `continue` where none is set."""
    policy = str(session.study.conduct.get("resume") or "continue")
    return policy if policy in POLICIES else "continue"


def would_end(session: Session) -> bool:
    """Return whether opening a running session ends it: the policy is `end`, and the session was begun but lacks
    results.
    """
    if policy_of(session) != "end":
        return False
    rows = list(session.trials.values_list("opened_at", "response__pk"))
    return any(opened_at or response for opened_at, response in rows) and not all(response for _, response in rows)


def apply_policy(session: Session, *, now: datetime) -> None:
    """Apply the policy to a running session that is resumed. Runs in the caller's transaction.

    `end` sets the status without saving it. `restart-block` sets the block's responses aside, so that its trials are
    shown again; since they count as begun, what is answered then is marked as interrupted.
    """
    policy = policy_of(session)
    if policy == "continue":
        return
    if policy == "end":
        if would_end(session):
            session.status, session.finished_at = Session.Status.ENDED, now
            session.outcome = Session.Outcome.DROPPED_OUT
        return
    rows = list(
        session.trials.order_by("position").values_list("position", "phase", "part_id", "opened_at", "response__pk")
    )
    begun = [
        position for position, phase, _, opened_at, response in rows if phase == "main" and (opened_at or response)
    ]
    unanswered = [position for position, phase, *_, response in rows if phase == "main" and not response]
    if not begun or not unanswered:
        return
    # A block lies between two breaks of one task.
    part = next(part for position, _, part, *_ in rows if position == unanswered[0])
    task = [position for position, _, of, *_ in rows if of == part]
    breaks = [position for position, phase, of, *_ in rows if phase == "break" and of == part]
    start = max((position for position in breaks if position < unanswered[0]), default=task[0] - 1) + 1
    end = min((position for position in breaks if position >= unanswered[0]), default=task[-1] + 1)
    again = [position for position in begun if start <= position < end]
    _set_aside(session, positions=again, now=now)


def _set_aside(session: Session, *, positions: list[int], now: datetime) -> None:
    """Move the responses and events of these trials to the session's problems, as they were sent."""
    responses = Response.objects.filter(trial__session=session, trial__position__in=positions)
    batches = EventBatch.objects.filter(trial__session=session, trial__position__in=positions)
    entries = [
        {
            "kind": "result",
            "sequence": response.trial.position,
            "payload": response.payload,
            "rt_ms": response.rt_ms,
            "onset_ms": response.onset_ms,
            "clock": response.clock,
            "interrupted": response.interrupted,
            "attempts": response.attempts,
            "focus_losses": response.focus_losses,
            "event_batches": response.event_batches,
            "onset_error_ms": response.onset_error_ms,
            "translated": response.translated,
            "out_of_view": response.out_of_view,
            "draft_restored": response.draft_restored,
            "page_slept_ms": response.page_slept_ms,
        }
        for response in responses.select_related("trial")
    ] + [
        {"kind": "events", "sequence": batch.trial.position, "batch": batch.sequence, "events": batch.events}
        for batch in batches.select_related("trial")
    ]
    IntakeProblem.objects.bulk_create(
        [
            IntakeProblem(
                session=session,
                kind=IntakeProblem.Kind.RESTARTED,
                sequence=entry["sequence"],
                entry=entry,
                reason="The study restarts a block that was cut.",
                content_hash=content_hash({**entry, "set_aside_at": now.isoformat()}),
            )
            for entry in entries
        ]
    )
    batches.delete()
    responses.delete()
    session.trials.filter(position__in=positions, opened_at=None).update(opened_at=now)

"""What was decided for a session, written down in it."""

from __future__ import annotations

from datetime import datetime

from participants.models import Session, SessionList
from participants.session.assignment import Assignment


def give(session: Session, assignment: Assignment, *, now: datetime) -> None:
    """Write down in a session, without saving it, what was decided for it."""
    session.group, session.order, session.assigned_at = assignment.group, assignment.order, now
    session.list_id = assignment.lists[0] if assignment.lists else None


def keep_further_lists(session: Session, assignment: Assignment) -> None:
    """Store the lists of the tasks after the first one; the session has to be stored."""
    if len(assignment.lists) > 1:
        SessionList.objects.bulk_create(SessionList(session=session, list_id=pk) for pk in assignment.lists[1:])

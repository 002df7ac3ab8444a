"""Write an assignment into a session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from experiments.models import StimulusList, Study
from experiments.models.one_task import SlugOfTask
from experiments.procedure.stages import stages_of
from participants.models import Session, SessionList
from participants.session.assignment import Assignment
from participants.session.rows import with_parts

# The stage that is decided with group, order and lists.
FIRST = 1


def give(session: Session, assignment: Assignment, *, now: datetime) -> None:
    """Write down in a session, without saving it, what was decided for it."""
    session.group, session.order, session.assigned_at = assignment.group, assignment.order, now
    session.list_id = assignment.lists[0] if assignment.lists else None
    if len(stages_of(with_parts(session.study).ordered_parts)) > FIRST + 1:
        session.stage = FIRST


def keep_further_lists(session: Session, assignment: Assignment) -> None:
    """Store the lists of the tasks after the first one; the session has to be stored."""
    if len(assignment.lists) > 1:
        SessionList.objects.bulk_create(SessionList(session=session, list_id=pk) for pk in assignment.lists[1:])


def give_later(session: Session, lists: Sequence[int]) -> None:
    """Write down the lists of tasks that were decided later; the first of a session without any is its own."""
    further = list(lists)
    if session.list_id is None and further:
        session.list_id = further.pop(0)
    SessionList.objects.bulk_create(SessionList(session=session, list_id=pk) for pk in further)


@dataclass(frozen=True)
class ListOfTask:
    """A list of a session as pages show it: with its task where there are several, and the address of that task."""

    list: StimulusList
    slug: str
    task: str


def shown_lists(session: Session, study: Study) -> list[ListOfTask]:
    """Return the lists of a session of a study in the order of its tasks; of several tasks each with its task."""
    several = study.has_several_tasks
    found = [session.list] if session.list is not None else []
    found += [further.list for further in session.further_lists.all()] if several else []
    of_part = {one.part_id: one for one in found}
    return [
        ListOfTask(
            of_part[task.pk],
            SlugOfTask(str(study.slug), task.name) if several else study.slug,
            task.label if several else "",
        )
        for task in study.tasks
        if task.pk in of_part
    ]

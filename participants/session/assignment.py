"""Which list the next participant gets: balanced over valid sessions, exact also when many start at once.

A session is valid while it is complete, or running and not stale, and neither excluded nor left out by a rule of the
plan. Simulated and real sessions are counted apart. A session that drops out or is left out frees its place; somebody
who comes back after that keeps the list, and the next assignments even the difference out.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from experiments.models import StimulusList, Study
from participants.models import Session
from participants.prepared import Prepared
from participants.refusals import Refusal
from participants.session.planned_exclusion import judge_finished
from participants.session.rows import locked_study_row

STALE_AFTER_MINUTES = 180
COMPLETE, RUNNING = Session.Status.COMPLETE.value, Session.Status.RUNNING.value
NO_RULE = ""  # what `planned_exclusion` holds where no rule of the plan leaves a session out
ListKey = TypeVar("ListKey")
_lists_of = Prepared(lambda study: StimulusList.objects.filter(study_id=study).values_list("pk"))


def next_list(counts: Mapping[ListKey, int]) -> ListKey:
    """Return the list with the fewest valid sessions; among equals the first one in the order of `counts`.

    Raises ValueError where there is no list.

    >>> next_list({"1": 4, "2": 3, "3": 3})
    '2'
    """
    if not counts:
        raise ValueError("A study without lists cannot assign one.")
    return min(counts, key=counts.__getitem__)


def stale_after(study: Study) -> timedelta:
    """Return how long a running session may be silent before its place is given to somebody else."""
    return timedelta(minutes=int(study.procedure.get("stale_after_minutes") or STALE_AFTER_MINUTES))


def is_stale(session: Session, *, now: datetime) -> bool:
    """Return whether a running session has been silent for too long."""
    return session.status == Session.Status.RUNNING and session.last_seen_at < now - stale_after(session.study)


def valid_sessions(study: Study, *, simulated: bool, now: datetime) -> QuerySet[Session]:
    """Return the sessions that hold a place in a list and count towards the quota."""
    judge_finished(study)
    return _valid(study.pk, COMPLETE, RUNNING, now - stale_after(study), NO_RULE, simulated=simulated)


def _valid(
    study: int, complete: str, running: str, since: datetime, no_rule: str, *, simulated: bool
) -> QuerySet[Session]:
    return Session.objects.filter(
        Q(status=complete) | Q(status=running, last_seen_at__gte=since),
        Q(planned_exclusion=no_rule) | Q(planned_exclusion=None),
        study_id=study,
        is_simulated=simulated,
        is_excluded=False,
    )


def _counted(simulated: bool) -> Prepared:
    """Return the number of valid sessions by list, as a function of the values of `_valid`."""
    return Prepared(
        lambda *values: _valid(*values, simulated=simulated).order_by().values_list("list").annotate(number=Count("pk"))
    )


_counts = {simulated: _counted(simulated) for simulated in (False, True)}


def list_counts(study: Study, *, simulated: bool, now: datetime) -> dict[int, int]:
    """Return the number of valid sessions of every list, by its primary key, in the order of the lists."""
    counts = dict.fromkeys((pk for (pk,) in _lists_of(study.pk)), 0)
    judge_finished(study)
    counted = _counts[simulated](study.pk, COMPLETE, RUNNING, now - stale_after(study), NO_RULE)
    counts.update({of_list: number for of_list, number in counted if of_list in counts})
    return counts


def lock_study(study: Study) -> Study:
    """Return the study as it is now, locked until the transaction ends, so that starts queue one behind the other.

    PostgreSQL locks the row in a mode that lets other tables keep referring to it; SQLite has one writer at a time
    since its transactions begin IMMEDIATE.
    """
    return locked_study_row(study.pk)


def choose_list(study: Study, *, simulated: bool, now: datetime | None = None) -> int:
    """Return the key of the list for a new session. `study` is what `lock_study` gave, in the same transaction.

    Without that lock two starts at once would count the same sessions.
    Raises Refusal `full` where the quota is reached and `not-ready` where the study has no lists.
    """
    counts = list_counts(study, simulated=simulated, now=now or timezone.now())
    if not counts:
        raise Refusal("not-ready", _("This study has no materials yet. Please tell the person who sent you the link."))
    if study.quota is not None and sum(counts.values()) >= study.quota:
        raise Refusal(
            "full", _("Enough people have taken part in this study. Thank you for your interest; nothing was stored.")
        )
    return next_list(counts)

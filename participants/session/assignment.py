"""What the next participant gets: group, order of the parts, and the list of every task. Exact also when many start.

A session is valid while it is complete, or running and not stale, and neither excluded nor left out by a rule of the
plan. Simulated and real sessions are counted apart. A session that drops out, is screened out or is left out frees its
place; somebody who comes back after that keeps it, and the next assignments even the difference out.

Groups follow their weights: the next one is that which is furthest behind its share. Within a group the order that
fewest have is next, and of every task the list that fewest have. Equals are told apart by the session's seed, so that
the lists of two tasks, or lists and orders, do not go together; where nothing but one list is decided, by their order.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from experiments.models import Part, StimulusList, Study
from experiments.procedure.sequence import (
    RANDOM,
    Group,
    groups_of,
    order_sets,
    parts_for,
    possible_orders,
    random_order,
)
from participants.models import Session, SessionList
from participants.prepared import Prepared
from participants.refusals import Refusal
from participants.session.planned_exclusion import judge_finished
from participants.session.rows import locked_study_row, rows_of_design, with_parts

STALE_AFTER_MINUTES = 180
COMPLETE, RUNNING = Session.Status.COMPLETE.value, Session.Status.RUNNING.value
NO_RULE = ""  # what `planned_exclusion` holds where no rule of the plan leaves a session out
ListKey = TypeVar("ListKey")
_lists_of = Prepared(
    lambda study: (
        StimulusList.objects.filter(part__study_id=study)
        .order_by("part__position", "item_set", "index")
        .values_list("pk", "part_id")
    )
)


@dataclass(frozen=True)
class Assignment:
    """What was decided for a session. `lists`: the lists of its tasks, in the order of the study."""

    group: str = ""
    order: str = ""
    lists: tuple[int, ...] = ()


def next_list(counts: Mapping[ListKey, int], rng: random.Random | None = None) -> ListKey:
    """Return the list with the fewest valid sessions; among equals the first one in the order of `counts`, or any.

    Raises ValueError where there is no list.

    >>> next_list({"1": 4, "2": 3, "3": 3})
    '2'
    """
    if not counts:
        raise ValueError("A study without lists cannot assign one.")
    fewest = min(counts.values())
    equal = [key for key, count in counts.items() if count == fewest]
    return rng.choice(equal) if rng else equal[0]


def next_group(
    groups: Sequence[Group], counts: Mapping[str, int], rng: random.Random, without: Collection[str] = ()
) -> str | None:
    """Return the group that is furthest behind its share of all, of those with a place left; None where none has one.

    A group of `without` has no place for this person, though it may have one for others.

    With one more participant the share of a group is weight · (n + 1) / sum of the weights; so no group is ever more
    than one away from its share, and at multiples of the sum none is.

    >>> from collections import Counter
    >>> counts = Counter()
    >>> for number in range(30):
    ...     counts[next_group([Group("a", 2), Group("b", 1)], counts, random.Random(number))] += 1
    >>> sorted(counts.items())
    [('a', 20), ('b', 10)]
    """
    places = [
        group
        for group in groups
        if group.name not in without and (group.quota is None or counts.get(group.name, 0) < group.quota)
    ]
    if not places:
        return None
    weights, number = sum(group.weight for group in groups), sum(counts.get(group.name, 0) for group in groups)
    behind = {group.name: weights * counts.get(group.name, 0) - group.weight * (number + 1) for group in places}
    return next_list(behind, rng)


def stale_after(study: Study) -> timedelta:
    """Return how long a running session may be silent before its place is given to somebody else."""
    return timedelta(minutes=int(study.conduct.get("stale_after_minutes") or STALE_AFTER_MINUTES))


def is_stale(session: Session, *, now: datetime) -> bool:
    """Return whether a running session has been silent for too long."""
    return session.status == Session.Status.RUNNING and session.last_seen_at < now - stale_after(session.study)


def valid_sessions(study: Study, *, simulated: bool, now: datetime) -> QuerySet[Session]:
    """Return the sessions that count towards the quota; those that nothing is decided for yet are among them."""
    return Session.objects.filter(_valid(*_values(study, now=now), simulated=simulated))


def _values(study: Study, *, now: datetime) -> tuple[int, str, str, datetime, str]:
    """Return the values of `_valid`, once it is decided for all sessions whether they are left out."""
    judge_finished(study)
    return study.pk, COMPLETE, RUNNING, now - stale_after(study), NO_RULE


def _valid(
    study: int, complete: str, running: str, since: datetime, no_rule: str, *, simulated: bool, of: str = ""
) -> Q:
    """Return the condition of a valid session; `of` leads to it from another table, such as `session__`."""
    return (
        (Q(**{f"{of}status": complete}) | Q(**{f"{of}status": running, f"{of}last_seen_at__gte": since}))
        & (Q(**{f"{of}planned_exclusion": no_rule}) | Q(**{f"{of}planned_exclusion": None}))
        & Q(**{f"{of}study_id": study, f"{of}is_simulated": simulated, f"{of}is_excluded": False})
    )


def _counts_by(*columns: str, of: str = "") -> Mapping[bool, Prepared]:
    """Return, for people and for simulated sessions, the number of valid ones by columns: a function of `_values`.

    With `of`, as in `_valid`, it is the tasks of sessions but their first that are counted.
    """
    counted = SessionList if of else Session
    return {
        simulated: Prepared(
            lambda *values, simulated=simulated: (
                counted.objects.filter(_valid(*values, simulated=simulated, of=of))
                .order_by()
                .values_list(*columns)
                .annotate(number=Count("pk"))
            )
        )
        for simulated in (False, True)
    }


_counts = _counts_by("group", "order", "list")
_meeting_counts = _counts_by("criteria", "group")
_further_counts = _counts_by("session__group", "list", of="session__")


@dataclass(frozen=True)
class _Taken:
    """How many valid sessions have what: by group, by (group, order of one set), by (group, list)."""

    sessions: int
    groups: Mapping[str, int]
    orders: Mapping[tuple[str, str], int]
    lists: Mapping[tuple[str, int], int]


def _taken(study: Study, *, simulated: bool, now: datetime) -> _Taken:
    values = _values(study, now=now)
    sessions, groups, orders, lists = 0, Counter[str](), Counter[tuple[str, str]](), Counter[tuple[str, int]]()
    for group, order, of_list, number in _counts[simulated](*values):
        sessions += number
        groups[group] += number
        for names in order.split("; ") if order else ():
            orders[group, names] += number
        if of_list is not None:
            lists[group, of_list] += number
    if len(study.tasks) > 1:
        for group, of_list, number in _further_counts[simulated](*values):
            lists[group, of_list] += number
    return _Taken(sessions, groups, orders, lists)


def list_counts(study: Study, *, simulated: bool, now: datetime) -> dict[int, int]:
    """Return the number of valid sessions of every list of the task that is meant, by its key, in their order."""
    task = with_parts(study).task.pk
    counts = {pk: 0 for pk, part in _lists_of(study.pk) if part == task}
    for (_group, of_list), number in _taken(study, simulated=simulated, now=now).lists.items():
        if of_list in counts:
            counts[of_list] += number
    return counts


def lock_study(study: Study) -> Study:
    """Return the study as it is now, locked until the transaction ends, so that starts queue one behind the other.

    PostgreSQL locks the row in a mode that lets other tables keep referring to it; SQLite has one writer at a time
    since its transactions begin IMMEDIATE.
    """
    return locked_study_row(study.pk)


def check_quota(study: Study, *, simulated: bool, now: datetime) -> None:
    """Raise Refusal `full` where as many take part as the study wants, decided for or not."""
    if study.quota is None:
        return
    if _taken(study, simulated=simulated, now=now).sessions >= study.quota:
        raise _full()


def criteria_counts_by_group(study: Study, *, simulated: bool, now: datetime) -> Counter[tuple[str, str]]:
    """Return how many valid sessions meet each criterion, by its name and by their group."""
    counts = Counter[tuple[str, str]]()
    for names, group, number in _meeting_counts[simulated](*_values(study, now=now)):
        for name in names.split():
            counts[name, group] += number
    return counts


def check_criteria(study: Study, met: Sequence[str], *, simulated: bool, now: datetime) -> set[str]:
    """Return the groups in which as many as wanted meet a criterion that somebody meets, which `assign` leaves out.

    Raises Refusal `full` where that holds of the whole study. `study` is what `lock_study` gave, as for `assign`;
    whoever is asked about is not counted yet.
    """
    asked = [criterion for criterion in study.criteria if criterion["name"] in met]
    if not asked:
        return set()
    by_group = criteria_counts_by_group(study, simulated=simulated, now=now)
    groups, without = [group.name for group in groups_of(study)], set[str]()
    for criterion in asked:
        name, quota = criterion["name"], criterion["quota"]
        if criterion.get("per_group") and groups:
            without |= {group for group in groups if by_group[name, group] >= quota}
        elif sum(number for (of, _group), number in by_group.items() if of == name) >= quota:
            raise _full()
    return without


def assign(
    study: Study,
    *,
    seed: int,
    simulated: bool,
    now: datetime | None = None,
    is_new: bool = True,
    without: Collection[str] = (),
) -> Assignment:
    """Return what a session with this seed gets. `study` is what `lock_study` gave, in the same transaction.

    Without that lock two at once would count the same sessions. A session that `is_new` is not counted yet; another one
    holds a place among all, but in no group and on no list. `without`: groups that `check_criteria` closes to it.
    Raises Refusal `full` where a quota is reached (that of the study for new sessions alone) and `not-ready` where a
    task has no lists.
    """
    study = with_parts(study)
    taken = _taken(study, simulated=simulated, now=now or timezone.now())
    if is_new and study.quota is not None and taken.sessions >= study.quota:
        raise _full()
    groups, rng = groups_of(study), random.Random(f"assignment {seed}")  # noqa: S311 - can be made again
    group = next_group(groups, taken.groups, rng, without) if groups else ""
    if group is None:
        raise _full()
    parts = parts_for(study, group)
    of_task: dict[int, dict[int, int]] = {part.pk: {} for part in parts if part.kind == Part.Kind.TASK}
    for pk, part in rows_of_design(_lists_of, study):
        if part in of_task:
            of_task[part][pk] = taken.lists.get((group, pk), 0)
    if not all(of_task.values()) or not (of_task or parts):
        raise Refusal("not-ready", _("This study has no materials yet. Please tell the person who sent you the link."))
    orders = _orders(study, parts, group, taken.orders, rng)
    # What a single list is among equals nobody can confound with anything.
    by_chance = rng if groups or orders or len(of_task) > 1 else None
    return Assignment(group, "; ".join(orders), tuple(next_list(counts, by_chance) for counts in of_task.values()))


def _orders(
    study: Study, parts: Iterable[Part], group: str, taken: Mapping[tuple[str, str], int], rng: random.Random
) -> list[str]:
    """Return the order of every set of parts that change places."""
    return [
        random_order(members, rng)
        if study.order_sets.get(name) == RANDOM
        else next_list({order: taken.get((group, order), 0) for order in possible_orders(members)}, rng)
        for name, members in order_sets(list(parts)).items()
    ]


def _full() -> Refusal:
    return Refusal(
        "full", _("Enough people have taken part in this study. Thank you for your interest; nothing was stored.")
    )

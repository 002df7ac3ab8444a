"""Assign the next participant a group, an order of parts and a stimulus list for each task. Counts stay exact under
concurrent starts.

A session is valid while it is complete, or running and not stale, and excluded neither by hand nor by a rule of the
plan. Simulated and real sessions are counted separately. A session that drops out, is screened out or is excluded frees
its place; participants who return afterwards keep theirs, and the next assignments even out the difference.

Groups follow their weights: the group furthest below its expected size is next. Within a group, the order and, for
every task, the list with the fewest valid sessions are next. Ties are broken with the session's seed, so that lists of
different tasks (and lists and orders) stay uncorrelated; if only one list is assigned, ties are broken by its position.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db.models import Count, F, Q, QuerySet
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
from experiments.procedure.stages import late_parts
from participants.models import Session, SessionList
from participants.prepared import Prepared
from participants.refusals import Refusal
from participants.session.answered import A_PAGE
from participants.session.planned_exclusion import judge_finished
from participants.session.rows import locked_study_row, rows_of_design, with_parts

STALE_AFTER_MINUTES = 180
COMPLETE, RUNNING = Session.Status.COMPLETE.value, Session.Status.RUNNING.value
NO_RULE = ""  # the value of `planned_exclusion` if no rule of the plan excludes a session
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
    """What is assigned to a session. `lists`: the lists of its tasks, in the order of the study."""

    group: str = ""
    order: str = ""
    lists: tuple[int, ...] = ()


def next_list(counts: Mapping[ListKey, int], rng: random.Random | None = None) -> ListKey:
    """Return the list with the fewest valid sessions; ties go to the first one in `counts`, with `rng` to a random one.

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
    """Return the group furthest below its expected size among groups with a free place; None if all are full.

    Groups in `without` have no place for this participant, but may have one for others.

    Expected size of a group after one more participant: weight · (n + 1) / Σ weights. So no group ever deviates by more
    than one from its expected size, and none does at multiples of Σ weights.

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
    """Return the session timeout: how long a running session may be inactive before its place is given away."""
    return timedelta(minutes=int(study.conduct.get("stale_after_minutes") or STALE_AFTER_MINUTES))


def is_stale(session: Session, *, now: datetime) -> bool:
    """Return whether a running session has lost its place: it has been inactive for longer than the timeout, or the
    recruitment service said after its last activity that the person gave it up.
    """
    if session.status != Session.Status.RUNNING:
        return False
    return session.last_seen_at < now - stale_after(session.study) or has_given_up(
        session.given_up_at, session.last_seen_at
    )


def has_given_up(given_up_at: datetime | None, last_seen_at: datetime) -> bool:
    """Return whether somebody gave the study up and has not been seen since."""
    return given_up_at is not None and given_up_at >= last_seen_at


def not_given_up(of: str = "") -> Q:
    """Return the condition that `has_given_up` denies; `of` leads to the session from another table."""
    return Q(**{f"{of}given_up_at": None}) | Q(**{f"{of}given_up_at__lt": F(f"{of}last_seen_at")})


def valid_sessions(study: Study, *, simulated: bool, now: datetime) -> QuerySet[Session]:
    """Return the sessions that count towards the quota, including those without an assignment yet."""
    return Session.objects.filter(_valid(*_values(study, now=now), simulated=simulated))


def _values(study: Study, *, now: datetime) -> tuple[int, str, str, datetime, str]:
    """Return the values of `_valid`, after judging finished sessions that have no verdict yet."""
    judge_finished(study, most=A_PAGE)
    return study.pk, COMPLETE, RUNNING, now - stale_after(study), NO_RULE


def _valid(
    study: int, complete: str, running: str, since: datetime, no_rule: str, *, simulated: bool, of: str = ""
) -> Q:
    """Return the condition of a valid session; `of` leads to it from another table, such as `session__`."""
    return (
        (
            Q(**{f"{of}status": complete})
            | Q(**{f"{of}status": running, f"{of}last_seen_at__gte": since}) & not_given_up(of)
        )
        & (Q(**{f"{of}planned_exclusion": no_rule}) | Q(**{f"{of}planned_exclusion": None}))
        & Q(**{f"{of}study_id": study, f"{of}is_simulated": simulated, f"{of}is_excluded": False})
    )


def _counts_by(*columns: str, of: str = "") -> Mapping[bool, Prepared]:
    """Return, for people and for simulated sessions, the number of valid ones by columns: a function of `_values`.

    With `of`, as in `_valid`, the further tasks of sessions are counted.
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


_counts = _counts_by("language", "group", "order", "list")
_meeting_counts = _counts_by("criteria", "group")
_further_counts = _counts_by("session__language", "session__group", "list", of="session__")


@dataclass(frozen=True)
class _Taken:
    """Counts of valid sessions: by group, by (group, order of one set), by (group, list).

    All but `sessions` and `in_groups` are those of one language, where one is asked for.
    """

    sessions: int
    in_groups: Mapping[str, int]
    groups: Mapping[str, int]
    orders: Mapping[tuple[str, str], int]
    lists: Mapping[tuple[str, int], int]


def _taken(study: Study, *, simulated: bool, now: datetime, language: str = "") -> _Taken:
    values = _values(study, now=now)
    sessions, groups, orders, lists = 0, Counter[str](), Counter[tuple[str, str]](), Counter[tuple[str, int]]()
    in_groups = Counter[str]()
    for spoken, group, order, of_list, number in _counts[simulated](*values):
        sessions += number
        in_groups[group] += number
        if language and spoken != language:
            continue
        groups[group] += number
        for names in order.split("; ") if order else ():
            orders[group, names] += number
        if of_list is not None:
            lists[group, of_list] += number
    if len(study.tasks) > 1:
        for spoken, group, of_list, number in _further_counts[simulated](*values):
            if not language or spoken == language:
                lists[group, of_list] += number
    return _Taken(sessions, in_groups, groups, orders, lists)


def _balanced_in(study: Study) -> str:
    """Return the language within which groups, orders and lists are balanced; empty where there is one alone."""
    return study.participants_language if study.languages else ""


def list_counts(study: Study, *, simulated: bool, now: datetime) -> dict[int, int]:
    """Return the number of valid sessions of every list of the current task, by key, in list order."""
    task = with_parts(study).task.pk
    counts = {pk: 0 for pk, part in _lists_of(study.pk) if part == task}
    for (_group, of_list), number in _taken(study, simulated=simulated, now=now).lists.items():
        if of_list in counts:
            counts[of_list] += number
    return counts


def lock_study(study: Study) -> Study:
    """Return the current study, locked until the transaction ends, so that starts are serialised.

    PostgreSQL locks the row in a mode that lets other tables keep referring to it; SQLite has one writer at a time
    since its transactions begin IMMEDIATE.
    """
    return locked_study_row(study.pk).said_in(study.read_in)


def check_quota(study: Study, *, simulated: bool, now: datetime) -> None:
    """Raise Refusal `full` if the study's quota is reached, counting sessions without an assignment too."""
    if study.quota is None:
        return
    if _taken(study, simulated=simulated, now=now).sessions >= study.quota:
        raise _full()


def criteria_counts_by_group(study: Study, *, simulated: bool, now: datetime) -> Counter[tuple[str, str]]:
    """Return the number of valid sessions that meet each criterion, by criterion name and group."""
    counts = Counter[tuple[str, str]]()
    for names, group, number in _meeting_counts[simulated](*_values(study, now=now)):
        for name in names.split():
            counts[name, group] += number
    return counts


def check_criteria(study: Study, met: Sequence[str], *, simulated: bool, now: datetime) -> set[str]:
    """Return the groups in which a criterion that this participant meets is full; `assign` leaves them out.

    Raises Refusal `full` if it is full in the whole study. `study` comes from `lock_study`, as for `assign`; this
    participant is not counted yet.
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
    skipped: Collection[str] = (),
) -> Assignment:
    """Return the assignment of a session with this seed. `study` comes from `lock_study` in the same transaction.

    Without that lock, two concurrent starts would use the same counts. A session that `is_new` is not counted yet;
    another one holds a place among all, but in no group and on no list. `without`: groups that `check_criteria` closes
    to it; `skipped`: parts whose rules its answers do not match, of which it gets no list and no place in an order. Nor
    does it of parts that later answers or scores decide: `assign_later` gives their lists.
    Raises Refusal `full` if a quota is reached (the study's quota only for new sessions), and `not-ready` if a task has
    no lists.
    """
    study = with_parts(study)
    taken = _taken(study, simulated=simulated, now=now or timezone.now(), language=_balanced_in(study))
    if is_new and study.quota is not None and taken.sessions >= study.quota:
        raise _full()
    groups, rng = groups_of(study), random.Random(f"assignment {seed}")  # noqa: S311 - can be made again
    full = {one.name for one in groups if one.quota is not None and taken.in_groups.get(one.name, 0) >= one.quota}
    group = next_group(groups, taken.groups, rng, {*without, *full}) if groups else ""
    if group is None:
        raise _full()
    later = {part.name for part in late_parts(study.ordered_parts)}
    parts = parts_for(study, group, {*skipped, *later})
    of_task: dict[int, dict[int, int]] = {part.pk: {} for part in parts if part.kind == Part.Kind.TASK}
    for pk, part in rows_of_design(_lists_of, study):
        if part in of_task:
            of_task[part][pk] = taken.lists.get((group, pk), 0)
    if not all(of_task.values()) or not (of_task or parts or later):
        raise _not_ready()
    orders = _orders(study, parts, group, taken.orders, rng)
    # With a single list there is nothing that it could be confounded with.
    by_chance = rng if groups or orders or len(of_task) > 1 else None
    return Assignment(group, "; ".join(orders), tuple(next_list(counts, by_chance) for counts in of_task.values()))


def assign_later(study: Study, session: Session, tasks: Sequence[Part], *, now: datetime) -> list[int]:
    """Return a list for each of these tasks, which a session has after all; `study` comes from `lock_study`.

    Of each the list that the fewest valid sessions of the group have. Raises Refusal `not-ready` if one has no lists.
    """
    if not tasks:
        return []
    taken = _taken(study, simulated=session.is_simulated, now=now, language=_balanced_in(study))
    lists = []
    for task in tasks:
        counts = {
            pk: taken.lists.get((session.group, pk), 0)
            for pk, part in rows_of_design(_lists_of, study)
            if part == task.pk
        }
        if not counts:
            raise _not_ready()
        rng = random.Random(f"assignment {session.seed} {task.name}")  # noqa: S311 - can be made again
        lists.append(next_list(counts, rng))
    return lists


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


def _not_ready() -> Refusal:
    return Refusal("not-ready", _("This study has no materials yet. Please tell the person who sent you the link."))


def _full() -> Refusal:
    return Refusal(
        "full", _("Enough people have taken part in this study. Thank you for your interest; nothing was stored.")
    )

"""Monitor a running study: counts, durations, flagged sessions. Read-only."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from experiments.models import Study
from participants.models import BrowserError, IntakeProblem, Response, Session, SessionList
from participants.session.assignment import stale_after
from participants.session.planned_exclusion import NOT_RULED_OUT, RULED_OUT, judge_finished
from participants.watching.session_quality import flagged_sessions
from participants.watching.stops import Stop, stops_of

# Sessions that the study itself ended: nobody left.
SENT_AWAY = (Session.Outcome.SCREENED_OUT, Session.Outcome.OVER_QUOTA, Session.Outcome.FAILED_CHECK)
FEW_FOCUS_LOSSES = 2
# Flag participants whose median RT in a part is below this fraction of the median over all participants' medians:
# they probably did not read.
FAST_SHARE = 1 / 3
# Minimum number of response times for a median, and of sessions for their median.
FEWEST_TRIALS, FEWEST_SESSIONS = 5, 3


@dataclass
class Tally:
    """Sessions by where they are; every session is in exactly one of the last six."""

    started: int = 0
    running: int = 0
    finished: int = 0
    dropped: int = 0
    excluded: int = 0
    ruled_out: int = 0
    sent_away: int = 0

    def add(self, place: str) -> None:
        self.started += 1
        setattr(self, place, getattr(self, place) + 1)


@dataclass(frozen=True)
class ListTally:
    """The tally of one list; `task` names its task where the study has several."""

    name: str
    task: str
    tally: Tally
    width: int


@dataclass(frozen=True)
class Flag:
    """An anomaly, and the sessions in which it occurs."""

    label: str
    sessions: tuple[str, ...]
    detail: str = ""


@dataclass
class Overview:
    """Everything that the page about a running study shows."""

    tally: Tally
    lists: list[ListTally]
    median_minutes: float | None
    slowest_minutes: float | None
    fastest_minutes: float | None
    stops: list[Stop]
    flags: list[Flag]
    last_result_at: datetime | None
    problems: list[IntakeProblem] = field(default_factory=list)
    number_of_problems: int = 0
    errors: list[BrowserError] = field(default_factory=list)
    number_of_errors: int = 0
    withdrawn: int = 0


def place_of(
    *,
    status: str,
    is_excluded: bool,
    last_seen_at: datetime,
    silent_since: datetime,
    planned_exclusion: str | None = None,
    outcome: str = "",
) -> str:
    """Return the state of a session: excluded, excluded by a planned rule, finished, sent away, running or dropped.

    Sent away are people whom the study did not let go on: screened out, over a quota, failed at a check.
    """
    if is_excluded:
        return "excluded"
    if planned_exclusion:
        return "ruled_out"
    if status == Session.Status.COMPLETE:
        return "finished"
    if status == Session.Status.ENDED and outcome in SENT_AWAY:
        return "sent_away"
    if status == Session.Status.RUNNING and last_seen_at >= silent_since:
        return "running"
    return "dropped"


def place_condition(study: Study, place: str, *, now: datetime | None = None) -> Q:
    """Return the condition on sessions that `place_of` decides by."""
    silent_since = (now or timezone.now()) - stale_after(study)
    running = Q(status=Session.Status.RUNNING, last_seen_at__gte=silent_since)
    sent_away = Q(status=Session.Status.ENDED, outcome__in=SENT_AWAY)
    return {
        "excluded": Q(is_excluded=True),
        "ruled_out": Q(is_excluded=False) & RULED_OUT,
        "finished": Q(is_excluded=False, status=Session.Status.COMPLETE) & NOT_RULED_OUT,
        "running": Q(is_excluded=False) & running,
        "sent_away": Q(is_excluded=False) & sent_away,
        "dropped": Q(is_excluded=False) & ~Q(status=Session.Status.COMPLETE) & ~running & ~sent_away,
    }[place]


def tally_of(study: Study, *, simulated: bool) -> Tally:
    """Return the tally of a study, in one query where its plan has no rules."""
    judge_finished(study)
    numbers = Session.objects.filter(study=study, is_simulated=simulated).aggregate(
        started=Count("pk"),
        **{
            place: Count("pk", filter=place_condition(study, place))
            for place in ("running", "finished", "dropped", "excluded", "ruled_out", "sent_away")
        },
    )
    return Tally(**numbers)


def overview(study: Study, *, simulated: bool, now: datetime | None = None) -> Overview:
    """Return how the study is going, for simulated or for real sessions alone."""
    judge_finished(study)
    now = now or timezone.now()
    silent_since = now - stale_after(study)
    sessions = list(
        Session.objects.filter(study=study, is_simulated=simulated).values_list(
            "pk", "list_id", "status", "is_excluded", "last_seen_at", "started_at", "finished_at", "returned_late",
            "participant__pseudonym", "planned_exclusion", "outcome",
        )
    )  # fmt: skip
    tally = Tally()
    by_list: dict[int | None, Tally] = defaultdict(Tally)
    minutes, dropped = [], []
    names = {row[0]: row[8] for row in sessions}
    further = _further_lists(study)
    for pk, list_id, status, is_excluded, last_seen_at, started_at, finished_at, _late, _name, rule, ended in sessions:
        place = place_of(
            status=status,
            is_excluded=is_excluded,
            last_seen_at=last_seen_at,
            silent_since=silent_since,
            planned_exclusion=rule,
            outcome=ended,
        )
        tally.add(place)
        for each_list in (list_id, *further.get(pk, ())):
            by_list[each_list].add(place)
        if place == "dropped":
            dropped.append(pk)
        if place == "finished" and finished_at:
            minutes.append((finished_at - started_at).total_seconds() / 60)
    most = max((each.finished + each.running for each in by_list.values()), default=0) or 1
    problems = IntakeProblem.objects.filter(session__study=study, session__is_simulated=simulated)
    errors = BrowserError.objects.filter(study=study).filter(Q(session__is_simulated=simulated) | Q(session=None))
    return Overview(
        tally=tally,
        lists=[
            ListTally(
                name=each.name,
                task=part.label if study.has_several_tasks else "",
                tally=by_list[each.pk],
                width=round(100 * (by_list[each.pk].finished + by_list[each.pk].running) / most),
            )
            for part in study.tasks
            for each in part.lists.all()
        ],
        median_minutes=statistics.median(minutes) if minutes else None,
        fastest_minutes=min(minutes, default=None),
        slowest_minutes=max(minutes, default=None),
        stops=stops_of(study, dropped),
        flags=_flags(study, names, simulated=simulated, late=[row[8] for row in sessions if row[7]]),
        last_result_at=Response.objects.filter(
            trial__session__study=study, trial__session__is_simulated=simulated
        ).aggregate(last=Max("received_at"))["last"],
        problems=list(problems.select_related("session__participant").order_by("-pk")[:10]),
        number_of_problems=problems.count(),
        errors=list(errors.select_related("session__participant").order_by("-pk")[:10]),
        number_of_errors=errors.count(),
        withdrawn=study.tombstones.count(),
    )


def _further_lists(study: Study) -> dict[int, list[int]]:
    """Return the lists of sessions in their further tasks: session to lists; nothing in a study of one task."""
    found: dict[int, list[int]] = defaultdict(list)
    if study.has_several_tasks:
        for session, further in SessionList.objects.filter(session__study=study).values_list("session", "list"):
            found[session].append(further)
    return found


def _flags(study: Study, names: dict[int, str], *, simulated: bool, late: Sequence[str]) -> list[Flag]:
    responses = Response.objects.filter(trial__session__study=study, trial__session__is_simulated=simulated)
    flags = []
    interrupted = _per_session(responses.filter(interrupted=True), Count("pk"))
    if interrupted:
        total = sum(interrupted.values())
        flags.append(
            Flag(
                label=_("Trials that were cut and answered later"),
                sessions=_named(names, interrupted),
                detail=ngettext("%(n)d trial", "%(n)d trials", total) % {"n": total},
            )
        )
    away = {
        session: n
        for session, n in _per_session(responses, Sum("focus_losses")).items()
        if n is not None and n > FEW_FOCUS_LOSSES
    }
    if away:
        flags.append(
            Flag(
                label=_("Left the window more than %(n)d times") % {"n": FEW_FOCUS_LOSSES},
                sessions=_named(names, away),
            )
        )
    translated = _per_session(responses.filter(translated=True), Count("pk"))
    if translated:
        flags.append(Flag(label=_("The page was translated by the browser"), sessions=_named(names, translated)))
    slept = _per_session(responses.filter(page_slept_ms__gt=0), Count("pk"))
    if slept:
        flags.append(Flag(label=_("The page stood still during a trial"), sessions=_named(names, slept)))
    fast = fast_sessions(responses)
    if fast:
        flags.append(Flag(label=_("Answered in less than a third of the usual time"), sessions=_named(names, fast)))
    flags += [
        Flag(label=sentence, sessions=_named(names, sessions))
        for sentence, sessions in flagged_sessions(study, simulated=simulated).items()
    ]
    if late:
        flags.append(
            Flag(label=_("Came back after the place had been given to somebody else"), sessions=tuple(sorted(late)))
        )
    return flags


def fast_sessions(responses: QuerySet[Response]) -> set[int]:
    """Return the sessions whose median response time in the main phase of a part is far below that of all sessions.

    Parts are compared separately, because tasks differ in duration and not everybody gets all of them.
    """
    times: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for part, session, rt_ms in responses.filter(trial__phase="main", rt_ms__isnull=False).values_list(
        "trial__part", "trial__session", "rt_ms"
    ):
        if rt_ms is not None:
            times[part][session].append(rt_ms)
    fast: set[int] = set()
    for of_part in times.values():
        medians = {session: statistics.median(own) for session, own in of_part.items() if len(own) >= FEWEST_TRIALS}
        if len(medians) >= FEWEST_SESSIONS:
            usual = statistics.median(medians.values())
            fast.update(session for session, own in medians.items() if own < usual * FAST_SHARE)
    return fast


def _per_session(responses: QuerySet[Response], aggregate: Any) -> dict[int, Any]:
    return dict(responses.order_by().values_list("trial__session").annotate(number=aggregate))


def _named(names: dict[int, str], sessions: Iterable[int]) -> tuple[str, ...]:
    return tuple(sorted(names[pk] for pk in sessions if pk in names))

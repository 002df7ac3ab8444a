"""Monitor a running study: counts, durations, flagged sessions. Read-only."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, DurationField, ExpressionWrapper, F, Max, Min, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from experiments.models import Study
from participants.models import BrowserError, IntakeProblem, Response, Session, SessionFigures
from participants.session.answered import A_PAGE
from participants.session.assignment import has_given_up, not_given_up, stale_after
from participants.session.figures import ToCome, figures_for_page, kept_figures
from participants.session.planned_exclusion import ANALYSED, RULED_OUT, judge_finished
from participants.watching.course import Day, days_of
from participants.watching.session_quality import flagged_sessions
from participants.watching.stops import Stop, stops_of

# Sessions that the study itself ended: nobody left.
SENT_AWAY = (Session.Outcome.SCREENED_OUT, Session.Outcome.OVER_QUOTA, Session.Outcome.FAILED_CHECK)
FEW_FOCUS_LOSSES = 2
# Flag participants whose median RT in a part is below this fraction of the median over all participants' medians:
# they probably did not read.
FAST_SHARE = 1 / 3
PLACES = ("running", "finished", "dropped", "excluded", "ruled_out", "sent_away")
ROWS_AT_ONCE = 1_000
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
    figures_to_come: ToCome | None = None
    days: list[Day] = field(default_factory=list)

    @property
    def number_of_flagged(self) -> int:
        """How many sessions have at least one anomaly."""
        return len({name for flag in self.flags for name in flag.sessions})


def place_of(
    *,
    status: str,
    is_excluded: bool,
    last_seen_at: datetime,
    silent_since: datetime,
    planned_exclusion: str | None = None,
    outcome: str = "",
    given_up_at: datetime | None = None,
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
    is_there = last_seen_at >= silent_since and not has_given_up(given_up_at, last_seen_at)
    if status == Session.Status.RUNNING and is_there:
        return "running"
    return "dropped"


def place_in(session: Session) -> str:
    """Return where a session is at the moment, as `place_of` tells it."""
    return place_of(
        status=session.status,
        is_excluded=session.is_excluded,
        last_seen_at=session.last_seen_at,
        silent_since=timezone.now() - stale_after(session.study),
        planned_exclusion=session.planned_exclusion,
        outcome=session.outcome,
        given_up_at=session.given_up_at,
    )


def place_condition(study: Study, place: str, *, now: datetime | None = None) -> Q:
    """Return the condition on sessions that `place_of` decides by."""
    silent_since = (now or timezone.now()) - stale_after(study)
    running = Q(status=Session.Status.RUNNING, last_seen_at__gte=silent_since) & not_given_up()
    sent_away = Q(status=Session.Status.ENDED, outcome__in=SENT_AWAY)
    return {
        "excluded": Q(is_excluded=True),
        "ruled_out": Q(is_excluded=False) & RULED_OUT,
        "finished": ANALYSED,
        "running": Q(is_excluded=False) & running,
        "sent_away": Q(is_excluded=False) & sent_away,
        "dropped": Q(is_excluded=False) & ~Q(status=Session.Status.COMPLETE) & ~running & ~sent_away,
    }[place]


def tally_of(study: Study, *, simulated: bool, now: datetime | None = None) -> Tally:
    """Return the tally of a study, in one query where its plan has no rules."""
    judge_finished(study, most=A_PAGE)
    sessions = Session.objects.filter(study=study, is_simulated=simulated)
    return Tally(**sessions.aggregate(**_places(study, now=now)))


def _places(study: Study, *, now: datetime | None) -> dict[str, Count]:
    """Return what counts sessions in all and by where they are."""
    counted = {place: Count("pk", filter=place_condition(study, place, now=now)) for place in PLACES}
    return {"started": Count("pk"), **counted}


def overview(study: Study, *, simulated: bool, now: datetime | None = None) -> Overview:
    """Return how the study is going, for simulated or for real sessions alone."""
    now = now or timezone.now()
    to_come = figures_for_page(study, simulated=simulated)
    sessions = Session.objects.filter(study=study, is_simulated=simulated)
    by_list = _tallies_by_list(study, sessions, now=now)
    most = max((each.finished + each.running for each in by_list.values()), default=0) or 1
    minutes = _minutes(sessions.filter(place_condition(study, "finished", now=now), finished_at__isnull=False))
    problems = IntakeProblem.objects.filter(session__study=study, session__is_simulated=simulated)
    errors = BrowserError.objects.filter(study=study).filter(Q(session__is_simulated=simulated) | Q(session=None))
    return Overview(
        tally=tally_of(study, simulated=simulated, now=now),
        lists=[
            ListTally(
                name=each.name,
                task=part.shown_name if study.has_several_tasks else "",
                tally=by_list[each.pk],
                width=round(100 * (by_list[each.pk].finished + by_list[each.pk].running) / most),
            )
            for part in study.tasks
            for each in part.lists.all()
        ],
        median_minutes=minutes[1],
        fastest_minutes=minutes[0],
        slowest_minutes=minutes[2],
        stops=stops_of(study, sessions.filter(place_condition(study, "dropped", now=now))),
        flags=_flags(study, simulated=simulated),
        last_result_at=_last_result(study, simulated=simulated),
        problems=list(problems.select_related("session__participant").order_by("-pk")[:10]),
        number_of_problems=problems.count(),
        errors=list(errors.select_related("session__participant").order_by("-pk")[:10]),
        number_of_errors=errors.count(),
        withdrawn=study.tombstones.count(),
        figures_to_come=to_come,
        days=days_of(sessions, now=now),
    )


def _tallies_by_list(study: Study, sessions: QuerySet[Session], *, now: datetime) -> dict[int | None, Tally]:
    """Return the tallies of the lists of every task; of a list that nobody has, an empty one."""
    found: dict[int | None, Tally] = defaultdict(Tally)
    ways = [(sessions, "list")]
    if study.has_several_tasks:
        ways.append((sessions.filter(further_lists__isnull=False), "further_lists__list"))
    for having, way in ways:
        for of_list, *numbers in having.order_by().values_list(way).annotate(**_places(study, now=now)):
            for name, number in zip(("started", *PLACES), numbers, strict=True):
                setattr(found[of_list], name, getattr(found[of_list], name) + number)
    return found


def _minutes(sessions: QuerySet[Session]) -> tuple[float | None, float | None, float | None]:
    """Return the shortest, the median and the longest duration of finished sessions in minutes."""
    lasted = ExpressionWrapper(F("finished_at") - F("started_at"), output_field=DurationField())
    timed = sessions.annotate(lasted=lasted)
    found = timed.aggregate(number=Count("pk"), shortest=Min("lasted"), longest=Max("lasted"))
    number = found["number"]
    if not number:
        return None, None, None
    in_order = timed.order_by("lasted").values_list("lasted", flat=True)
    middle = statistics.median(_in_minutes(one) for one in in_order[(number - 1) // 2 : number // 2 + 1])
    return _in_minutes(found["shortest"]), middle, _in_minutes(found["longest"])


def _in_minutes(duration: timedelta) -> float:
    return duration.total_seconds() / 60


def _last_result(study: Study, *, simulated: bool) -> datetime | None:
    kept = kept_figures(study, simulated=simulated).aggregate(last=Max("last_result_at"))["last"]
    of_others = _of_unfinished(study, simulated=simulated).aggregate(last=Max("received_at"))["last"]
    return max((at for at in (kept, of_others) if at is not None), default=None)


def _of_unfinished(study: Study, *, simulated: bool) -> QuerySet[Response]:
    """Return the responses of sessions that have not been finished, of which nothing is kept."""
    unfinished = Session.objects.filter(study=study, is_simulated=simulated).exclude(status=Session.Status.COMPLETE)
    return Response.objects.filter(trial__session__in=unfinished)


def _flags(study: Study, *, simulated: bool) -> list[Flag]:
    sessions = Session.objects.filter(study=study, is_simulated=simulated)
    kept, responses = kept_figures(study, simulated=simulated), _of_unfinished(study, simulated=simulated)
    # Every session has a name of few letters: that is less than to ask again for those of each flag.
    names = dict(sessions.order_by().values_list("pk", "participant__pseudonym").iterator(chunk_size=ROWS_AT_ONCE))
    flags = []
    interrupted = _kept(kept, "interrupted") | _per_session(responses.filter(interrupted=True), Count("pk"))
    if interrupted:
        total = sum(interrupted.values())
        flags.append(
            Flag(
                label=_("Trials that were interrupted and answered later"),
                sessions=_named(names, interrupted),
                detail=ngettext("%(n)d trial", "%(n)d trials", total) % {"n": total},
            )
        )
    losses = _kept(kept, "focus_losses") | _per_session(responses.filter(focus_losses__gt=0), Sum("focus_losses"))
    away = [session for session, number in losses.items() if number > FEW_FOCUS_LOSSES]
    if away:
        flags.append(
            Flag(
                label=_("Left the window more than %(n)d times") % {"n": FEW_FOCUS_LOSSES},
                sessions=_named(names, away),
            )
        )
    translated = _kept(kept, "translated") | _per_session(responses.filter(translated=True), Count("pk"))
    if translated:
        flags.append(Flag(label=_("The page was translated by the browser"), sessions=_named(names, translated)))
    out_of_view = _kept(kept, "out_of_view") | _per_session(responses.filter(out_of_view__gt=0), Count("pk"))
    if out_of_view:
        total = sum(out_of_view.values())
        flags.append(
            Flag(
                label=_("A timed element was not completely in the window"),
                sessions=_named(names, out_of_view),
                detail=ngettext("%(n)d trial", "%(n)d trials", total) % {"n": total},
            )
        )
    slept = _kept(kept, "slept") | _per_session(responses.filter(page_slept_ms__gt=0), Count("pk"))
    if slept:
        flags.append(Flag(label=_("The page stood still during a trial"), sessions=_named(names, slept)))
    fast = fast_sessions(study, simulated=simulated)
    if fast:
        flags.append(Flag(label=_("Answered in less than a third of the usual time"), sessions=_named(names, fast)))
    flags += [
        Flag(label=sentence, sessions=_named(names, flagged))
        for sentence, flagged in flagged_sessions(study, simulated=simulated).items()
    ]
    late = sessions.filter(returned_late=True).values_list("pk", flat=True)
    if late:
        flags.append(
            Flag(label=_("Came back after the place had been given to somebody else"), sessions=_named(names, late))
        )
    return flags


def fast_sessions(study: Study, *, simulated: bool) -> set[int]:
    """Return the sessions whose median response time in the main phase of a part is far below that of all sessions.

    Parts are compared separately, because tasks differ in duration and not everybody gets all of them.
    """
    medians: dict[int, dict[int, float]] = defaultdict(dict)
    kept = kept_figures(study, simulated=simulated).order_by().values_list("session", "parts")
    for session, parts in kept.iterator(chunk_size=ROWS_AT_ONCE):
        for part, of_part in parts.items():
            if of_part["times"] >= FEWEST_TRIALS:
                medians[int(part)][session] = of_part["median_ms"]
    times: dict[tuple[int, int], list[float]] = defaultdict(list)
    timed = _of_unfinished(study, simulated=simulated).filter(trial__phase="main", rt_ms__isnull=False).order_by()
    asked = timed.values_list("trial__part", "trial__session", "rt_ms")
    for part, session, rt_ms in asked.iterator(chunk_size=ROWS_AT_ONCE):
        if rt_ms is not None:
            times[part, session].append(rt_ms)
    for (part, session), own in times.items():
        if len(own) >= FEWEST_TRIALS:
            medians[part][session] = statistics.median(own)
    fast: set[int] = set()
    for of_part in medians.values():
        if len(of_part) >= FEWEST_SESSIONS:
            usual = statistics.median(of_part.values())
            fast.update(session for session, own in of_part.items() if own < usual * FAST_SHARE)
    return fast


def _kept(kept: QuerySet[SessionFigures], name: str) -> dict[int, int]:
    """Return session → one of its figures, for the sessions in which it is not 0."""
    return dict(kept.filter(**{f"{name}__gt": 0}).values_list("session", name))


def _per_session(responses: QuerySet[Response], aggregate: Any) -> dict[int, Any]:
    return dict(responses.order_by().values_list("trial__session").annotate(number=aggregate))


def _named(names: dict[int, str], sessions: Iterable[int]) -> tuple[str, ...]:
    return tuple(sorted(names[pk] for pk in sessions if pk in names))

"""How a study goes day by day, and one session trial by trial, as small pictures. Read-only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from participants.models import Session

MOST_DAYS = 28
HEIGHT = 48
SPARK_WIDTH, SPARK_HEIGHT = 600, 48


@dataclass(frozen=True)
class Day:
    """How many started and finished on one day; the heights are of bars in a picture of `HEIGHT` px."""

    day: date
    started: int
    finished: int
    started_height: int
    finished_height: int


def days_of(sessions: QuerySet[Session], *, now: datetime | None = None) -> list[Day]:
    """Return the days from the first session to the last one, at most the last `MOST_DAYS` of them.

    Days without anybody are among them, in the reader's time zone. Nothing is returned for fewer than two days.
    """
    earliest = timezone.localdate(now or timezone.now()) - timedelta(days=MOST_DAYS - 1)
    started, finished = (_per_day(sessions, name) for name in ("started_at", "finished_at"))
    days = [day for day in (*started, *finished) if day >= earliest]
    if len(set(days)) < 2:
        return []
    most = max(max(started.get(day, 0), finished.get(day, 0)) for day in days)
    first, last = min(days), max(days)
    return [
        Day(day, begun, done, _height(begun, most), _height(done, most))
        for day in (first + timedelta(days=number) for number in range((last - first).days + 1))
        for begun, done in [(started.get(day, 0), finished.get(day, 0))]
    ]


def _per_day(sessions: QuerySet[Session], name: str) -> dict[date, int]:
    dated = sessions.filter(**{f"{name}__isnull": False}).order_by().annotate(day=TruncDate(name))
    return dict(dated.values_list("day").annotate(number=Count("pk")))


def _height(number: int, most: int) -> int:
    return max(1, round(HEIGHT * number / most)) if number else 0


def sparkline(times: Sequence[float | None]) -> list[str]:
    """Return the lines through the times of trials, in ms: points of polylines in a picture of 600 by 48 px.

    The scale is logarithmic, as times are skewed. A trial without a time interrupts the line.

    >>> sparkline([100, 1000, None, 10])
    ['0.0,24.0 200.0,0.0', '600.0,48.0']
    >>> sparkline([5.0])
    []
    """
    logs = [math.log(max(time, 1.0)) if time is not None else None for time in times]
    known = [log for log in logs if log is not None]
    if len(set(known)) < 2:
        return []
    low, high = min(known), max(known)
    lines: list[list[str]] = [[]]
    for place, log in enumerate(logs):
        if log is None:
            lines.append([])
            continue
        x = SPARK_WIDTH * place / (len(logs) - 1)
        lines[-1].append(f"{x:.1f},{SPARK_HEIGHT * (high - log) / (high - low):.1f}")
    return [" ".join(line) for line in lines if line]

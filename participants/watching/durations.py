"""Measure the median duration of each part over finished sessions."""

from __future__ import annotations

import statistics
from collections import defaultdict

from django.db.models import Max

from experiments.models import Study
from participants.models import Session, Trial

MOST_SESSIONS = 200


def measured_durations(study: Study) -> dict[str, tuple[float, int]]:
    """Return, by the name of the part, the median of its seconds over finished sessions and how many these were.

    A part lasts from the last answer before it, or the start of the session, to its own last answer as the server
    received it. Simulated and excluded sessions do not count; of many the last 200 do.
    """
    sessions = Session.objects.filter(
        study=study, status=Session.Status.COMPLETE, is_simulated=False, is_excluded=False
    ).order_by("-pk")
    started = dict(sessions.values_list("pk", "started_at")[:MOST_SESSIONS])
    ends = (
        Trial.objects.filter(session__in=list(started), response__isnull=False)
        .order_by()
        .values("session", "part__name")
        .annotate(last=Max("response__received_at"))
        .order_by("session", "last")
    )
    seconds: dict[str, list[float]] = defaultdict(list)
    before = dict(started)
    for row in ends:
        seconds[row["part__name"]].append((row["last"] - before[row["session"]]).total_seconds())
        before[row["session"]] = row["last"]
    return {name: (statistics.median(times), len(times)) for name, times in seconds.items()}

"""Payment list: recruitment ids with outcome, code and times, but without pseudonyms and answers.

Only the owner gets it; it leaves an audit entry, and cannot be joined with the data, which only have pseudonyms. It
contains neither withdrawn participants nor those whose recruitment id was erased.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

from experiments.formats.csvtext import csv_text
from experiments.models import Study
from experiments.rules.sources import OVER_QUOTA
from experiments.study.audit import record
from participants.models import RecruitmentIdentity, Session
from participants.session.endings import code_of

HEADER = ("source", "recruitment_id", "outcome", "code", "started_at", "ended_at", "minutes")
RUNNING = "running"
ROWS_AT_ONCE = 500


def payment_csv(study: Study, *, user: Any, detail: str = "") -> tuple[str, int]:
    """Return the payment list as CSV, and its number of rows; leave an audit entry.

    Columns: source (name, or the parameter that identified where it has none), recruitment_id, outcome (`running` where
    it has none yet), code (what the last page shows), started_at and ended_at (UTC, ISO 8601), minutes between them. By
    source, then by start. Cells that a spreadsheet would take for a formula are guarded.
    """
    rows = list(_rows(study))
    record(study, action="payment list exported", user=user, detail=f"{len(rows)} people{detail}")
    return csv_text(HEADER, rows, excel=True), len(rows)


def _rows(study: Study) -> Iterator[list[object]]:
    sessions = Session.objects.filter(study=study, is_simulated=False, participant__recruitment__isnull=False)
    found = sessions.select_related("participant__recruitment").order_by("source", "started_at", "pk")
    # Whom the closing of the study cut is shown the code of those who came too late.
    cut = OVER_QUOTA if study.status == study.Status.CLOSED else ""
    code = cache(partial(code_of, study))
    for session in found.iterator(chunk_size=ROWS_AT_ONCE):
        identity: RecruitmentIdentity = session.participant.recruitment
        ended, shown = session.finished_at, session.outcome or cut
        minutes = round((ended - session.started_at).total_seconds() / 60, 1) if ended else None
        yield [
            session.source or identity.source,
            identity.external_id,
            session.outcome or RUNNING,
            code(session.source, shown) if shown else "",
            f"{session.started_at:%Y-%m-%dT%H:%M:%SZ}",
            f"{ended:%Y-%m-%dT%H:%M:%SZ}" if ended else "",
            minutes,
        ]

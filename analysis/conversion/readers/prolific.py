"""Read the demographic export of Prolific: a table of people, to be joined with results by `participant`."""

from __future__ import annotations

from analysis.conversion.columns import Columns
from analysis.conversion.reader import Reader
from analysis.conversion.source import Source
from analysis.conversion.table import Converted, folded

_COLUMNS = Columns(
    "Prolific",
    needs=(),
    names={
        "session": ("Submission id", "session_id"),
        "started_at": ("Started at", "started_datetime"),
        "ended_at": ("Completed at", "completed_date_time"),
        "duration_s": ("Time taken", "time_taken"),
    },
    people=("Participant id", "participant_id"),
    runs=("Submission id",),
)
_MARKS = ("timetaken", "totalapprovals", "numapprovals", "completioncode", "enteredcode", "studentstatus")
# What Prolific writes where somebody no longer lets it say this.
_GONE = ("DATA_EXPIRED", "CONSENT_REVOKED")


def _recognised(source: Source) -> bool:
    there = {folded(name) for name in source.columns}
    return {"participantid", "status"} <= there and len(there.intersection(_MARKS)) >= 2


def _read(source: Source) -> Converted:
    found = _COLUMNS.read(source)
    gone = 0
    for row in found.rows:
        for name, value in row.items():
            if value in _GONE:
                row[name] = None
                gone += 1
    found.notes.append(
        "This is a table of people, not of trials: join it with results by `participant`, there the PROLIFIC_PID."
    )
    if gone:
        found.notes.append(f"Cells are empty whose data expired or were withdrawn ({', '.join(_GONE)}: {gone}).")
    again = len(found.rows) - len({row.get("participant") for row in found.rows})
    if again:
        found.notes.append(f"Some people have several submissions; see `status` (further rows: {again}).")
    return found


PROLIFIC = Reader(
    "Prolific",
    files="demographic export (CSV)",
    becomes="a table of people: `Participant id` → `participant`, `Submission id` → `session`, `Time taken` → "
    "`duration_s`; age, sex and whatever was exported keep their names",
    documentation="https://researcher-help.prolific.com/en/article/8b4d8f",
    recognised=_recognised,
    read=_read,
)

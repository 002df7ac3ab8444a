"""Read results of PsychoPy and Pavlovia: a row for each turn of a loop, columns for every component, in seconds."""

from __future__ import annotations

from analysis.conversion.answered import answer_of, by_use, components, sources_of, without_only
from analysis.conversion.columns import Columns
from analysis.conversion.reader import Reader
from analysis.conversion.source import Source
from analysis.conversion.table import Converted, cell, milliseconds

_COLUMNS = Columns(
    "PsychoPy",
    needs=(),
    marks=("psychopyVersion", "expName", "frameRate"),
    names={},
    people=("participant",),
    # Each run is a file of its own; put together, they are told apart by when they began.
    runs=("expStart", "date"),
)
_RESPONSES = (".keys", ".response", ".text", ".clicked_name")


def _recognised(source: Source) -> bool:
    return _COLUMNS.recognised(source) and any(
        name.endswith((".thisN", ".thisRepN", ".rt", ".started", ".t")) for name in source.columns
    )


def _read(source: Source) -> Converted:
    rows, columns = source.rows, source.columns
    found = by_use(components(columns, time=".rt", responses=_RESPONSES, correct=".corr"), rows)
    loops = [name for name in columns if name.endswith(".thisN")]
    loop = max(loops, key=source.filled, default="")
    read = _COLUMNS.table(source, rows, names={loop: "position"} if loop else {})
    several = 0
    for given, row in zip(rows, read.rows, strict=True):
        row.update(answer_of(given, found, time=milliseconds))
        several += any(str(given.get(one.time) or "").startswith("[") for one in found)
        count = row.get("position")
        if isinstance(count, int):
            row["position"] = count + 1
    if not several:
        without_only(read.rows, found)
    read.sources |= sources_of(found)
    if found:
        read.notes.append("rt_ms was made milliseconds of seconds.")
    if len(found) > 1:
        read.notes.append(
            f"Several components took answers ({', '.join(one.name for one in found)}); `component` says which row is "
            "whose, and their own columns are kept in seconds."
        )
    if several:
        read.notes.append(f"Where several keys were stored they keep their columns, and there is no rt_ms ({several}).")
    idle = sum(cell(row.get("rt_ms")) is None for row in read.rows)
    if idle:
        read.notes.append(f"Rows without an answer with a time, such as those of instructions: {idle}.")
    return read


PSYCHOPY = Reader(
    "PsychoPy",
    files="CSV of PsychoPy and Pavlovia, with a row for each trial",
    becomes="`NAME.rt` (seconds) → `rt_ms`, `NAME.keys` or `NAME.response` → `response`, `NAME.corr` → `correct`, "
    "NAME → `component`; the `thisN` of the longest loop → `position` (from 1)",
    documentation="https://www.psychopy.org/general/dataOutputs.html",
    recognised=_recognised,
    read=_read,
)

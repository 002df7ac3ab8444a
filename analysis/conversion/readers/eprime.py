"""Read results of E-Prime: the text file of a session with its frames, and the table that E-DataAid exports.

A frame of a trial stands before the frame of the block that holds it; what the block recorded is said of its trials.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis.conversion.answered import answer_of, by_use, components, sources_of, without_only
from analysis.conversion.columns import Columns, number_or_none
from analysis.conversion.reader import Reader
from analysis.conversion.source import Source, lines_of
from analysis.conversion.table import Converted, Fault, NotRecognised

_HEADER, _FRAME, _END = "*** Header Start ***", "*** LogFrame Start ***", " End ***"
_COLUMNS = Columns(
    "E-Prime",
    needs=("Subject", "Session"),
    marks=("ExperimentName", "Experiment", "SessionDate"),
    names={"session": ("Session",), "position": ("Trial", "TrialList.Sample"), "label": ("Procedure", "Running")},
    people=("Subject",),
    runs=("SessionStartDateTimeUtc",),
)


def _is_table(source: Source) -> bool:
    return _COLUMNS.recognised(source) and any(name.endswith((".RT", ".RESP", ".ACC")) for name in source.columns)


def _recognised(source: Source) -> bool:
    return _HEADER in source.head or _FRAME in source.head or _is_table(source)


def _read(source: Source) -> Converted:
    if _is_table(source):
        return _table(source, source.rows, source.columns)
    rows = _frames(source)
    if not rows:
        raise NotRecognised("This is a text file of E-Prime without a trial: there is no LogFrame in it.")
    return _table(source, rows, list(dict.fromkeys(name for row in rows for name in row)))


def _frames(source: Source) -> list[dict[str, str]]:
    """Return a row for each frame that holds no other, with what the frames around it and the header say."""
    header: dict[str, str] = {}
    rows: list[dict[str, str]] = []
    waiting: list[tuple[int, dict[str, str]]] = []
    level, opened = 1, 0
    frame: dict[str, str] | None = None
    for number, line in lines_of(source.text):
        said = line.strip()
        if said == _HEADER:
            # A file of several sessions has a header for each.
            rows += _closed(waiting, header)
            waiting, header = [], {}
            frame = header
        elif said == _FRAME:
            frame, opened = {}, number
        elif said.startswith("*** ") and said.endswith(_END):
            if frame is not None and frame is not header:
                held = [row for deeper, row in waiting if deeper > level]
                for row in held:
                    row |= {name: value for name, value in frame.items() if name not in row}
                # What a block recorded is said of its trials; afterwards they belong to the level of the block.
                waiting = [(min(deeper, level), row) for deeper, row in waiting] if held else [*waiting, (level, frame)]
            frame = None
        elif said.startswith("Level:"):
            level = int(found) if (found := said.removeprefix("Level:").strip()).isdigit() else level
        elif frame is not None and ":" in said:
            name, value = said.split(":", 1)
            if name != "LevelName":
                frame[name.strip()] = value.strip()
    if frame is not None and frame is not header:
        source.faults.append(Fault(opened, "this frame never ends; the session was broken off here."))
    return rows + _closed(waiting, header)


def _closed(waiting: Sequence[tuple[int, dict[str, str]]], header: dict[str, str]) -> list[dict[str, str]]:
    return [{**header, **row} for _level, row in waiting]


def _table(source: Source, rows: Sequence[dict[str, str]], columns: Sequence[str]) -> Converted:
    found = by_use(components(columns, time=".RT", responses=(".RESP",), correct=".ACC"), rows)
    read = _COLUMNS.table(source, rows, columns=columns)
    for given, row in zip(rows, read.rows, strict=True):
        row.update(answer_of(given, found, time=number_or_none, needs_response=True))
    without_only(read.rows, found)
    read.sources |= sources_of(found)
    if found:
        read.notes.append("Where nobody answered E-Prime writes an RT of 0; rt_ms is empty there.")
    if len(found) > 1:
        names = ", ".join(one.name for one in found)
        read.notes.append(f"Several objects took answers ({names}); `component` says which row is whose.")
    return read


EPRIME = Reader(
    "E-Prime",
    files="the text file of a session (`.txt`), and the table that E-DataAid exports as text",
    becomes="`Subject` → `participant`, `OBJECT.RT` → `rt_ms` (none where there is no response), `OBJECT.RESP` → "
    "`response`, `OBJECT.ACC` → `correct`, OBJECT → `component`, `Procedure` → `label`; a trial has what its "
    "block recorded",
    documentation="https://support.pstnet.com/hc/en-us",
    recognised=_recognised,
    read=_read,
)

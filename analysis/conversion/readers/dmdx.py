"""Read results of DMDX (`.azk`): for each subject a heading, and below it item numbers with times.

A negative time is that of a wrong answer, or the timeout if nobody answered.
"""

from __future__ import annotations

from analysis.conversion.columns import number_or_none
from analysis.conversion.reader import Reader
from analysis.conversion.source import Source, lines_of
from analysis.conversion.table import Cell, Converted, Fault, Row, cell

_HEAD, _SUBJECT = "Subjects incorporated to date", "Subject "


def _recognised(source: Source) -> bool:
    return _HEAD in source.head[:2_000]


def _read(source: Source) -> Converted:
    rows: list[Row] = []
    faults: list[Fault] = []
    who: Cell = None
    position, columns = 0, ["item", "rt"]
    ids: dict[str, int] = {}
    for number, line in lines_of(source.text):
        said = line.strip()
        words = said.split()
        if said.startswith(_SUBJECT) and "," in said:
            who, position = _subject(said), 0
            ids[str(who)] = ids.get(str(who), 0) + 1
            if ids[str(who)] > 1:
                who = f"{who}-{ids[str(who)]}"
        elif words[:1] == ["Item"] and len(words) > 1:
            columns = [word.casefold() for word in words]
        elif not said or said.startswith(("!", "*", _HEAD, "Data file started")):
            continue
        else:
            values = [cell(word) for word in words]
            time = number_or_none(values[1]) if len(values) > 1 else None
            if who is None or not isinstance(time, int | float) or number_or_none(values[0]) is None:
                faults.append(Fault(number, "this is neither an item with its time nor a heading; it was left out."))
                continue
            position += 1
            row: Row = {"participant": who, "position": position, "item": values[0]}
            row |= {"rt_ms": abs(time), "correct": time > 0}
            row |= dict(zip(columns[2:], values[2:], strict=False))
            rows.append(row)
    notes = ["A negative time is a wrong answer, or none: correct is false, and rt_ms is then the timeout."]
    again = [name for name, times in ids.items() if times > 1]
    if again:
        notes.append(f"{', '.join(again)} ran more than once; each run is a participant of its own.")
    sources = {"participant": "Subject, ID", "item": "Item", "rt_ms": "RT", "correct": "sign of RT"}
    return Converted("DMDX", rows, sources=sources, notes=notes, faults=faults)


def _subject(heading: str) -> Cell:
    """Return the id of a heading, `Subject 3, 06/12/2007 12:04:36 on LAB2, refresh 16.67ms, ID p07`, or its number."""
    parts = [part.strip() for part in heading.split(",")]
    given = next((part[2:].strip() for part in parts[1:] if part.startswith("ID")), "")
    return cell(given) if given else cell(parts[0].removeprefix(_SUBJECT))


DMDX = Reader(
    "DMDX",
    files="`.azk`",
    becomes="the `ID` of the heading, otherwise the subject's number → `participant`, `Item` → `item`, `RT` without "
    "its sign → `rt_ms`, the sign → `correct`, order → `position`",
    documentation="https://www.u.arizona.edu/~jforster/dmdx/help/dmdxhdmdx.htm",
    recognised=_recognised,
    read=_read,
)

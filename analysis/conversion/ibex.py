"""Convert results of PCIbex and Ibex: lines of values below comments that number and name their columns.

A comment `# 7. Label.` names column 7 of all lines below it, until another comment names it anew. PCIbex writes a line
per logged event, and one per word where a controller (`DashedSentence`) measures reading; such a line has a word and a
time. Commas within values are written as %2C.
"""

from __future__ import annotations

import csv
import re
from urllib.parse import unquote

from analysis.conversion.table import Converted, Fault, Row, renamed

_COLUMN = re.compile(r"#\s*(\d+)\.\s*(.+?)\.?\s*$")
_GROUPED = re.compile(r"#\s*The lines below this comment are in groups of (\d+)", re.IGNORECASE)

_NAMES = {
    "Results reception time": "session",
    "Time results were received": "session",
    "MD5 hash of participant's IP address": "address_hash",
    "Controller name": "controller",
    "Order number of item": "trial",
    "Item number": "trial",
    "Inner element number": "element",
    "Element number": "element",
    "Label": "label",
    "Type": "label",
    "Latin Square Group": "list",
    "Group": "list",
    "Word number": "region",
    "Word": "word",
    "Reading time": "rt_ms",
    "Sentence (or sentence MD5)": "text",
    "Answer": "response",
    "Whether or not answer was correct (NULL if N/A)": "correct",
    "Time taken to answer": "rt_ms",
    "Value": "response",
    "EventTime": "event_at_ms",
    "PennElementType": "element_type",
    "PennElementName": "element_name",
    "Parameter": "parameter",
}
# Where a reading-time line stands under PCIbex' columns, these hold the number of the word and the word.
_READING = {"Parameter": "region", "Value": "word", "Reading time": "rt_ms"}
_OWN_PARTICIPANT = ("participant", "subject", "id", "prolific_pid", "prolificid", "workerid", "subj")


def recognised(text: str) -> bool:
    """Say whether a text is a results file of Ibex or PCIbex."""
    head = text[:20_000]
    return bool(re.search(r"^#\s*1\.\s*(Results reception time|Time results were received)", head, re.MULTILINE))


def convert(text: str) -> Converted:
    """Return one row per line of values. Lines with fewer values than columns are named as faults and left out."""
    tool = "PCIbex" if "PennElementType" in text else "Ibex"
    sources: dict[str, str] = {}
    rows: list[Row] = []
    faults: list[Fault] = []
    columns: dict[int, str] = {}
    starts: dict[tuple[object, ...], int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            named = _COLUMN.match(line)
            if named and int(named[1]) == 1:
                columns = {}
            if named:
                index = int(named[1])
                columns = {at: name for at, name in columns.items() if at < index} | {index: named[2]}
            elif _GROUPED.match(line):
                faults.append(Fault(number, "Lines in groups cannot be told apart; the lines below are read singly."))
            continue
        if not line.strip():
            continue
        values = [unquote(value) for value in next(csv.reader([line]))]
        if not columns:
            faults.append(Fault(number, "There are values before any column was named."))
            continue
        if len(values) < 7:
            faults.append(Fault(number, f"{len(values)} values are too few for a result; the line was left out."))
            continue
        given = {columns.get(at, f"column {at}"): value for at, value in enumerate(values, start=1)}
        reads_time = "Reading time" in given and "PennElementType" in given
        row = renamed(given, {**_NAMES, **(_READING if reads_time else {})}, {})
        sources |= {name: source for name, source in _sources(given, reads_time=reads_time).items() if name in row}
        _complete(row, starts)
        rows.append(row)
    notes = _own_participants(rows)
    if tool == "PCIbex":
        notes.append("rt_ms of a logged event is its time less the start of its trial.")
    return Converted(tool, rows, sources=sources, notes=notes, faults=faults)


def _sources(given: dict[str, str], *, reads_time: bool) -> dict[str, str]:
    names = {**_NAMES, **(_READING if reads_time else {})}
    return {names[source]: source for source in given if source in names}


def _complete(row: Row, starts: dict[tuple[object, ...], int]) -> None:
    """Give an event its time since the trial's start, right and wrong their names, and one person one name."""
    who = (row.get("address_hash"), row.get("session"), row.get("trial"))
    at = row.get("event_at_ms")
    if row.get("parameter") == "_Trial_" and row.get("response") == "Start" and isinstance(at, int):
        starts[who] = at
    elif "rt_ms" not in row and isinstance(at, int) and who in starts:
        row["rt_ms"] = at - starts[who]
    if row.get("correct") in (0, 1):
        row["correct"] = bool(row["correct"])


def _own_participants(rows: list[Row]) -> list[str]:
    """Name people by the id that the experiment logged, else by the hash of their address, which a room shares."""
    own = next((name for name in _OWN_PARTICIPANT if any(row.get(name) is not None for row in rows)), None)
    if own is not None:
        ids = {(row.get("address_hash"), row.get("session")): row[own] for row in rows if row.get(own) is not None}
        for row in rows:
            row["participant"] = ids.get((row.get("address_hash"), row.get("session")), row.get("address_hash"))
        return [f"Participants are named by the logged column '{own}'."]
    sets = {(row.get("address_hash"), row.get("session")) for row in rows}
    addresses = {address for address, _session in sets}
    for row in rows:
        row["participant"] = row.get("address_hash")
        if len(sets) > len(addresses):
            row["participant"] = f"{row.get('address_hash')}-{row.get('session')}"
    if len(sets) > len(addresses):
        return [f"{len(addresses)} addresses sent {len(sets)} sets of results; every set is taken as one participant."]
    return ["Participants are named by the hash of their address."]

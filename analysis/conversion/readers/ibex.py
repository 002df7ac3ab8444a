"""Read results of PCIbex and Ibex.

PCIbex writes a line per logged event, and one per word where a controller (`DashedSentence`) measures reading; such a
line has a word and a time. Ibex writes the lines of its controllers; those of a judgement come in groups, of which the
first has the sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.conversion.people import Sessions, people_of
from analysis.conversion.reader import Reader
from analysis.conversion.readers.ibex_lines import Line, is_raw, lines, raw_lines
from analysis.conversion.source import Source
from analysis.conversion.table import Converted, Fault, Row, renamed, truth

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
    "Sentence": "text",
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
_HEADS = ("Results reception time", "Time results were received")


def _is_text(source: Source) -> bool:
    """The first column has the tool's name for it, or results without comments stand below the tool's heading."""
    comments = [line.lstrip("# ") for line in source.head.splitlines() if line.startswith("#")]
    named = any(comment.partition(" ")[2].strip().startswith(_HEADS) for comment in comments)
    named = named or any(comment.startswith("Col. 1: Time results") for comment in comments)
    named = named or any(comment.startswith("...First 7...") for comment in comments)
    headed = any(comment.startswith("Results on ") for comment in comments) and any(
        comment.startswith("USER AGENT:") for comment in comments
    )
    return named or (headed and not source.is_json)


def _is_raw(source: Source) -> bool:
    return source.is_json and any(is_raw(found.value) for found in source.values[:5])


def _read(source: Source) -> Converted:
    raw = _is_raw(source)
    faults: list[Fault] = source.faults if raw else []
    tool = "PCIbex" if "PennElementType" in source.text else "Ibex"
    found = list(raw_lines(source.values, faults) if raw else lines(source, faults))
    sources: dict[str, str] = {}
    rows = [_row(line, sources) for line in found]
    _with_times_and_texts(found, rows)
    notes = _named(rows, sources)
    if tool == "PCIbex":
        notes.append("rt_ms of a logged event is its time less the start of its trial.")
    else:
        _with_items(rows, sources)
        notes.append("In Ibex the group of a line is its item and the type its condition; list repeats the group.")
    return Converted(tool, rows, sources=sources, notes=notes, faults=faults)


def _row(line: Line, sources: dict[str, str]) -> Row:
    reads_time = "Reading time" in line.given and "PennElementType" in line.given
    names: Mapping[str, str] = {**_NAMES, **(_READING if reads_time else {})}
    row = renamed(line.given, names, {})
    sources |= {names[source]: source for source in line.given if source in names and names[source] in row}
    if "correct" in row:
        row["correct"] = truth(row["correct"])
    return row


def _with_times_and_texts(found: Sequence[Line], rows: Sequence[Row]) -> None:
    """Give an event its time since the trial's start, and every line of a group the sentence of its first."""
    starts: dict[tuple[Any, ...], int] = {}
    texts: dict[int, Any] = {}
    for line, row in zip(found, rows, strict=True):
        who = (row.get("address_hash"), row.get("session"), row.get("trial"))
        at = row.get("event_at_ms")
        if row.get("parameter") == "_Trial_" and row.get("response") == "Start" and isinstance(at, int):
            starts[who] = at
        elif "rt_ms" not in row and isinstance(at, int) and who in starts:
            row["rt_ms"] = at - starts[who]
        if line.group is not None and row.get("text") is not None:
            texts[line.group] = row["text"]
        elif line.group in texts:
            row["text"] = texts[line.group]


def _with_items(rows: Sequence[Row], sources: dict[str, str]) -> None:
    for row in rows:
        if row.get("list") is not None:
            row.setdefault("item", row["list"])
            row.setdefault("condition", row.get("label"))
    sources.setdefault("item", "Group")
    sources.setdefault("condition", "Type")


def _named(rows: list[Row], sources: dict[str, str]) -> list[str]:
    """Name people by the id that the experiment logged, else by the hash of their address, which a room shares."""
    keys = [(row.get("address_hash"), row.get("session")) for row in rows]
    columns = [name for name in dict.fromkeys(name for row in rows for name in row) if name != "session"]
    people = people_of(rows, [name for name in columns if name != "address_hash"], Sessions(keys, certain=True))
    varying = [note for note in people.notes if note.startswith("'")]
    # A logged column of our name that varies within sessions keeps what it says under another one.
    if "participant" in columns and people.column != "participant":
        for row in rows:
            if "participant" in row:
                row["participant_logged"] = row.pop("participant")
    sets = set(keys)
    addresses = {address for address, _session in sets}
    several = len(sets) > len(addresses)
    for row, name in zip(rows, people.names, strict=True):
        hashed = f"{row.get('address_hash')}-{row.get('session')}" if several else row.get("address_hash")
        row["participant"] = name if people.column and not str(name).startswith("unnamed-") else hashed
    if people.column:
        sources["participant"] = people.column
        return [*varying, f"Participants are named by the logged column '{people.column}'."]
    sources["participant"] = sources.get("address_hash", "")
    if several:
        said = f"{len(addresses)} addresses sent {len(sets)} sets of results; every set is taken as one participant."
        return [*varying, said]
    return [*varying, "Participants are named by the hash of their address."]


def _recognised_pcibex(source: Source) -> bool:
    return _is_text(source) and "PennElementType" in source.text


def _recognised_ibex(source: Source) -> bool:
    return (_is_text(source) and "PennElementType" not in source.text) or _is_raw(source)


PCIBEX = Reader(
    "PCIbex",
    files="the results file",
    becomes="one row per logged event or word; logged columns (`item`, `condition`, …) keep their names; `rt_ms` of "
    "an event is its time less the start of its trial; words of `DashedSentence` have `region`, `word`, "
    "`rt_ms`",
    documentation="https://doc.pcibex.net/how-to-guides/data-format/",
    recognised=_recognised_pcibex,
    read=_read,
)
IBEX = Reader(
    "Ibex",
    files="the results file with every form of comments or none, lines in groups, and the raw results of the server "
    "(JSON)",
    becomes="one row per line; answers have `response`, `correct`, `rt_ms` and, in groups, the `text` of their "
    "sentence; words have `region`, `word`, `rt_ms`; `Type` → `label` and `condition`, `Group` → `item` (and "
    "`list`)",
    documentation="https://github.com/addrummond/ibex/blob/master/docs/manual.md",
    recognised=_recognised_ibex,
    read=_read,
)

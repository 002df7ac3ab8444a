"""Read the log files of Presentation: a line for each event, in tenths of a millisecond.

An answer gets its time since the last stimulus before it in its trial, and the code of that stimulus.
"""

from __future__ import annotations

from analysis.conversion.reader import Reader
from analysis.conversion.source import Source, lines_of
from analysis.conversion.table import Cell, Converted, Row, cell, identifier, milliseconds

_STARTS = ("Scenario -", "Logfile written -")
_STIMULI = ("Picture", "Sound", "Video", "Nothing", "Text")
_RIGHT = {"hit": True, "incorrect": False, "miss": False, "false_alarm": False}


def _recognised(source: Source) -> bool:
    """The first lines name the scenario, and a header of events divided by tabs follows."""
    return any(line.startswith(_STARTS) for _n, line in lines_of(source.head[:500])) and "Event Type\t" in source.head


def _read(source: Source) -> Converted:
    rows: list[Row] = []
    header: list[str] = []
    subject = source.who or "1"
    stimulus: Row | None = None
    for _number, line in lines_of(source.text):
        fields = [field.strip() for field in line.split("\t")]
        if "Event Type" in fields:
            # A second table, of stimuli alone, repeats what the events say; it has no column of trials.
            header = fields if "Trial" in fields else []
            continue
        if not header or len(fields) < 4:
            continue
        given: dict[str, str] = {}
        for name, value in zip(header, fields, strict=False):
            # Two columns are called Uncertainty; the first of a name is meant.
            given.setdefault(name, value)
        row = _event(given, subject)
        if row["label"] in _STIMULI:
            stimulus = row
        elif row["label"] == "Response":
            _answered(row, stimulus)
        rows.append(row)
    return Converted(
        "Presentation",
        rows,
        sources={
            "participant": "Subject", "trial": "Trial", "label": "Event Type", "text": "Code", "response": "Code",
            "elapsed_ms": "Time", "duration_ms": "Duration", "correct": "Stim Type", "rt_ms": "Time",
        },
        notes=[
            "A row is an event; times were made milliseconds of tenths of them. Responses (label=Response) have rt_ms "
            "since the last stimulus of their trial, whose code is their text.",
        ],
    )  # fmt: skip


def _event(given: dict[str, str], subject: str) -> Row:
    label = given.get("Event Type", "")
    row: Row = {"participant": cell(given.get("Subject") or subject), "trial": cell(given.get("Trial")), "label": label}
    row["response" if label == "Response" else "text"] = cell(given.get("Code"))
    row["elapsed_ms"] = milliseconds(given.get("Time"), per_unit=0.1)
    row["duration_ms"] = milliseconds(given.get("Duration"), per_unit=0.1)
    kind = given.get("Stim Type", "")
    if kind:
        row |= {"stim_type": kind, "correct": _RIGHT.get(kind)}
    known = ("Subject", "Trial", "Event Type", "Code", "Time", "Duration", "Stim Type", "TTime", "Uncertainty")
    return row | {identifier(name): cell(value) for name, value in given.items() if name not in known and name}


def _answered(row: Row, stimulus: Row | None) -> None:
    at: Cell = row["elapsed_ms"]
    if stimulus is None or stimulus["trial"] != row["trial"] or not isinstance(at, int | float):
        return
    since = stimulus["elapsed_ms"]
    if isinstance(since, int | float):
        row["rt_ms"] = cell(round(at - since, 6))
    row["text"] = stimulus["text"]
    if stimulus.get("correct") is not None:
        row["correct"] = stimulus["correct"]


PRESENTATION = Reader(
    "Presentation",
    files="log files (`.log`)",
    becomes="`Subject` → `participant`, `Trial` → `trial`, `Event Type` → `label`, `Code` → `text` of stimuli and "
    "`response` of responses, whose time since their stimulus is `rt_ms`; `Stim Type` → `correct`",
    documentation="https://www.neurobs.com/pres_docs/html/03_presentation/07_data_reporting/01_logfiles/index.html",
    recognised=_recognised,
    read=_read,
)

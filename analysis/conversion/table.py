"""Result of a conversion: rows with the platform's column names, column descriptions, and unreadable parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Cell = str | int | float | bool | None
Row = dict[str, Cell]

MEANINGS = {
    "participant": "Who gave the response, as the tool or the study named them",
    "session": "The tool's number of the run",
    "trial": "The trial within a participant's session, as the tool counts it",
    "position": "Place of the trial in the session, from 1",
    "item": "The item",
    "condition": "The condition",
    "list": "The group or list of the Latin square",
    "label": "What the experiment called this kind of trial",
    "text": "What was shown",
    "region": "Number of the region or word within the text, from 1",
    "word": "The word or region that was shown",
    "response": "What was answered",
    "correct": "Whether the answer was right",
    "rt_ms": "Reaction or reading time",
    "aoi": "Area of interest: the word's number, from 1",
    "enter_ms": "When the pointer entered the word, from the start of the text",
    "leave_ms": "When the pointer left the word, from the start of the text",
    "event_at_ms": "Time of the event, since 1 January 1970",
    "elapsed_ms": "Time since the experiment began",
}
UNITS = {name: "ms" for name in MEANINGS if name.endswith("_ms")}


class NotRecognised(ValueError):
    """The file is not one of those that can be converted."""


@dataclass(frozen=True)
class Fault:
    """Something in a file that could not be read; `line` counts from 1, in the file as it was given."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"Line {self.line:,}: {self.message}"


@dataclass
class Converted:
    """The table, `sources` (which column of the tool each column is), notes, and the faults by line."""

    tool: str
    rows: list[Row]
    sources: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def columns(self) -> list[str]:
        """The names of all columns, those of the platform first, the others as they came."""
        seen = dict.fromkeys(name for row in self.rows for name in row)
        return [name for name in MEANINGS if name in seen] + [name for name in seen if name not in MEANINGS]

    def codebook(self) -> list[dict[str, str]]:
        """Return one line per column: column, meaning, unit, source (the tool's own name)."""
        return [
            {
                "column": name,
                "meaning": MEANINGS.get(name, f"As {self.tool} recorded it"),
                "unit": UNITS.get(name, ""),
                "source": self.sources.get(name, ""),
            }
            for name in self.columns
        ]


def identifier(name: str) -> str:
    """Return a name that can be a column: letters, digits and underscores, in lower case.

    >>> identifier("Order number of item."), identifier("2nd answer"), identifier("responseTime")
    ('order_number_of_item', 'c_2nd_answer', 'response_time')
    """
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    plain = re.sub(r"\W+", "_", parts).strip("_").lower() or "column"
    return f"c_{plain}" if plain[0].isdigit() else plain


def renamed(row: Mapping[str, Any], names: Mapping[str, str], sources: dict[str, str]) -> Row:
    """Return a row under the platform's names; what `names` does not know keeps its own, as an identifier.

    A name that is taken already gets `_2` and so on; `sources` is told which column came from which.
    """
    out: Row = {}
    for given, value in row.items():
        wanted = names.get(given) or identifier(given)
        name, number = wanted, 2
        while name in out or sources.get(name, given) != given:
            name, number = f"{wanted}_{number}", number + 1
        sources.setdefault(name, given)
        out[name] = cell(value)
    return out


def cell(value: Any) -> Cell:
    """Return a value as a cell: numbers as numbers, NULL and empty as None, whole numbers without a point.

    >>> cell("412.0"), cell("NULL"), cell(" x "), cell("007"), cell(True)
    (412, None, 'x', '007', True)
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e15 else value if value == value else None
    text = str(value).strip()
    if text in ("", "NULL", "undefined", "null", "None", "NaN"):
        return None
    # Codes such as 007 and long digits are names, not numbers.
    if re.fullmatch(r"-?(0|[1-9]\d{0,14})(\.\d+)?", text):
        return cell(float(text)) if "." in text else int(text)
    return text


def first_of(columns: Iterable[str], candidates: Iterable[str]) -> str | None:
    """Return the first candidate that is a column, whatever its case and separators.

    >>> first_of(["trial_type", "Subject_ID"], ["participant", "subjectid"])
    'Subject_ID'
    """
    folded = {re.sub(r"[\W_]", "", name).lower(): name for name in columns}
    return next((folded[c] for c in (re.sub(r"[\W_]", "", k).lower() for k in candidates) if c in folded), None)

"""Result of a conversion: rows with the platform's column names, column descriptions, and unreadable parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeGuard

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
    "component": "Which screen, key or object of the experiment the answer belongs to",
}
UNITS = {name: "ms" for name in (*MEANINGS, "duration_ms", "screen_ms") if name.endswith("_ms")} | {"duration_s": "s"}


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
    """The table, `sources` (which column of the tool each column is), notes, and the faults by line.

    `meanings` explains columns that the platform does not know, such as the question behind a column of a survey.
    `named` is false where the file does not say who took part.
    """

    tool: str
    rows: list[Row]
    sources: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    meanings: dict[str, str] = field(default_factory=dict)
    named: bool = True

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
                "meaning": self.meanings.get(name) or MEANINGS.get(name, f"As {self.tool} recorded it"),
                "unit": UNITS.get(name, ""),
                "source": self.sources.get(name, ""),
            }
            for name in self.columns
        ]


@lru_cache(maxsize=10_000)
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

    >>> renamed({"rt_ms": "1", "rt": "512"}, {"rt": "rt_ms"}, {})
    {'rt_ms_2': 1, 'rt_ms': 512}
    """
    out: Row = {}
    promised = set(names.values())
    for given, value in row.items():
        wanted = names.get(given) or identifier(given)
        name, number = wanted, 2
        while name in out or sources.get(name, given) != given or (name in promised and given not in names):
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


def truth(value: Any) -> Cell:
    """Return whether an answer was right: 1, 0, and the words for them as True and False; other values as cells.

    >>> truth("1"), truth("False"), truth("hit"), truth("undefined")
    (True, False, 'hit', None)
    """
    found = cell(value)
    if isinstance(found, str):
        return {"true": True, "false": False}.get(found.casefold(), found)
    return bool(found) if found in (0, 1) else found


def milliseconds(value: Any, *, per_unit: float = 1000) -> Cell:
    """Return a time as milliseconds; `per_unit` is how many there are in the unit of the file, by default seconds.

    >>> milliseconds("0.6124"), milliseconds(""), milliseconds("5123", per_unit=0.1)
    (612.4, None, 512.3)
    """
    found = cell(value)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return found
    return cell(round(found * per_unit, 6))


def first_of(columns: Iterable[str], candidates: Iterable[str]) -> str | None:
    """Return the first candidate that is a column, whatever its case and separators; an exact name goes before others.

    >>> first_of(["trial_type", "Subject_ID"], ["participant", "subjectid"]), first_of(["RT", "rt"], ["rt"])
    ('Subject_ID', 'rt')
    """
    return next(all_of(columns, candidates), None)


def all_of(columns: Iterable[str], candidates: Iterable[str]) -> Iterator[str]:
    """Yield every candidate that is a column, under the column's own name, in the order of the candidates."""
    given = list(columns)
    names = {folded(name): name for name in reversed(given)}
    exact = set(given)
    for wanted in candidates:
        if wanted in exact or folded(wanted) in names:
            yield wanted if wanted in exact else names[folded(wanted)]


@lru_cache(maxsize=10_000)
def folded(name: str) -> str:
    """Return a name without case and separators, as names of columns are compared."""
    return re.sub(r"[\W_]", "", name).lower()


def is_number(value: Cell) -> TypeGuard[int | float]:
    """Return whether a cell holds a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def numbers(rows: Iterable[Mapping[str, Any]], column: str) -> list[float]:
    """Return the numbers in a column; other cells are left out."""
    found = (cell(row.get(column)) for row in rows)
    return [value for value in found if is_number(value)]

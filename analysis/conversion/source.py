"""A file of results as readers look at it: its text, its table, or the objects in it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from analysis.conversion.table import Fault, NotRecognised, cell
from experiments.formats.csvtext import (
    BYTE_ORDER_MARK,
    DELIMITERS,
    BrokenTable,
    csv_rows,
    decoded,
    without_declaration,
)

ENCODING_HINT = "Name the encoding with --encoding, such as shift_jis, gb18030 or latin-1."


def text_of(content: bytes, encoding: str = "") -> tuple[str, str]:
    """Return a file's text, and a note where its encoding was guessed. Raises NotRecognised if it cannot be decoded."""
    if encoding:
        try:
            return content.decode(encoding).removeprefix(BYTE_ORDER_MARK), ""
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise NotRecognised(f"Line {line}: this is not {encoding}.") from error
        except (LookupError, ValueError) as error:
            raise NotRecognised(f"There is no encoding '{encoding}'. {ENCODING_HINT}") from error
    try:
        found = decoded(content)
    except BrokenTable as broken:
        raise NotRecognised(f"Line {broken.line}: {broken} {ENCODING_HINT}") from broken
    if found.guessed_from is None:
        return found.text, ""
    return found.text, (
        f"Line {found.guessed_from} is not UTF-8, so the file was read as Windows-1252. If letters are wrong: "
        f"{ENCODING_HINT[0].lower()}{ENCODING_HINT[1:]}"
    )


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield every line with its number from 1. Only line feeds and carriage returns end a line."""
    yield from enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1)


@dataclass(frozen=True)
class JsonValue:
    """A JSON value in a file, and the lines on which it begins and ends."""

    value: Any
    first_line: int
    last_line: int


@dataclass(eq=False)
class Source:
    """What a reader gets. `who` names the participant where the file cannot; `objects` are given instead of a text.

    `session` says that all rows are known to be of one session, as those of one result of JATOS are; `broken` why the
    text is no table.
    """

    text: str = ""
    objects: Sequence[Mapping[str, Any]] = ()
    who: str = ""
    session: bool = False
    faults: list[Fault] = field(default_factory=list)
    broken: Fault | None = None

    @cached_property
    def head(self) -> str:
        """The beginning of the text: what a tool writes before its rows stands there."""
        return self.text[:50_000]

    @cached_property
    def records(self) -> list[tuple[int, list[str]]]:
        """Every record of the table as (line, cells), the header among them; empty if the text is no table."""
        if not self.text or self.is_json:
            return []
        text, declared = without_declaration(self.text.lstrip(BYTE_ORDER_MARK))
        try:
            records = csv_rows(text, delimiter=declared or _delimiter(text))
        except BrokenTable as broken:
            self.broken = Fault(broken.line, str(broken))
            return []
        # E-Prime's E-DataAid writes the name of its file above the header.
        if len(records) > 1 and sum(map(bool, records[0][1])) == 1 and len(records[1][1]) > 2:
            records = records[1:]
        return records

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The names of the columns, each once: a name that comes again gets _2 and so on."""
        names: dict[str, None] = {}
        for name in map(str.strip, self.records[0][1]) if self.records else ():
            number, own = 2, name
            while own in names:
                own, number = f"{name}_{number}", number + 1
            names[own] = None
        return tuple(names)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that a reader may ask for; those without name and cells are left out."""
        if self.objects:
            return tuple(dict.fromkeys(name for row in self.rows for name in row))
        filled = {name for name in self.header if name}
        return tuple(name for name in self.header if name in filled)

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The rows by column. Rows with more cells than the header has are named as faults and left out."""
        if self.objects:
            return [flattened(row) for row in self.objects]
        wide = len(self.header)
        rows = []
        for line, cells in self.records[1:]:
            if any(value.strip() for value in cells[wide:]):
                self.faults.append(Fault(line, f"{len(cells)} values for {wide} columns; the line was left out."))
            else:
                row = dict(zip(self.header, cells, strict=False))
                row.pop("", None)
                rows.append(row)
        return rows

    @cached_property
    def is_json(self) -> bool:
        """Whether the text holds JSON, after lines that begin with #."""
        first = next((line for _n, line in lines_of(self.head) if line.strip() and not line.startswith("#")), "")
        return first.lstrip(f" \t{BYTE_ORDER_MARK}")[:1] in ("[", "{")

    @cached_property
    def values(self) -> list[JsonValue]:
        """The JSON values in the text, one after the other; what cannot be read is a fault with its line."""
        return list(_values(self.text, self.faults)) if self.is_json else []

    def filled(self, column: str) -> int:
        """Return how many rows have a value in a column."""
        return sum(cell(row.get(column)) is not None for row in self.rows)


def _values(text: str, faults: list[Fault]) -> Iterator[JsonValue]:
    """Yield every value. A value may run over lines; once one cannot be read, each later line is read by itself."""
    # Lines that begin with # stand between the values of some tools. Blanked, they leave all others where they are.
    lines = ["" if line.startswith("#") else line for _n, line in lines_of(text.lstrip(BYTE_ORDER_MARK))]
    whole, decoder = "\n".join(lines), json.JSONDecoder()
    at, line = 0, 1
    while True:
        start = _after_blank(whole, at)
        line, at = line + whole.count("\n", at, start), start
        if at >= len(whole):
            return
        try:
            value, end = decoder.raw_decode(whole, at)
        except (ValueError, RecursionError) as error:
            faults.append(Fault(line, _why(error)))
            break
        last = line + whole.count("\n", at, end)
        yield JsonValue(value, line, last)
        at, line = end, last
    for number, own in enumerate(lines[line:], start=line + 1):
        yield from _values_of_line(own, number, decoder, faults)


def _values_of_line(text: str, number: int, decoder: json.JSONDecoder, faults: list[Fault]) -> Iterator[JsonValue]:
    at = _after_blank(text, 0)
    while at < len(text):
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            faults.append(Fault(number, _why(error)))
            return
        yield JsonValue(value, number, number)
        at = _after_blank(text, end)


def _after_blank(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _why(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "this JSON is nested too deeply to be read."
    return f"this is not JSON ({error.msg if isinstance(error, json.JSONDecodeError) else error})."


def _delimiter(text: str) -> str:
    """Return the delimiter of the first line, or of the second where the first is one cell: comma, semicolon or tab."""
    first = [line for _n, line in lines_of(text[:200_000]) if line.strip()][:2]

    def cells(line: str, delimiter: str) -> int:
        try:
            return len(next(csv.reader([line], delimiter=delimiter), []))
        except csv.Error:
            return 0

    return max(DELIMITERS, key=lambda delimiter: next((n for line in first if (n := cells(line, delimiter)) > 1), 1))


def flattened(row: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return an object with its inner objects as columns of their own; lists become text.

    >>> flattened({"rt": 512, "response": {"Q0": "yes", "Q1": None}, "keys": ["a", "b"]})
    {'rt': 512, 'response_Q0': 'yes', 'response_Q1': None, 'keys': 'a, b'}
    """
    out: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            out |= flattened(value, f"{prefix}{name}_")
        elif isinstance(value, list | tuple):
            out[f"{prefix}{name}"] = ", ".join(str(cell(entry)) for entry in value)
        else:
            out[f"{prefix}{name}"] = value
    return out

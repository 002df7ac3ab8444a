"""Lines of a results file of Ibex or PCIbex, each with the names of its columns.

The names stand in comments above the lines, in one of three forms: a list of columns for all lines below; a list for
each line of a group, where lines alternate; or, since Ibex 0.3-beta15, the names after the first seven in one comment.
Commas within values are written as %2C. The raw results of the server are JSON instead, with names and values apart.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from analysis.conversion.source import JsonValue, Source, lines_of
from analysis.conversion.table import Fault

FIRST_SEVEN = (
    "Time results were received",
    "MD5 hash of participant's IP address",
    "Controller name",
    "Item number",
    "Element number",
    "Type",
    "Group",
)
# What the controllers of the manual write after that, for files whose comments were switched off.
_QUESTION = (
    "Question (NULL if none)",
    "Answer",
    "Whether or not answer was correct (NULL if N/A)",
    "Time taken to answer",
)
_WORDS = ("Word number", "Word", "Reading time", "Newline?", "Sentence (or sentence MD5)")
_DOCUMENTED = (_QUESTION, _WORDS, ("Sentence (or sentence MD5)",), ("Field name", "Field value"))


@dataclass(frozen=True)
class Line:
    """A line of values by the names of its columns; lines of one group have its number, others none."""

    number: int
    given: Mapping[str, Any]
    group: int | None = None


@dataclass
class _Names:
    """The names that hold for the lines that follow: one list, or one for each line of a group."""

    formats: list[dict[int, str]] = field(default_factory=list)
    grouped: bool = False
    last: int = -1
    group: int = 0

    def next_format(self, values: int) -> tuple[dict[int, str], int | None]:
        """Return the names of the next line and the number of its group; a line of another length finds its own."""
        if not self.grouped:
            return (self.formats[0] if self.formats else {}), None
        if not self.formats:
            return {}, None
        at = (self.last + 1) % len(self.formats)
        if len(self.formats[at]) != values:
            at = next((n for n, names in enumerate(self.formats) if len(names) == values), at)
        # Where lines are missing a group has no first line, and still is a group of its own.
        self.group += self.last == -1 or at <= self.last
        self.last = at
        return self.formats[at], self.group


def lines(source: Source, faults: list[Fault]) -> Iterator[Line]:
    """Yield every line of values. Lines that are too short are named as faults and left out."""
    names = _Names()
    for number, text in lines_of(source.text):
        if text.startswith("#"):
            _heard(text.lstrip("#").strip(), names)
            continue
        if not text.strip():
            continue
        values = _values(text, {len(one) for one in names.formats})
        columns, group = names.next_format(len(values))
        if len(values) < len(FIRST_SEVEN):
            faults.append(Fault(number, f"{len(values)} values are too few for a result; the line was left out."))
            continue
        columns = columns or _documented(values)
        given = {columns.get(at, f"column {at}"): unquote(value) for at, value in enumerate(values, start=1)}
        yield Line(number, given, group)


def _heard(comment: str, names: _Names) -> None:
    """Take what a comment says about the lines below it."""
    if comment.startswith("The lines below this comment are in groups"):
        names.formats, names.grouped, names.last = [], True, -1
    elif names.grouped and comment.startswith("Line ") and comment[5:].rstrip(":").isdigit():
        names.formats.append({})
    elif comment.startswith("Columns below this comment"):
        names.formats, names.grouped = [{}], False
    elif comment.startswith("...First 7..."):
        later = [part.strip().partition("] ")[2] for part in comment.removeprefix("...First 7...").split(" -- ")]
        names.formats = [dict(enumerate([*FIRST_SEVEN, *map(_undotted, filter(None, later))], start=1))]
        names.grouped = False
    else:
        named = _numbered(comment.removeprefix("Col. ") if names.grouped else comment)
        if named is None:
            return
        at, name = named
        if names.grouped:
            if names.formats:
                names.formats[-1][at] = name
            return
        if at == 1 or not names.formats:
            names.formats = [{}]
        # A column that is named anew ends the names after it.
        names.formats = [{place: old for place, old in names.formats[0].items() if place < at} | {at: name}]


def _numbered(comment: str) -> tuple[int, str] | None:
    """Return number and name of a column: `7. Label.`, or `7: Label.` in groups.

    >>> _numbered("7. Label."), _numbered("14. Newline?."), _numbered("Design number was non-random = 3")
    ((7, 'Label'), (14, 'Newline?'), None)
    """
    digits = len(comment) - len(comment.lstrip("0123456789"))
    if not 0 < digits < 6 or comment[digits : digits + 1] not in (".", ":"):
        return None
    name = _undotted(comment[digits + 1 :])
    return (int(comment[:digits]), name) if name else None


def _undotted(name: str) -> str:
    return name.strip().removesuffix(".").strip()


def _values(text: str, expected: set[int]) -> list[str]:
    """Split a line at its commas. Quotation marks belong to values, unless a spreadsheet has put them around some."""
    values = text.split(",")
    if not expected or len(values) in expected or '"' not in text:
        return values
    try:
        return next(csv.reader([text]), [])
    except csv.Error:
        return values


def _documented(values: Sequence[str]) -> dict[int, str]:
    later = next((names for names in _DOCUMENTED if len(names) == len(values) - len(FIRST_SEVEN)), ())
    return dict(enumerate([*FIRST_SEVEN, *later], start=1))


def is_raw(value: Any) -> bool:
    """Say whether a JSON value is what a browser sends to Ibex: [random, counter, names, lines, id, update]."""
    return (
        isinstance(value, list)
        and len(value) == 6
        and isinstance(value[0], bool)
        and isinstance(value[5], bool)
        and isinstance(value[4], str)
        and isinstance(value[2], list)
        and all(isinstance(name, str) for name in value[2])
        and isinstance(value[3], list)
        and all(isinstance(line, list) for line in value[3])
    )


def raw_lines(values: Sequence[JsonValue], faults: list[Fault]) -> Iterator[Line]:
    """Yield every line of raw results: each value is a set of results, each of its lines pairs of name and value."""
    for order, found in enumerate(values, start=1):
        if not is_raw(found.value):
            faults.append(Fault(found.first_line, "this is no set of results of Ibex; it was left out."))
            continue
        _random, _counter, names, own, code, _update = found.value
        for line in own:
            pairs = [pair for pair in line if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], int)]
            if len(pairs) < len(line) or any(not 0 <= pair[0] < len(names) for pair in pairs):
                faults.append(
                    Fault(found.first_line, "a line of these results has values without names; it was left out.")
                )
                continue
            given = {FIRST_SEVEN[0]: order, FIRST_SEVEN[1]: code}
            given |= {_undotted(names[at]): unquote(value) if isinstance(value, str) else value for at, value in pairs}
            yield Line(found.first_line, given)

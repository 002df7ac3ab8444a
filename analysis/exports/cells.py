"""Format values as CSV cells, and rows of cells as CSV.

A cell is text, a number (written at full precision) or None (an empty cell); everything else is made into text
before: true and false, times as UTC in ISO 8601, structures as JSON. The variant for Excel differs in two ways: a byte
order mark, and text cells that a spreadsheet would take for a formula are guarded. Numbers are never altered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

from analysis.codebook.columns import ExportColumn
from experiments.formats.csvtext import BYTE_ORDER_MARK, guarded

Variant = Literal["plain", "excel"]
Cell = str | float | None
Cells = tuple[Cell, ...]
Given = TypeVar("Given")
Made = TypeVar("Made")
PLAIN = frozenset((str, float, int, type(None)))  # what is a cell as it is

# Rows are joined into pieces of about this many characters, so that a stream is neither a trickle nor a lake.
PIECE = 64 * 1024
SPECIAL = re.compile('[,"\r\n]')  # what a cell cannot hold without quotes
REMEMBERED = 4096


def cell(value: Any) -> Cell:
    """Return the cell of a value.

    >>> cell(True), cell(None), cell(0.1), cell("12"), cell({"a": 1})
    ('true', None, 0.1, '12', '{"a":1}')
    """
    if type(value) in PLAIN:
        plain: Cell = value
        return plain
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def csv_pieces(
    columns: Sequence[ExportColumn], rows: Iterable[Cells], *, variant: Variant = "plain"
) -> Iterator[bytes]:
    """Yield a CSV file (UTF-8, RFC 4180) in pieces, without ever holding more than one of them."""
    texts = Remembered(quoted)
    lines = [",".join(quoted(column.name) for column in columns)]
    size = 0
    if variant == "excel":
        lines[0] = BYTE_ORDER_MARK + lines[0]
        rows = guarded_rows(columns, rows)
    for row in rows:
        line = ",".join(
            ["" if value is None else texts[value] if isinstance(value, str) else str(value) for value in row]
        )
        lines.append(line)
        size += len(line)
        if size > PIECE:
            lines.append("")
            yield "\r\n".join(lines).encode("utf-8")
            lines.clear()
            size = 0
    lines.append("")
    yield "\r\n".join(lines).encode("utf-8")


class Remembered(dict[Given, Made]):
    """What `make` makes of texts, by the texts; remembered within bounds, as the same ones come in row after row."""

    def __init__(self, make: Callable[[Given], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, given: Given) -> Made:
        if len(self) >= REMEMBERED:
            self.clear()
        made = self[given] = self._make(given)
        return made


def quoted(text: str) -> str:
    """Return a text as it stands in a CSV file: with quotes where it holds a comma, a quote or a line break.

    >>> quoted("because"), quoted("Well, because")
    ('because', '"Well, because"')
    """
    return '"' + text.replace('"', '""') + '"' if SPECIAL.search(text) else text


def guarded_rows(columns: Sequence[ExportColumn], rows: Iterable[Cells]) -> Iterator[Cells]:
    """Guard the cells of text columns against being read as formulas."""
    is_text = [column.type == "text" for column in columns]
    for row in rows:
        yield tuple(
            guarded(value) if free and isinstance(value, str) else value
            for value, free in zip(row, is_text, strict=True)
        )

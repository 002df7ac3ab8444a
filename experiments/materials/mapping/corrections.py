"""Cells that somebody corrected on the page that checks a table: the file stays as it was uploaded. Pure.

A correction names a cell by its line and its column as the file calls it, and says what the cell said and says instead.
The corrections are a step of reading like the others: they are told, kept with the study, and can be left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from experiments.formats.faults import Fault
from experiments.materials.mapping.uses import use_of
from experiments.materials.shapes import MAX_CODE, MAX_ROWS, MAX_TEXT, Row, Table
from experiments.sentences import Sentence

CORRECTED = "corrected"
MOST = 2_000
# In the sentence that tells of them.
MOST_NAMED = 5


@dataclass(frozen=True)
class Correction:
    """What a cell says instead of what the file says: `text`, and `was`, which is empty before the file was read."""

    line: int
    column: str
    text: str
    was: str = ""

    @property
    def plain(self) -> dict[str, Any]:
        """The correction as it is kept with a study."""
        return {"line": self.line, "column": self.column, "was": self.was, "text": self.text}


def sound_corrections(given: Any) -> tuple[Correction, ...] | None:
    """Return corrections as they are kept or sent; None where they are unsound.

    >>> sound_corrections([{"line": 2, "column": "text", "text": " The cat. "}])
    (Correction(line=2, column='text', text='The cat.', was=''),)
    >>> sound_corrections([{"line": "2"}]) is None
    True
    """
    if not isinstance(given, list) or len(given) > MOST:
        return None
    found = []
    for one in given:
        if not isinstance(one, Mapping):
            return None
        line, column, text, was = (one.get(name, "") for name in ("line", "column", "text", "was"))
        if type(line) is not int or not 0 < line <= 20 * MAX_ROWS:
            return None
        if not all(isinstance(value, str) and len(value) <= 2 * MAX_TEXT for value in (column, text, was)):
            return None
        found.append(Correction(line, column[: 10 * MAX_CODE], text.strip(), was))
    return tuple(found)


def corrected(table: Table, corrections: Sequence[Correction]) -> tuple[Table, tuple[Correction, ...]]:
    """Return the table with its cells corrected, and the corrections that changed one, with what it said.

    A cell that the table does not have, and a line of several rows, are left as they are. A table without the line is
    another one than was corrected.

    >>> table = Table(("item", "text"), (Row(2, ("cat", "The ct.")),))
    >>> changed, done = corrected(table, [Correction(2, "text", "The cat."), Correction(9, "text", "?")])
    >>> changed.rows[0].cells, done[0].was, len(done)
    (('cat', 'The cat.'), 'The ct.', 1)
    """
    wanted: dict[int, list[Correction]] = {}
    for one in corrections:
        wanted.setdefault(one.line, []).append(one)
    if not wanted:
        return table, ()
    often = Counter(row.line for row in table.rows)
    done: list[Correction] = []
    rows = []
    for row in table.rows:
        cells = list(row.cells)
        for one in wanted.get(row.line, ()) if often[row.line] == 1 else ():
            place = table.header.index(one.column) if table.header.count(one.column) == 1 else len(cells)
            if place < len(cells) and row.cells[place] != one.text:
                cells[place] = one.text
                done.append(replace(one, was=row.cells[place]))
        rows.append(Row(row.line, tuple(cells)))
    if not done:
        return table, ()
    return replace(table, rows=tuple(rows), warnings=(*table.warnings, _told(done))), tuple(done)


def _told(done: Sequence[Correction]) -> Fault:
    """Return the step that says which cells were corrected."""
    named = [Sentence("line {line}, column '{column}'", line=one.line, column=one.column) for one in done[:MOST_NAMED]]
    cells: str = named[0]
    for one in named[1:]:
        cells = Sentence("{before}; {one}", before=cells, one=one)
    if len(done) > MOST_NAMED:
        cells = Sentence("{before}; {n} more", before=cells, n=len(done) - MOST_NAMED)
    message = (
        Sentence("One cell was corrected here: {cells}.", cells=cells)
        if len(done) == 1
        else Sentence("{n} cells were corrected here: {cells}.", n=len(done), cells=cells)
    )
    return Fault(message=message, step="materials", choice=f"-{CORRECTED}")


@dataclass(frozen=True)
class FaultyCell:
    """A cell that a fault is about, as the file calls its column, with what it says now and said in the file."""

    line: int
    column: str
    text: str
    was: str

    @property
    def is_corrected(self) -> bool:
        """Whether somebody changed it already."""
        return self.text != self.was


def faulty_cells(
    faults: Sequence[Fault], table: Table, mapping: Mapping[str, str], corrections: Sequence[Correction]
) -> dict[tuple[int, str], FaultyCell]:
    """Return the cells that faults are about, by line and column as the faults call them.

    `table` is the corrected one. A fault about a line that several rows begin on, about a column that is none of the
    file, or one that several columns are read as, has no cell.
    """
    often = Counter(row.line for row in table.rows)
    rows = {row.line: row for row in table.rows if often[row.line] == 1}
    was = {(one.line, one.column): one.was for one in corrections}
    found = {}
    for fault in faults:
        row = rows.get(fault.line or 0)
        column = _column_of(fault.column, table, mapping)
        if row is not None and column:
            text = row.cells[table.header.index(column)]
            cell = FaultyCell(row.line, column, text, was.get((row.line, column), text))
            found[row.line, fault.column] = cell
    return found


def _column_of(name: str, table: Table, mapping: Mapping[str, str]) -> str:
    """Return the one column of a table that is read as the column `name`; empty where there is none, or several.

    >>> table = Table(("Nr", "Satz"), ())
    >>> _column_of("text", table, {"Satz": "text"}), _column_of("item", table, {"Satz": "text"})
    ('Satz', '')
    """
    called = [column for column in table.header if use_of(mapping.get(column, column or "-")).name == name]
    return called[0] if name and len(called) == 1 else ""

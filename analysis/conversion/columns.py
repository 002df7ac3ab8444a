"""Tools whose results are a table: how such a table is known, and which of its columns are which."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.conversion.people import RUNS, people_of, sessions_of
from analysis.conversion.reader import Reader
from analysis.conversion.source import Source
from analysis.conversion.table import Cell, Converted, Row, cell, first_of, identifier, is_number, renamed, truth

# What tools do not record themselves and people call much the same everywhere. A `group` is no list: it is as often a
# group of people or a kind of item.
_USUAL: Mapping[str, tuple[str, ...]] = {
    "item": ("item", "item_id", "itemid", "stim_id", "stimulus_id"),
    "condition": ("condition", "cond"),
    "list": ("list", "list_id"),
}


@dataclass(frozen=True)
class Columns:
    """The columns of a tool: `needs` must all be there, with one of `marks` if there are any and none of `without`.

    `names` says which columns (the first that is there) become which of ours; `people` are the tool's own names of who
    took part, `runs` of a session, `counter` of what counts trials anew in every session. Positions that a column of
    `from_zero` counts from 0 are counted from 1. `cells` makes the cells of one of our columns.
    """

    tool: str
    needs: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]
    marks: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    runs: tuple[str, ...] = RUNS
    counter: str | None = None
    from_zero: tuple[str, ...] = ()
    cells: Mapping[str, Callable[[Any], Cell]] = field(default_factory=dict)
    note: str = ""

    def recognised(self, source: Source) -> bool:
        """Say whether a table has the columns of this tool."""
        there = set(source.columns)
        return (
            there.issuperset(self.needs)
            and (not self.marks or not there.isdisjoint(self.marks))
            and there.isdisjoint(self.without)
        )

    def read(self, source: Source) -> Converted:
        """Return the rows under the platform's names, every row with the person behind it."""
        return self.table(source, source.rows)

    def table(
        self,
        source: Source,
        rows: Sequence[Mapping[str, Any]],
        *,
        names: Mapping[str, str] | None = None,
        columns: Sequence[str] | None = None,
    ) -> Converted:
        """As `read`, of rows that were prepared. `names` (column → ours) go before the declared ones."""
        columns = source.columns if columns is None else columns
        sessions = sessions_of(rows, columns, runs=self.runs, counter=self.counter, one=source.session)
        people = people_of(rows, columns, sessions, preferred=self.people, who=source.who)
        ours: dict[str, str] = {people.column: "participant"} if people.column else {}
        ours |= {column: name for column, name in (names or {}).items() if column not in ours}
        taken = set(ours.values())
        for name, theirs in {**self.names, **_USUAL, **_kept(self.names)}.items():
            found = first_of([column for column in columns if column not in ours], theirs)
            if found is not None and name not in taken:
                ours[found] = name
        # Our name for people belongs to who took part: a column of that name which varies within sessions gives way.
        ours |= {
            column: "participant_logged"
            for column in columns
            if identifier(column) == "participant" and column not in ours
        }
        sources: dict[str, str] = {}
        out = [renamed(row, ours, sources) for row in rows]
        self._complete(out, people.names, zero=sources.get("position") in self.from_zero)
        notes = [self.note] if self.note else []
        return Converted(
            self.tool,
            out,
            sources=sources,
            notes=[*notes, *people.notes],
            faults=source.faults,
            named=bool(people.column),
        )

    def _complete(self, rows: list[Row], names: Sequence[Cell], *, zero: bool) -> None:
        for row, who in zip(rows, names, strict=True):
            row["participant"] = who
            if "correct" in row:
                row["correct"] = truth(row["correct"])
            for name in self.cells.keys() & row.keys():
                row[name] = self.cells[name](row[name])
            if zero:
                count = row.get("position")
                row["position"] = count + 1 if isinstance(count, int) else None

    def reader(self, *, files: str, becomes: str, documentation: str) -> Reader:
        """Return the reader of this tool, with what the documentation says of it."""
        return Reader(self.tool, files, becomes, documentation, self.recognised, self.read)


def _kept(names: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The usual columns that a tool calls otherwise go by the tool's names."""
    return {name: (*names[name], *_USUAL[name]) for name in names.keys() & _USUAL.keys()}


def number_or_none(value: Any) -> Cell:
    """Return a number as it is and everything else as no value: what a tool writes where no time was taken.

    >>> number_or_none("612.4"), number_or_none("BEGIN TASK")
    (612.4, None)
    """
    found = cell(value)
    return found if is_number(found) else None

"""Compare two reports of the same method number by number."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.methods.report import Column, Report, Table

# Numbers that agree to this relative difference are the same: the last digits depend on the machine.
SAME = 1e-9
ALPHA = 0.05


@dataclass(frozen=True)
class Difference:
    """One number or word that is not the same in both reports."""

    row: str
    column: Column
    first: Any
    second: Any

    @property
    def change(self) -> float | None:
        """Return second − first, where both are numbers."""
        if _is_number(self.first) and _is_number(self.second):
            return float(self.second) - float(self.first)
        return None

    @property
    def crosses(self) -> bool:
        """Whether a p value is below .05 in one report and not in the other."""
        if self.column.format != "p" or not (_is_number(self.first) and _is_number(self.second)):
            return False
        return bool((self.first < ALPHA) != (self.second < ALPHA))


@dataclass(frozen=True)
class TableDifferences:
    """How one table differs: cells that changed, rows that only one report has, and how many cells are the same."""

    name: str
    title: str
    second_title: str
    differences: tuple[Difference, ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    same: int

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return not (self.differences or self.only_first or self.only_second)


@dataclass(frozen=True)
class Comparison:
    """What differs between two reports: parameters, notes, tables."""

    params: tuple[tuple[str, Any, Any], ...]
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    tables: tuple[TableDifferences, ...]

    @property
    def crossings(self) -> int:
        """Return how many p values crossed .05."""
        return sum(difference.crosses for table in self.tables for difference in table.differences)


def compare(
    first: Report, second: Report, *, first_params: Mapping[str, Any], second_params: Mapping[str, Any]
) -> Comparison:
    """Compare two reports table by table; rows are matched by their words (effect, condition, term …).

    >>> columns = (Column("effect", "Effect", "text"), Column("p", "p", "p"))
    >>> one = Report("rm-anova", {}, (Table("anova", "ANOVA", columns, (("order", 0.04),)),))
    >>> other = Report("rm-anova", {}, (Table("anova", "ANOVA", columns, (("order", 0.06),)),))
    >>> comparison = compare(one, other, first_params={}, second_params={"keep": "fillers"})
    >>> [(d.row, d.first, d.second, d.crosses) for d in comparison.tables[0].differences], comparison.params
    ([('order', 0.04, 0.06, True)], (('keep', None, 'fillers'),))
    """
    said_first, said_second = (*first.notes, *first.warnings), (*second.notes, *second.warnings)
    named_second = {table.name: table for table in second.tables}
    tables = [
        _table_differences(table, named_second[table.name]) for table in first.tables if table.name in named_second
    ]
    names = [table.name for table in first.tables] + [table.name for table in second.tables]
    params = dict.fromkeys([*first_params, *second_params])
    return Comparison(
        params=tuple(
            (name, first_params.get(name), second_params.get(name))
            for name in params
            if first_params.get(name) != second_params.get(name)
        ),
        only_first=(
            *(text for text in said_first if text not in said_second),
            *(f"Table {table.name}" for table in first.tables if names.count(table.name) == 1),
        ),
        only_second=(
            *(text for text in said_second if text not in said_first),
            *(f"Table {table.name}" for table in second.tables if names.count(table.name) == 1),
        ),
        tables=tuple(tables),
    )


def _table_differences(first: Table, second: Table) -> TableDifferences:
    shared = [column for column in first.columns if column.name in {other.name for other in second.columns}]
    rows_first, rows_second = _rows_by_words(first), _rows_by_words(second)
    differences = []
    same = 0
    for row, cells in rows_first.items():
        others = rows_second.get(row)
        if others is None:
            continue
        for column in shared:
            one, other = cells[column.name], others[column.name]
            if _equal(one, other):
                same += 1
            else:
                differences.append(Difference(row=row, column=column, first=one, second=other))
    return TableDifferences(
        name=first.name,
        title=first.title,
        second_title=second.title,
        differences=tuple(differences),
        only_first=tuple(row for row in rows_first if row not in rows_second),
        only_second=tuple(row for row in rows_second if row not in rows_first),
        same=same,
    )


def _rows_by_words(table: Table) -> dict[str, dict[str, Any]]:
    """Return the rows by what is written in their text columns; rows without words, or alike, by their number."""
    words = [index for index, column in enumerate(table.columns) if column.format == "text"]
    # Long sentences explain a row and do not name it.
    names = [_name_of(row, words) for row in table.rows]
    counts = Counter(names)
    seen: Counter[str] = Counter()
    named = {}
    for name, row in zip(names, table.rows, strict=True):
        seen[name] += 1
        label = name if name and counts[name] == 1 else f"{name} {seen[name]}".strip()
        named[label] = dict(zip((column.name for column in table.columns), row, strict=True))
    return named


def _name_of(row: Sequence[Any], words: Sequence[int]) -> str:
    return ", ".join(str(row[index]) for index in words if row[index] not in (None, "") and len(str(row[index])) <= 60)


def _equal(first: Any, second: Any) -> bool:
    if _is_number(first) and _is_number(second):
        return math.isclose(first, second, rel_tol=SAME, abs_tol=SAME * 1e-3)
    return bool(first == second)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)

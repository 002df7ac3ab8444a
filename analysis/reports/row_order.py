"""The order in which a report shows its rows: by interest where its method declares one, by the design, fillers last.

A stored report and its CSV files keep the order in which they were computed; rows change places where something is
shown, and there alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from analysis.methods.report import Column, Report, Table
from analysis.methods.rows.used import FILLER
from analysis.reports.essentials import declared_order

# Columns with conditions or levels of whatever factor.
OF_LEVELS = frozenset(("condition", "group", "level", "model", "system"))
Key = tuple[float, ...]
LAST: Key = (float("inf"),)


def in_order_of_reading(report: Report, levels: Mapping[str, Sequence[str]]) -> Report:
    """Return a report with rows, and columns for conditions, as they are read; itself where they are so already.

    `levels` has the levels of every factor in the order of the design.

    >>> rows = (("filler", 3), ("b", 2), ("a", 1))
    >>> table = Table("means", "Means", (Column("condition", "Condition", "text"), Column("mean", "Mean")), rows)
    >>> in_order_of_reading(Report(tables=(table,)), {"order": ["a", "b"]}).tables[0].rows
    (('a', 1), ('b', 2), ('filler', 3))
    """
    places = {level: (float(place),) for of in reversed(list(levels.values())) for place, level in enumerate(of)}
    tables = tuple(_in_order(report.method, table, places, levels) for table in report.tables)
    return report if tables == report.tables else replace(report, tables=tables)


def _in_order(method: str, table: Table, places: Mapping[str, Key], levels: Mapping[str, Sequence[str]]) -> Table:
    table = _columns_in_order(table, places)
    if wanted := declared_order(method, table):
        return replace(table, rows=_by_interest(table, wanted))
    leading = list(takewhile(lambda place: table.columns[place].format == "text", range(len(table.columns))))
    keys = [_keys(table, place, places, levels) for place in leading]
    if not any(known for known, _of_rows in keys):
        return table
    order = sorted(range(len(table.rows)), key=lambda row: [of_rows[row] for _known, of_rows in keys])
    return replace(table, rows=tuple(table.rows[row] for row in order))


def _keys(
    table: Table, place: int, places: Mapping[str, Key], levels: Mapping[str, Sequence[str]]
) -> tuple[bool, list[Key]]:
    """Return whether a column has levels of the design, and for each row where its cell comes; others as they come."""
    values = [row[place] for row in table.rows]
    name = table.columns[place].name
    if name in OF_LEVELS or name in levels:
        found = [_place_of(value, places) for value in values]
        if all(key is not None for key in found):
            return True, [key for key in found if key is not None]
    appearance: dict[Any, Key] = {}
    return False, [appearance.setdefault(value, (float(len(appearance)),)) for value in values]


def _place_of(value: Any, places: Mapping[str, Key]) -> Key | None:
    """Return where a level or a condition such as `a:b` comes in the design; fillers and what has no name last."""
    if value in (None, "", FILLER):
        return LAST
    if str(value) in places:
        return places[str(value)]
    parts = [places.get(part) for part in str(value).split(":")]
    return tuple(place for part in parts if part is not None for place in part) if None not in parts else None


def _by_interest(table: Table, wanted: Sequence[str]) -> tuple[tuple[Any, ...], ...]:
    """Return rows by `column` (the smallest first), `-column`, or `column: value value` (these first, in this order).

    Where a column has no numbers, its rows come last.
    """
    names = [column.name for column in table.columns]
    rows = list(table.rows)
    for entry in reversed(wanted):
        name, _colon, first = entry.partition(": ")
        if name.lstrip("-") not in names:
            continue
        at = names.index(name.lstrip("-"))
        if first:
            order = first.split()
            rows.sort(key=lambda row: order.index(row[at]) if row[at] in order else len(order))
        else:
            sign = -1 if name.startswith("-") else 1
            rows.sort(key=lambda row: sign * row[at] if isinstance(row[at], int | float) else float("inf"))
    return tuple(rows)


def _columns_in_order(table: Table, places: Mapping[str, Key]) -> Table:
    """Return a table whose columns such as `a: mean` follow the design."""

    def key(column: Column) -> Key | None:
        level, colon, _what = column.label.partition(": ")
        return _place_of(level, places) if colon and level else None

    of_levels = [place for place, column in enumerate(table.columns) if key(column) is not None]
    if not of_levels or of_levels != list(range(of_levels[0], of_levels[-1] + 1)):
        return table
    inside = sorted(of_levels, key=lambda place: key(table.columns[place]) or LAST)
    order = [*range(of_levels[0]), *inside, *range(of_levels[-1] + 1, len(table.columns))]
    if order == list(range(len(table.columns))):
        return table
    columns = tuple(table.columns[place] for place in order)
    return replace(table, columns=columns, rows=tuple(tuple(row[place] for place in order) for row in table.rows))

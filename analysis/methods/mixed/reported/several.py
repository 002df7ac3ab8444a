"""Join the reports on several outcomes or regions: stack tables, adjust p over them, give shared remarks once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from analysis.methods.columns import TableDeclaration
from analysis.methods.report import Column, Report, Table, in_one_order
from analysis.methods.wording import listed

KEYS = {"fixed": "term", "anova": "effect"}


def of_several(table: TableDeclaration, column: Column, ways: Iterable[Column], title: str = "") -> TableDeclaration:
    """Return a table as several reports under each other have it, with whose report a line is of in `column`."""
    more = ways if table.name in KEYS else ()
    return replace(table, title=table.title + title, columns=(column, *table.columns, *more))


def names_of(reports: Mapping[str, Report]) -> tuple[str, ...]:
    """Return the names of the tables that any report has."""
    return tuple(dict.fromkeys(table.name for report in reports.values() for table in report.tables))


def joined(name: str, reports: Mapping[str, Report], column: Column, title: Callable[[str, str], str]) -> Table:
    """Return the tables of one name under each other; a column that one of them lacks is empty there.

    `column` holds whose report a line is of, `title` is made from the title of the first and whose it is.
    """
    found = {one: table for one, report in reports.items() for table in report.tables if table.name == name}
    columns = in_one_order([table.columns for table in found.values()])
    lines = [{column.name: one, **line} for one, table in found.items() for line in table.lines()]
    first, table = next(iter(found.items()))
    return Table.from_rows(name, title(table.title, first), (column, *columns), lines)


Adjust = Callable[[Sequence[float | None]], list[float | None]]


def adjusted(table: Table, ways: Mapping[Column, Adjust]) -> Table:
    """Return a table with p of every term adjusted over the reports, a column for each way, where it has tests."""
    key = KEYS.get(table.name)
    if key is None:
        return table
    lines = table.lines()
    for term in dict.fromkeys(line[key] for line in lines):
        family = [line for line in lines if line[key] == term]
        p = [line["p"] for line in family]
        for column, adjust in ways.items():
            for line, value in zip(family, adjust(p), strict=True):
                line[column.name] = value
    return Table.from_rows(table.name, table.title, (*table.columns, *ways), lines)


def said_once(texts: Mapping[str, Sequence[str]], *, what: str = "") -> list[str]:
    """Return what holds everywhere once, and the rest with `what` it holds of."""
    whose: dict[str, list[str]] = {}
    for one, found in texts.items():
        for text in found:
            whose.setdefault(text, []).append(one)
    own = [f"{what}{listed(names)}: {text}" for text, names in whose.items() if len(names) < len(texts)]
    return [*(text for text, names in whose.items() if len(names) == len(texts)), *own]

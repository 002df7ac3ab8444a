"""Join several tables of one study: lists that were saved one by one, or experiments in files of their own. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from experiments.formats.faults import Fault, listed
from experiments.materials.other_tools.tables import folded
from experiments.materials.shapes import MAX_COLUMNS, MAX_ROWS, LeftOut, MaterialsFaults, Row, Table
from experiments.sentences import Sentence, counting

# The step that a choice leaves out: rows of several files stand once.
IN_FILES = "in_files"


def joined(tables: Sequence[tuple[str, Table]], choices: Collection[str] = ()) -> Table:
    """Return the tables of several files as one, in their order; a single one unchanged.

    Columns of the same name are one, also where case, spaces, dots or hyphens differ; a cell of a column that a file
    lacks is empty. A row that is in several files, such as a filler of every list, stands once. Lines count on from one
    file to the next. Raises MaterialsFaults for more rows or columns than may be read.

    >>> first = Table(("item", "text"), (Row(2, ("1", "He left.")), Row(3, ("f", "It rained."))))
    >>> second = Table(("Item", "text"), (Row(2, ("1", "She left.")), Row(3, ("f", "It rained."))))
    >>> table = joined([("list1.csv", first), ("list2.csv", second)])
    >>> table.header, [(row.line, *row.cells) for row in table.rows]
    (('item', 'text'), [(2, '1', 'He left.'), (3, 'f', 'It rained.'), (5, '1', 'She left.')])
    """
    if len(tables) == 1:
        return tables[0][1]
    columns: dict[str, str] = {}
    for _name, table in tables:
        for column in table.header:
            columns.setdefault(folded(column), column)
    rows: list[Row] = []
    in_earlier: set[tuple[str, ...]] = set()
    left_out: list[LeftOut] = []
    begun, repeated, before = [], 0, 0
    for name, table in tables:
        begun.append(f"{name} ({before + table.header_line})")
        places = {folded(column): number for number, column in enumerate(table.header)}
        last = table.header_line
        first = len(rows)
        for row in table.rows:
            cells = tuple(row.cells[places[key]] if key in places else "" for key in columns)
            last = max(last, row.line)
            # A row that one file has twice is a fault that the design names.
            if cells in in_earlier and f"-{IN_FILES}" not in choices:
                repeated += 1
                left_out.append(LeftOut(before + row.line, Sentence("An earlier file has it as well.")))
            else:
                rows.append(Row(before + row.line, cells))
        left_out += [replace(one, line=before + one.line) for one in table.left_out]
        last = max([last, *(one.line for one in table.left_out)])
        in_earlier.update(row.cells for row in rows[first:])
        before += last
    if len(columns) > MAX_COLUMNS or len(rows) > MAX_ROWS:
        message = Sentence(
            "The files have {columns} columns and {n} rows together; at most {most_columns} and {most} can be read.",
            columns=len(columns),
            n=len(rows),
            most_columns=MAX_COLUMNS,
            most=MAX_ROWS,
        )
        raise MaterialsFaults([Fault(message=message, step="materials")])
    said = [
        Sentence(
            "{n} files were joined. Lines count on from one to the next; their headers are {files}.",
            n=len(tables),
            files=", ".join(begun),
        )
    ]
    if repeated:
        said.append(
            counting(
                "{n} row that stands in an earlier file as well was left out.",
                "{n} rows that stand in an earlier file as well were left out.",
                repeated,
            )
        )
    lacking = [name for name, table in tables if {folded(column) for column in table.header} != set(columns)]
    if lacking:
        said.append(
            Sentence("Not every file has every column: cells are empty in rows of {files}.", files=listed(lacking))
        )
    warnings = [warning for _name, table in tables for warning in table.warnings]
    steps = [Fault(message=one, step="materials", is_doubtful=bool(lacking) and one is said[-1]) for one in said]
    if repeated:
        steps[1] = replace(steps[1], choice=f"-{IN_FILES}")
    origins = {table.origin for _name, table in tables}
    return replace(
        tables[0][1],
        header=tuple(columns.values()),
        rows=tuple(rows),
        warnings=(*warnings, *steps),
        left_out=tuple(left_out),
        origin=origins.pop() if len(origins) == 1 else "",
    )

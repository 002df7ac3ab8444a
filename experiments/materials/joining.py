"""Join several tables of one study: lists that were saved one by one, or experiments in files of their own. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from experiments.formats.faults import Fault, listed
from experiments.materials.mapping.synonyms import known_as
from experiments.materials.other_tools.items import is_filler, is_practice
from experiments.materials.other_tools.tables import folded
from experiments.materials.shapes import FILE, MAX_COLUMNS, MAX_ROWS, LeftOut, MaterialsFaults, Row, Table
from experiments.sentences import Sentence, counting

# The step that a choice leaves out: rows of several files stand once.
IN_FILES = "in_files"
# The step that writes the file of every row into a column.
FILES = "files"


def _with_file(name: str, table: Table) -> Table:
    """Return a table with a column that names its file, without the ending."""
    if FILE in map(folded, table.header):
        return table
    stem = re.sub(r"\.[A-Za-z]{2,4}$", "", name)
    return replace(
        table, header=(*table.header, FILE), rows=tuple(Row(row.line, (*row.cells, stem)) for row in table.rows)
    )


def _are_experiments(tables: Sequence[tuple[str, Table]]) -> bool:
    """Return whether files are experiments rather than lists: some are called fillers or practice, or items collide.

    In lists an item with the same condition has the same text; in experiments it has another one in each.
    """
    others = [is_filler(name) or is_practice(name) for name, _table in tables]
    if any(others) and not all(others):
        return True
    texts: dict[tuple[str, str], set[str]] = {}
    for _name, table in tables:
        places = [known_as(table.header, role) for role in ("item", "condition", "text")]
        if None in places:
            return False
        item, condition, text = (table.header.index(str(one)) for one in places)
        for row in table.rows:
            texts.setdefault((row.cells[item], row.cells[condition]), set()).add(row.cells[text])
    recurring = sum(len(own) > 1 for own in texts.values())
    return bool(texts) and 2 * recurring > len(texts)


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
    is_by_file = f"-{FILES}" not in choices and (FILES in choices or _are_experiments(tables))
    if is_by_file:
        tables = [(name, _with_file(name, table)) for name, table in tables]
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
                left_out.append(LeftOut(before + row.line, Sentence("An earlier file also contains it.")))
            else:
                rows.append(Row(before + row.line, cells))
        left_out += [replace(one, line=before + one.line) for one in table.left_out]
        last = max([last, *(one.line for one in table.left_out)])
        in_earlier.update(row.cells for row in rows[first:])
        before += last
    if len(columns) > MAX_COLUMNS or len(rows) > MAX_ROWS:
        message = Sentence(
            (
                "Together, the files have {columns} columns and {n} rows. You can use at most {most_columns} columns "
                "and {most} rows."
            ),
            columns=len(columns),
            n=len(rows),
            most_columns=MAX_COLUMNS,
            most=MAX_ROWS,
        )
        raise MaterialsFaults([Fault(message=message, step="materials")])
    said = [
        Sentence(
            "{n} files were joined. Line numbers continue from one file to the next; their headers are {files}.",
            n=len(tables),
            files=", ".join(begun),
        )
    ]
    if repeated:
        said.append(
            counting(
                "{n} row that is also in an earlier file was left out.",
                "{n} rows that are also in an earlier file were left out.",
                repeated,
            )
        )
    if is_by_file:
        said.append(
            Sentence(
                (
                    "'{column}' says which file a row comes from. Each file is an experiment of its own, fillers, or "
                    "practice."
                ),
                column=FILE,
            )
        )
    lacking = [name for name, table in tables if {folded(column) for column in table.header} != set(columns)]
    if lacking:
        said.append(
            Sentence(
                "Not every file has every column, so some cells are empty in rows of {files}.", files=listed(lacking)
            )
        )
    warnings = [warning for _name, table in tables for warning in table.warnings]
    steps = [Fault(message=one, step="materials", is_doubtful=bool(lacking) and one is said[-1]) for one in said]
    if repeated:
        steps[1] = replace(steps[1], choice=f"-{IN_FILES}")
    if is_by_file:
        steps[1 + bool(repeated)] = replace(steps[1 + bool(repeated)], choice=f"-{FILES}")
    elif f"-{FILES}" not in choices:
        message = Sentence("Or each file is an experiment of its own, with items and conditions of its own.")
        steps.append(Fault(message=message, step="materials", choice=FILES))
    origins = {table.origin for _name, table in tables}
    return replace(
        tables[0][1],
        header=tuple(columns.values()),
        rows=tuple(rows),
        warnings=(*warnings, *steps),
        left_out=tuple(left_out),
        origin=origins.pop() if len(origins) == 1 else "",
    )

"""Read an uploaded file of materials: a table in the platform's format, or a file of another tool."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from experiments.formats.csvtext import BrokenTable, decoded, unguarded
from experiments.formats.faults import Fault, listed
from experiments.materials.characters import Characters
from experiments.materials.other_tools import ibex, linger
from experiments.materials.other_tools.items import QUESTION
from experiments.materials.other_tools.tables import TOOL, adapted, loop_recognised, loop_table
from experiments.materials.shapes import MAX_BYTES, MaterialsFaults, Row, Table
from experiments.materials.table import read_table
from experiments.paradigms.base import Paradigm
from experiments.sentences import Sentence

# Steps that a choice leaves out.
GUARDS, QUESTIONS, DECIMALS = "guards", "questions", "decimals"
# Columns whose cells are names or texts, however they look.
NO_NUMBERS = {"item", "item_set", "text", "condition", "list", "regions", "choices", "answer", "question"}
DECIMAL_COMMA = re.compile(r"[-−]?\d+(?:,\d+)?")


@dataclass(frozen=True)
class _ItemFile:
    """An item-file format: how it is recognised and read."""

    recognised: Callable[[str], bool]
    read: Callable[[str], Table]


_ITEM_FILES = (
    _ItemFile(linger.recognised, linger.table),
    _ItemFile(ibex.recognised, ibex.table),
    _ItemFile(loop_recognised, loop_table),
)


def read_materials(data: bytes, name: str = "", *, repaired: bool = False, choices: Collection[str] = ()) -> Table:
    """Return the table in a file of materials; `origin` names the tool that wrote it, if any.

    Accepts what `read_table` reads, item files of Linger (`# experiment item condition`) and Ibex (`items = […]`),
    tables of PCIbex with their column Group, and loops of OpenSesame as table or script; all are recognised by content.

    `repaired` and `choices` as in `read_table`. Raises MaterialsFaults with all faults by line.

    >>> table = read_materials(b"# rel 1 subject\\nThe man that saw us left.\\n")
    >>> table.origin, table.header[:3], table.rows[0].cells[:3]
    ('Linger', ('item', 'text', 'condition'), ('1', 'The man that saw us left.', 'subject'))
    """
    text, kind = _item_file(data)
    if kind is None and ibex.are_results(text):
        message = Sentence("This is a results file of Ibex or PCIbex. It contains what people answered.")
        advice = Sentence(
            "Upload the items or the table from which the experiment was made. To read results, use convert."
        )
        raise MaterialsFaults([Fault(message=message, suggestion=advice, step="materials")])
    if kind is None:
        table = read_table(data, name, repaired=repaired, choices=choices)
        table = table if f"-{GUARDS}" in choices else _without_guards(table)
        table = table if f"-{DECIMALS}" in choices else _with_decimal_points(table)
        return table if f"-{TOOL}" in choices else adapted(table)
    return _checked(kind.read(text), Characters(repaired))


def _checked(table: Table, characters: Characters) -> Table:
    """Check the characters of what another tool wrote."""
    rows = tuple(
        Row(
            row.line,
            tuple(
                characters.checked(cell, line=row.line, column=column)
                for column, cell in zip(table.header, row.cells, strict=True)
            ),
        )
        for row in table.rows
    )
    warnings = (*table.warnings, *characters.warnings())
    if characters.faults:
        raise MaterialsFaults(characters.faults, warnings)
    return replace(table, rows=rows, warnings=warnings)


def _without_guards(table: Table) -> Table:
    """Remove the apostrophes that the download for Excel puts before what would begin a formula."""
    rows = tuple(Row(row.line, tuple(unguarded(cell) for cell in row.cells)) for row in table.rows)
    lines = [row.line for row, given in zip(rows, table.rows, strict=True) if row != given]
    if not lines:
        return table
    message = Sentence(
        "An apostrophe before a sign that begins a formula (= + - @) was removed; the download for Excel adds it "
        "(lines {lines}).",
        lines=listed([str(line) for line in lines]),
    )
    fault = Fault(
        message=message,
        suggestion=Sentence("Write two apostrophes where the text begins with one."),
        step="materials",
        choice=f"-{GUARDS}",
    )
    return replace(table, rows=rows, warnings=(*table.warnings, fault))


def _with_decimal_points(table: Table) -> Table:
    """Write the numbers of columns that have them with a decimal comma, as in German tables, with a point.

    A column where commas stand before three digits alone, as those that part thousands do, is left as it is.
    """
    columns = [n for n, name in enumerate(table.header) if name.casefold() not in NO_NUMBERS]
    found = [n for n in columns if _has_decimal_commas({row.cells[n] for row in table.rows if row.cells[n]})]
    if not found:
        return table
    example = next(row.cells[found[0]] for row in table.rows if "," in row.cells[found[0]])
    message = Sentence(
        "Numbers in {columns} have a decimal comma; '{example}' is read as {number}.",
        columns=listed([table.header[n] for n in found]),
        example=example,
        number=_with_point(example),
    )
    rows = tuple(
        Row(row.line, tuple(_with_point(cell) if n in found else cell for n, cell in enumerate(row.cells)))
        for row in table.rows
    )
    fault = Fault(message=message, step="materials", choice=f"-{DECIMALS}")
    return replace(table, rows=rows, warnings=(*table.warnings, fault))


def _has_decimal_commas(cells: set[str]) -> bool:
    """Say whether the cells of a column are numbers with a decimal comma.

    >>> _has_decimal_commas({"0,45", "1"}), _has_decimal_commas({"1,200", "3,000"}), _has_decimal_commas({"a,b", "1,5"})
    (True, False, False)
    """
    if not all(DECIMAL_COMMA.fullmatch(cell) for cell in cells):
        return False
    behind = [(before, after) for before, _comma, after in (cell.partition(",") for cell in cells) if after]
    return any(len(after) != 3 or before.lstrip("-−") == "0" for before, after in behind)


def _with_point(cell: str) -> str:
    return cell.replace("−", "-").replace(",", ".")


def is_item_file(data: bytes) -> bool:
    """Return whether a file is an item file of another tool rather than a table."""
    return _item_file(data)[1] is not None


def _item_file(data: bytes) -> tuple[str, _ItemFile | None]:
    if len(data) > MAX_BYTES or data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return "", None
    try:
        text = decoded(data).text
    except BrokenTable:
        return "", None
    return text, next((kind for kind in _ITEM_FILES if kind.recognised(text)), None)


def without_needless_questions(table: Table, paradigm: Paradigm, choices: Collection[str] = ()) -> Table:
    """Drop the questions of another tool's table if the paradigm reads none; return any other table unchanged.

    They vary within items and would be read as factors.
    """
    known = {column.name for column in paradigm.stimulus_columns}
    left_out = [name for name in table.header if name in QUESTION and name not in known]
    if not table.origin or not left_out or f"-{QUESTIONS}" in choices:
        return table
    kept = [number for number, name in enumerate(table.header) if name not in left_out]
    message = Sentence(
        "The questions were left out, because {paradigm} asks none about its texts.", paradigm=Sentence(paradigm.label)
    )
    return replace(
        table,
        header=tuple(table.header[number] for number in kept),
        rows=tuple(Row(row.line, tuple(row.cells[number] for number in kept)) for row in table.rows),
        warnings=(*table.warnings, Fault(message=message, step="materials", choice=f"-{QUESTIONS}")),
    )

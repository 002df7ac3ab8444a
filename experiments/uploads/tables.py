"""Read an uploaded table of any columns to the end, for analyses without a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from experiments.formats.csvtext import (
    BYTE_ORDER_MARK,
    BrokenTable,
    csv_rows,
    csv_text,
    decoded,
    sniffed_delimiter,
    without_declaration,
)
from experiments.formats.faults import Fault
from experiments.materials.shapes import MAX_BYTES, MaterialsFaults
from experiments.materials.workbook import workbook_rows
from experiments.sentences import Sentence

MAX_ROWS = 200_000
MAX_COLUMNS = 300
HEADER_ROOM = 100_000
# What columns are usually called that say who answered, and to which item.
PEOPLE = ("participant", "subject", "rater", "coder", "person", "id")
ITEMS = ("item", "text_id", "stimulus")
# What a page shows of a table.
ROWS_SHOWN, MOST_SHOWN = 8, 100


@dataclass(frozen=True)
class ReadColumn:
    """A column: its name, whether all filled cells are numbers, how many different values it has, and for which units
    it has one value each, although they have several rows.
    """

    name: str
    is_number: bool
    distinct: int
    one_for_each: tuple[str, ...] = ()


@dataclass(frozen=True)
class AnyTable:
    """A table as CSV in one form (UTF-8, commas), its columns, how many rows it has, the first of them for a page, and
    what is to be said of how it was read.
    """

    content: str
    columns: tuple[ReadColumn, ...]
    rows: int
    first_rows: tuple[tuple[str, ...], ...]
    said: tuple[str, ...] = ()


def any_table(data: bytes) -> AnyTable:
    """Return the table in a file: CSV in any usual encoding and with any usual delimiter, or the first sheet of XLSX.

    Raises MaterialsFaults, with a sentence for everybody, where there is no such table or it is too large.

    >>> table = any_table(b"item;rt\\n001;400\\n002;\\n")
    >>> table.content, table.rows
    ('item,rt\\r\\n001,400\\r\\n002,\\r\\n', 2)
    >>> [(column.name, column.is_number, column.distinct) for column in table.columns]
    [('item', True, 2), ('rt', True, 1)]
    """
    if len(data) > MAX_BYTES:
        raise _fault(Sentence("The file has more than {limit} MB.", limit=MAX_BYTES // 1024**2))
    said: list[str] = []
    warnings: list[Fault] = []
    is_workbook = data.startswith(b"PK\x03\x04")
    records = workbook_rows(data, warnings) if is_workbook else _csv_records(data, said)
    said += [str(warning.message) for warning in warnings]
    if len(records) < 2:
        raise _fault(Sentence("A table needs a first line with the names of its columns, and rows below it."))
    if len(records) - 1 > MAX_ROWS:
        raise _fault(
            Sentence("The table has {n:,} rows, but at most {most:,} can be read.", n=len(records) - 1, most=MAX_ROWS)
        )
    header = [cell.strip() for cell in records[0][1]]
    while header and not header[-1]:
        header.pop()
    _check(header)
    rows = []
    for line, cells in records[1:]:
        if any(cell.strip() for cell in cells[len(header) :]):
            raise _fault(Sentence("The line has more cells than the first line has names."), line=line)
        rows.append([*cells[: len(header)], *([""] * (len(header) - len(cells)))])
    first = tuple(tuple(cell[:MOST_SHOWN] for cell in cells) for cells in rows[:ROWS_SHOWN])
    called = [unit for names in (PEOPLE, ITEMS) if (unit := named_first(header, names))]
    units = {unit: _cells(rows, header.index(unit)) for unit in called}
    columns = tuple(_column(name, _cells(rows, place), units) for place, name in enumerate(header))
    return AnyTable(csv_text(header, rows), columns, len(rows), first, tuple(said))


def _cells(rows: Sequence[Sequence[str]], place: int) -> list[str]:
    return [row[place].strip() for row in rows]


def _column(name: str, cells: Sequence[str], units: Mapping[str, Sequence[str]]) -> ReadColumn:
    values = {*cells} - {""}
    ones = tuple(unit for unit, of_unit in units.items() if unit != name and _has_one(cells, of_unit))
    return ReadColumn(name, _are_numbers(values), len(values), ones)


def named_first(header: Sequence[str], names: Sequence[str]) -> str:
    """Return the column whose name comes first among `names`, whatever its capitals; nothing where there is none.

    >>> named_first(["RT", "Subject", "id"], PEOPLE)
    'Subject'
    """
    there = {name.casefold(): name for name in reversed(header)}
    return next((there[name] for name in names if name in there), "")


def _has_one(cells: Sequence[str], units: Sequence[str]) -> bool:
    """Return whether every unit has one value in a column, where some unit has several rows."""
    found: dict[str, str] = {}
    if any(found.setdefault(unit, cell) != cell for unit, cell in zip(units, cells, strict=True)):
        return False
    return len(found) < len(cells)


def _csv_records(data: bytes, said: list[str]) -> list[tuple[int, list[str]]]:
    if data.startswith((b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b", b"\xd0\xcf\x11\xe0")):
        raise _fault(Sentence("The file is not a table: it does not contain text."))
    try:
        read = decoded(data)
        if "\x00" in read.text:
            raise _fault(Sentence("The file is not a table: it does not contain text."))
        text, declared = without_declaration(read.text.removeprefix(BYTE_ORDER_MARK))
        delimiter = declared or sniffed_delimiter(text.lstrip("\r\n \t")[:HEADER_ROOM])
        records = csv_rows(text, delimiter=delimiter)
    except BrokenTable as broken:
        raise _fault(str(broken), line=broken.line) from broken
    if read.guessed_from is not None:
        said.append(
            Sentence(
                "The file is not UTF-8. It was read as Windows-1252. Check letters with accents and "
                "other special letters."
            )
        )
    return records


def _check(header: Sequence[str]) -> None:
    if len(header) > MAX_COLUMNS:
        raise _fault(
            Sentence("The table has {n} columns, but at most {most} can be read.", n=len(header), most=MAX_COLUMNS)
        )
    if not header or not all(header):
        raise _fault(Sentence("A column has no name in the first line. Give every column a name."))
    if twice := sorted({name for name in header if header.count(name) > 1}):
        raise _fault(Sentence("More than one column has the name “{name}”. Rename all but one.", name=twice[0]))


def _are_numbers(values: set[str]) -> bool:
    if not values:
        return False
    for value in values:
        try:
            float(value)
        except ValueError:
            return False
    return True


def _fault(message: str, *, line: int | None = None) -> MaterialsFaults:
    return MaterialsFaults([Fault(line=line, message=message)])

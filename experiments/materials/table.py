"""Read a table from the bytes of a file: CSV in any usual encoding and with any usual delimiter, or XLSX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from experiments.formats.csvtext import BrokenTable, csv_rows, decoded, sniffed_delimiter, without_declaration
from experiments.formats.faults import Fault
from experiments.formats.hidden import mended
from experiments.materials.characters import CONTROL, Characters
from experiments.materials.shapes import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, MaterialsFaults, Row, Table
from experiments.materials.workbook import workbook_rows
from experiments.sentences import Sentence

# At most so many rows above the header are taken for titles.
_TITLES = 5
# First bytes of PDF, PNG, JPEG, GIF and compressed files.
OTHER_FILES = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b")


def read_table(data: bytes, name: str = "", *, repaired: bool = False) -> Table:
    """Return the table in a file. `name` is only used in messages; the format is recognised by the bytes.

    CSV: comma, semicolon or tab; UTF-8, UTF-16 or, with a warning, Windows-1252. XLSX: the first sheet. `repaired`:
    characters that cannot be seen are taken out, and letters that were encoded twice mended; otherwise both are named.

    Raises MaterialsFaults for a file that cannot be read, is too large, or has a broken header; all faults together.

    >>> table = read_table(b"item;text\\nflood;The path flooded.\\n", "materials.csv")
    >>> table.header, table.rows[0]
    (('item', 'text'), Row(line=2, cells=('flood', 'The path flooded.')))
    """
    if len(data) > MAX_BYTES:
        _refuse(
            Sentence(
                "The file has {size:.1f} MB; at most {limit} MB can be read.",
                size=len(data) / 1024**2,
                limit=MAX_BYTES // 1024**2,
            )
        )
    if not data.strip():
        _refuse(
            Sentence("The file is empty."),
            Sentence("The first line must name the columns, such as: item,text,condition"),
        )
    warnings: list[Fault] = []
    if data.startswith(b"PK\x03\x04"):
        records = workbook_rows(data, warnings)
    elif data.startswith(b"\xd0\xcf\x11\xe0"):
        _refuse(
            Sentence("'{name}' is an old Excel file (XLS), which cannot be read.", name=name),
            Sentence("Save it as XLSX or as CSV."),
        )
    elif data.startswith(OTHER_FILES):
        _refuse(
            Sentence("The file is no table: what it holds is not text."),
            Sentence("Choose a table that was saved as XLSX or as CSV."),
        )
    else:
        records = _csv_records(_decoded(data, warnings))
    if not records:
        _refuse(
            Sentence("The file has no rows."),
            Sentence("The first line must name the columns, such as: item,text,condition"),
        )
    is_guessed = any(warning.is_doubtful and warning.line is not None for warning in warnings)
    records = _without_titles(records, warnings)
    is_workbook = data.startswith(b"PK\x03\x04")
    return _table(records, warnings, Characters(repaired, is_guessed), is_workbook=is_workbook)


def _without_titles(records: list[tuple[int, list[str]]], warnings: list[Fault]) -> list[tuple[int, list[str]]]:
    """Leave out rows above the header in which one cell alone is filled, as a title is."""
    filled = [sum(bool(cell.strip()) for cell in cells) for _line, cells in records[: _TITLES + 4]]
    n = next((number for number, cells in enumerate(filled) if cells != 1), 0)
    is_header = 0 < n <= _TITLES and len(filled) > n + 1 and min(filled[n:]) > 1
    names = {cell.strip().casefold() for _line, cells in records[:n] for cell in cells}
    if not is_header or names & {"item", "text"}:
        return records
    for line, cells in records[:n]:
        title = next(cell.strip() for cell in cells if cell.strip())
        message = Sentence("The row '{title}' was left out as a title.", title=title[:60])
        advice = Sentence("The columns have the names of line {line}.", line=records[n][0])
        warnings.append(Fault(line=line, message=message, suggestion=advice, step="materials", is_doubtful=True))
    return records[n:]


def _refuse(message: str, suggestion: str = "", *, line: int | None = None) -> NoReturn:
    raise MaterialsFaults([Fault(line=line, message=message, suggestion=suggestion, step="materials")])


def _decoded(data: bytes, warnings: list[Fault]) -> str:
    try:
        read = decoded(data)
    except BrokenTable as broken:
        _refuse(str(broken), Sentence("Save it again as CSV UTF-8."), line=broken.line)
    if read.guessed_from is not None:
        message = Sentence("The file is not UTF-8. It was read as Windows-1252; check the letters outside English.")
        suggestion = Sentence("Save it as CSV UTF-8 to be sure.")
        warnings.append(
            Fault(line=read.guessed_from, message=message, suggestion=suggestion, step="materials", is_doubtful=True)
        )
    return read.text


def _csv_records(text: str) -> list[tuple[int, list[str]]]:
    text, declared = without_declaration(text)
    skipped = 1 if declared else 0
    delimiter = declared or sniffed_delimiter(text)
    try:
        rows = csv_rows(text, delimiter=delimiter)
    except BrokenTable as broken:
        raise MaterialsFaults([Fault(line=broken.line + skipped, message=str(broken), step="materials")]) from broken
    return [(line + skipped, cells) for line, cells in rows]


def _table(
    records: Sequence[tuple[int, Sequence[str]]],
    warnings: list[Fault],
    characters: Characters,
    *,
    is_workbook: bool = False,
) -> Table:
    header_line, raw_header = records[0]
    header = [mended(cell, is_guessed=characters.is_guessed).strip() for cell in raw_header]
    while header and not header[-1]:
        header.pop()
    faults = _header_faults(header[:MAX_COLUMNS], header_line)
    if len(records) - 1 > MAX_ROWS:
        faults.append(
            _fault(Sentence("The file has {n} rows; at most {limit} can be read.", n=len(records) - 1, limit=MAX_ROWS))
        )
    if len(header) > MAX_COLUMNS:
        faults.append(
            _fault(
                Sentence(
                    "The file has {columns} columns; at most {limit} can be read.",
                    columns=len(header),
                    limit=MAX_COLUMNS,
                )
            )
        )
    if faults:
        raise MaterialsFaults(faults, warnings)
    advice = (
        Sentence("Give every column a name in line {line}.", line=header_line)
        if is_workbook
        else Sentence("Put a text that holds the delimiter into quotation marks.")
    )
    rows = []
    for line, raw in records[1:]:
        cells = [
            characters.checked(cell, line=line, column=header[number] if number < len(header) else "")
            for number, cell in enumerate(raw)
        ]
        surplus = [cell for cell in cells[len(header) :] if cell]
        if surplus:
            faults.append(
                Fault(
                    line=line,
                    message=Sentence("The row has {n} cells, the header {columns}.", n=len(cells), columns=len(header)),
                    suggestion=advice,
                    step="materials",
                )
            )
        cells = [*cells[: len(header)], *[""] * (len(header) - len(cells))]
        rows.append(Row(line, tuple(cells)))
    faults = sorted([*faults, *characters.faults], key=lambda fault: fault.line or 0)
    warnings += characters.warnings()
    if faults:
        raise MaterialsFaults(faults, warnings)
    return Table(tuple(header), tuple(rows), header_line, tuple(warnings))


def _header_faults(header: Sequence[str], line: int) -> list[Fault]:
    faults = []
    seen: dict[str, str] = {}
    for number, name in enumerate(header, start=1):
        folded = name.casefold()
        if not name:
            faults.append(
                Fault(line=line, message=Sentence("Column {number} has no name.", number=number), step="materials")
            )
        elif CONTROL.search(name) or "\n" in name:
            message = Sentence("The name of column {number} holds a line break or a control character.", number=number)
            faults.append(Fault(line=line, message=message, step="materials"))
        elif folded in seen:
            faults.append(
                Fault(
                    line=line,
                    column=name,
                    message=Sentence("There are two columns of this name."),
                    suggestion=Sentence("Rename or delete one of them."),
                    step="materials",
                )
            )
        seen[folded] = name
    return faults


def _fault(message: str) -> Fault:
    return Fault(message=message, step="materials")

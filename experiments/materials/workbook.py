"""Read the rows of an XLSX file within limits: a workbook is a ZIP archive of untrusted XML.

What a spreadsheet shows and a table cannot hold is said: cells that were merged, and rows told apart by their colours.
"""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any
from xml.etree.ElementTree import ParseError

from experiments.formats.faults import Fault
from experiments.materials.shapes import MAX_COLUMNS, MAX_ROWS, MaterialsFaults
from experiments.sentences import Sentence

MAX_UNPACKED = 80 * 1024 * 1024
MAX_MEMBERS = 1_000
# Formatted but empty rows are skipped, up to this many.
MAX_LINES = 5 * MAX_ROWS
MAX_MERGED = 20_000
_MERGED = re.compile(r'mergeCell[^<>]{1,40}ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})"')
_CHUNK, _OVERLAP = 1 << 20, 128
# Whether colours tell rows apart shows in the first ones.
_COLOURED_ROWS = 500
# Choices: another sheet, by its name, and the colours of rows as a column. So many other sheets are offered.
SHEET, COLOURS, MOST_SHEETS = "sheet", "colours", 10
# The choice to join all sheets.
SHEETS = "sheets"
_NAMED = 5


def workbook_rows(data: bytes, warnings: list[Fault], choices: Collection[str] = ()) -> list[tuple[int, list[str]]]:
    """Return (line, cells) for every row of the first sheet that is not blank; adds to `warnings`.

    `choices` may name another sheet (`sheet Items`), and that the colours of rows are a column (`colours`).

    Raises MaterialsFaults for a file that is no workbook, is too large when unpacked, or contains error cells.
    """
    workbook = _opened(data)
    try:
        if not workbook.worksheets:
            raise _unreadable()
        chosen = [one for one in workbook.worksheets if f"{SHEET} {one.title}" in choices]
        sheet = (chosen or workbook.worksheets)[0]
        if len(workbook.worksheets) > 1 and not chosen:
            message = Sentence(
                "The workbook has {n} sheets. Only the first, '{title}', is read.",
                n=len(workbook.worksheets),
                title=sheet.title,
            )
            warnings.append(Fault(message=message, step="materials", is_doubtful=True))
            for other in workbook.worksheets[1 : 1 + MOST_SHEETS]:
                message = Sentence("The sheet '{title}' is not read.", title=other.title)
                warnings.append(Fault(message=message, step="materials", choice=f"{SHEET} {other.title}"))
            message = Sentence("Or all sheets belong together.")
            warnings.append(Fault(message=message, step="materials", choice=SHEETS))
        elif chosen:
            message = Sentence("Only the sheet '{title}' is read.", title=sheet.title)
            warnings.append(Fault(message=message, step="materials", choice=f"-{SHEET} {sheet.title}"))
        # The declared size of a sheet may be wrong; its rows are not.
        sheet.reset_dimensions()
        rows = _rows(sheet)
        _fill_merged(rows, _merged_down(data, sheet), warnings)
        colours = _colours(sheet)
        if COLOURS in choices and len({*colours.values()}) > 1:
            return _with_colours(rows, colours, warnings)
        warnings += _colour_warnings(colours)
        return rows
    except (zipfile.BadZipFile, ParseError, KeyError, ValueError, OSError, TypeError) as error:
        if isinstance(error, MaterialsFaults):
            raise
        raise _unreadable() from error
    finally:
        workbook.close()


def _opened(data: bytes) -> Any:
    """Return the workbook, which has to be closed. Raises MaterialsFaults."""
    import openpyxl  # with lxml a tenth of the time in which a web process starts, and few upload workbooks
    from openpyxl.utils.exceptions import InvalidFileException

    _check_archive(data)
    try:
        return openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    except (zipfile.BadZipFile, InvalidFileException, ParseError, KeyError, ValueError, OSError, TypeError) as error:
        raise _unreadable() from error


def sheets_of(data: bytes) -> list[str]:
    """Return the names of the sheets of a workbook. Raises MaterialsFaults for a file that is none, or too large."""
    workbook = _opened(data)
    try:
        return [sheet.title for sheet in workbook.worksheets]
    finally:
        workbook.close()


def _unreadable() -> MaterialsFaults:
    return MaterialsFaults(
        [
            Fault(
                message=Sentence("The file looks like an Excel workbook but cannot be read as one."),
                suggestion=Sentence("Open it, save it as XLSX or CSV again, and upload that."),
                step="materials",
            )
        ]
    )


def _check_archive(data: bytes) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if len(members) > MAX_MEMBERS or sum(member.file_size for member in members) > MAX_UNPACKED:
                message = Sentence(
                    "The workbook unpacks to more than {megabytes} MB or {parts} parts.",
                    megabytes=MAX_UNPACKED // 1024**2,
                    parts=MAX_MEMBERS,
                )
                raise MaterialsFaults(
                    [
                        Fault(
                            message=message,
                            suggestion=Sentence("Copy the table into a new workbook."),
                            step="materials",
                        )
                    ]
                )
            for member in members:
                # A document type comes before the root element; a workbook needs none, and its entities could expand
                # without limit.
                if member.filename.endswith((".xml", ".rels")):
                    with archive.open(member) as part:
                        if b"<!DOCTYPE" in part.read(4_096).upper():
                            raise _unreadable()
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise _unreadable() from error


def _rows(sheet: Any) -> list[tuple[int, list[str]]]:
    rows: list[tuple[int, list[str]]] = []
    faults = []
    for line, values in enumerate(sheet.iter_rows(values_only=True), start=1):
        if line > MAX_LINES or len(rows) > MAX_ROWS + 1:
            message = Sentence("The sheet has more than {limit} rows, or some rows are far down in it.", limit=MAX_ROWS)
            raise MaterialsFaults([Fault(message=message, step="materials")])
        filled = len(values)
        while filled and values[filled - 1] in (None, ""):
            filled -= 1
        if not filled:
            continue
        if filled > 10 * MAX_COLUMNS:
            message = Sentence(
                "The row has {filled} columns; at most {limit} can be read.", filled=filled, limit=MAX_COLUMNS
            )
            raise MaterialsFaults([Fault(line=line, message=message, step="materials")])
        cells = [_text(value) for value in values[:filled]]
        faults += [
            Fault(
                line=line,
                message=Sentence(
                    "Cell {number} of the row contains the spreadsheet error {cell}.", number=number, cell=cell
                ),
                suggestion=Sentence("Replace the formula with its value."),
                step="materials",
            )
            for number, cell in enumerate(cells, start=1)
            if cell in ("#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!")
        ]
        if any(cell.strip() for cell in cells):
            rows.append((line, cells))
    if faults:
        raise MaterialsFaults(faults)
    return rows


def _merged_down(data: bytes, sheet: Any) -> Iterator[tuple[int, int, int]]:
    """Yield (column, first line, last line) of every cell that was merged over several rows of one column.

    A reader that does not hold the whole sheet in memory does not tell them, so they are looked for in the sheet's XML.
    """
    from openpyxl.utils import column_index_from_string

    path = getattr(sheet, "_worksheet_path", None)
    if path is None:
        return
    found = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(path.lstrip("/")) as part:
        before = ""
        while chunk := part.read(_CHUNK):
            text = before + chunk.decode("latin-1")
            end = 0
            for match in _MERGED.finditer(text):
                end = match.end()
                found += 1
                first, top, last, bottom = match.groups()
                if found <= MAX_MERGED and first == last and int(top) < int(bottom) <= MAX_LINES:
                    yield column_index_from_string(first) - 1, int(top), int(bottom)
            before = text[max(end, len(text) - _OVERLAP) :]


def _fill_merged(
    rows: list[tuple[int, list[str]]], merged: Iterator[tuple[int, int, int]], warnings: list[Fault]
) -> None:
    """Write the value of a cell that was merged over several rows into each of them."""
    cells_of = dict(rows)
    lines_of = [line for line, _cells in rows]
    filled: list[tuple[int, int]] = []
    # In a workbook as programs write it no two merged cells overlap, so no more than all cells are filled.
    left = len(rows) * MAX_COLUMNS
    for column, top, bottom in merged:
        value = "".join(cells_of.get(top, [])[column : column + 1])
        below = lines_of[bisect_right(lines_of, top) : bisect_right(lines_of, bottom)]
        left -= len(below)
        if not value.strip() or not below or column >= MAX_COLUMNS or left < 0:
            continue
        for line in below:
            cells = cells_of[line]
            cells += [""] * (column + 1 - len(cells))
            cells[column] = value
        filled.append((top, bottom))
    if filled:
        lines = ", ".join(f"{top}–{bottom}" for top, bottom in sorted(filled)[:_NAMED])
        lines += "" if len(filled) <= _NAMED else ", …"
        message = Sentence("Merged cells get the same value in each of their rows (lines {lines}).", lines=lines)
        advice = Sentence("Check them below. If the cells mean something else, unmerge them and fill them in.")
        warnings.append(Fault(message=message, suggestion=advice, step="materials", is_doubtful=True))


def _colours(sheet: Any) -> dict[int, str]:
    """Return the colour that most filled cells of each row below the first have, by its line; empty for none."""
    colours: dict[int, str] = {}
    for line, row in enumerate(sheet.iter_rows(min_row=2, max_row=_COLOURED_ROWS), start=2):
        filled = [cell.fill for cell in row if cell.value not in (None, "")]
        own = [_colour(fill.fgColor) for fill in filled if fill.fill_type == "solid"]
        if filled:
            colours[line] = Counter(own).most_common(1)[0][0] if own else ""
    return colours


def _colour(colour: Any) -> str:
    """Return a colour as its digits, or as the number in the theme, with its tint."""
    said = str(colour.rgb) if colour.type == "rgb" else f"{colour.type} {colour.value}"
    return f"{said} {colour.tint:.2f}" if colour.tint else said


def _with_colours(
    rows: list[tuple[int, list[str]]], colours: dict[int, str], warnings: list[Fault]
) -> list[tuple[int, list[str]]]:
    """Add a column with the colour of every row; rows without a colour say so."""
    width = max(len(cells) for _line, cells in rows)
    first = min(colours)
    message = Sentence("The column 'colour' contains the colours of the rows.")
    warnings.append(Fault(message=message, step="materials", choice=f"-{COLOURS}"))
    end = {line: colours.get(line) or "without colour" for line, _cells in rows if line >= first}
    head = max((line for line, _cells in rows if line < first), default=first)
    return [
        (line, [*cells, *[""] * (width - len(cells)), "colour" if line == head else end.get(line, "")])
        for line, cells in rows
    ]


def _colour_warnings(colours: dict[int, str]) -> list[Fault]:
    """Say that colours are not read where rows below the header differ in them."""
    if len({*colours.values()}) < 2:
        return []
    message = Sentence(
        "The rows have {n} different colours. The platform does not read colours.", n=len({*colours.values()})
    )
    advice = Sentence("If a colour means something, such as a condition, write it into a column.")
    return [Fault(message=message, suggestion=advice, step="materials", choice=COLOURS)]


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    return str(value)

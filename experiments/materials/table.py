"""Read a table from the bytes of a file: CSV in any usual encoding and with any usual delimiter, or XLSX."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from typing import NoReturn

from experiments.formats.csvtext import BrokenTable, csv_rows, decoded, sniffed_delimiter, without_declaration
from experiments.formats.faults import Fault
from experiments.formats.hidden import mended
from experiments.materials.characters import CONTROL, Characters
from experiments.materials.shapes import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, MaterialsFaults, Row, Table
from experiments.materials.workbook import workbook_rows
from experiments.sentences import Sentence, counting

# At most so many rows above the header are taken for titles.
_TITLES = 5
# Steps that a choice leaves out.
TITLES, NUMBERS = "titles", "row_numbers"
# Choices that are offered: an encoding, and quotation marks as letters.
ENCODING, QUOTES = "encoding", "plain_quotes"
ENCODINGS = {
    "shift_jis": "Shift JIS",
    "gb18030": "GB 18030",
    "euc_kr": "EUC-KR",
    "big5": "Big5",
    "cp1251": "Windows-1251",
    "cp1250": "Windows-1250",
    "cp1253": "Windows-1253",
    "cp1255": "Windows-1255",
    "cp1256": "Windows-1256",
    "mac_roman": "Mac OS Roman",
}
# First bytes of PDF, PNG, JPEG, GIF and compressed files.
OTHER_FILES = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b")


def read_table(data: bytes, name: str = "", *, repaired: bool = False, choices: Collection[str] = ()) -> Table:
    """Return the table in a file. `name` is only used in messages; the format is recognised by the bytes.

    CSV: comma, semicolon or tab; UTF-8, UTF-16 or, with a warning, Windows-1252. XLSX: the first sheet. `repaired`:
    characters that cannot be seen are taken out, and letters that were encoded twice mended; otherwise both are named.
    `choices` leave out steps, as `Fault.choice` names them.

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
        records = workbook_rows(data, warnings, choices)
    elif data.startswith(b"\xd0\xcf\x11\xe0"):
        _refuse(
            Sentence("'{name}' is an old Excel file (XLS), which the platform cannot read.", name=name),
            Sentence("Save it as XLSX or as CSV."),
        )
    elif data.startswith(OTHER_FILES):
        _refuse(
            Sentence("The file is not a table: it does not contain text."),
            Sentence("Choose a table that was saved as XLSX or as CSV."),
        )
    else:
        records = _csv_records(_decoded(data, warnings, choices), warnings, choices)
    if not records:
        _refuse(
            Sentence("The file has no rows."),
            Sentence("The first line must name the columns, such as: item,text,condition"),
        )
    is_guessed = any(warning.is_doubtful and warning.line is not None for warning in warnings)
    if f"-{TITLES}" not in choices:
        records = _without_titles(records, warnings)
    records = _with_names(records, warnings, choices)
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
        message = Sentence("The row '{title}' was read as a title and left out.", title=title[:60])
        advice = Sentence("The column names come from line {line}.", line=records[n][0])
        warnings.append(
            Fault(
                line=line, message=message, suggestion=advice, step="materials", is_doubtful=True, choice=f"-{TITLES}"
            )
        )
    return records[n:]


def _with_names(
    records: list[tuple[int, list[str]]], warnings: list[Fault], choices: Collection[str]
) -> list[tuple[int, list[str]]]:
    """Leave out columns without a name that are empty or only number the rows; name others by their place."""
    line, header = records[0]
    nameless = [number for number, name in enumerate(header) if not name.strip()]
    last = max((number for number, name in enumerate(header) if name.strip()), default=-1)
    empty, numbers, named = [], [], {}
    for number in nameless:
        cells = ["".join(cells[number : number + 1]).strip() for _line, cells in records[1:]]
        if not any(cells) and number < last:
            empty.append(number)
        elif number < last and _number_rows(cells) and f"-{NUMBERS}" not in choices:
            numbers.append(number)
        elif number < last and number < MAX_COLUMNS:
            named[number] = f"column {number + 1}"
    if empty:
        message = counting("{n} empty column was left out.", "{n} empty columns were left out.", len(empty))
        warnings.append(Fault(line=line, message=message, step="materials"))
    if numbers:
        message = Sentence("A column without a name that only numbers the rows was left out.")
        warnings.append(Fault(line=line, message=message, step="materials", choice=f"-{NUMBERS}"))
    for number, name in named.items():
        message = Sentence("Column {number} has no name. It is called '{name}' here.", number=number + 1, name=name)
        warnings.append(Fault(line=line, message=message, step="materials", is_doubtful=True))
    if not (empty or numbers or named):
        return records
    gone = {*empty, *numbers}
    header = [named.get(number, name) for number, name in enumerate(header)]
    return [
        (line, [cell for number, cell in enumerate(cells) if number not in gone])
        for line, cells in [(line, header), *records[1:]]
    ]


def _number_rows(cells: Sequence[str]) -> bool:
    """Return whether cells count from 0 or from 1, without a gap."""
    return bool(cells) and any(list(cells) == [str(first + number) for number in range(len(cells))] for first in (0, 1))


def _refuse(message: str, suggestion: str = "", *, line: int | None = None) -> NoReturn:
    raise MaterialsFaults([Fault(line=line, message=message, suggestion=suggestion, step="materials")])


def _decoded(data: bytes, warnings: list[Fault], choices: Collection[str]) -> str:
    """Return the text of a file; where it is not UTF-8, other encodings that fit are offered with a line each."""
    chosen = next((one for one in ENCODINGS if f"{ENCODING} {one}" in choices), None)
    if chosen is not None:
        try:
            text = data.decode(chosen)
        except UnicodeDecodeError:
            _refuse(Sentence("The file is not in {encoding}.", encoding=ENCODINGS[chosen]))
        message = Sentence("The file was read as {encoding}.", encoding=ENCODINGS[chosen])
        warnings.append(Fault(message=message, step="materials", choice=f"-{ENCODING} {chosen}"))
        return text
    try:
        read = decoded(data)
    except BrokenTable as broken:
        fault = Fault(
            line=broken.line, message=str(broken), suggestion=Sentence("Save the file as CSV UTF-8."), step="materials"
        )
        raise MaterialsFaults([fault, *_encodings(data)]) from broken
    if read.guessed_from is not None:
        message = Sentence(
            "The file is not UTF-8. It was read as Windows-1252. Check letters with accents and other special letters."
        )
        suggestion = Sentence("Save it as CSV UTF-8 to be sure.")
        warnings.append(
            Fault(line=read.guessed_from, message=message, suggestion=suggestion, step="materials", is_doubtful=True)
        )
        warnings += _encodings(data)
    return read.text


def _encodings(data: bytes) -> list[Fault]:
    """Return an offer for each other encoding in which every sign is a letter or a usual mark."""
    offers = []
    for name, label in ENCODINGS.items():
        try:
            text = data.decode(name)
        except UnicodeDecodeError:
            continue
        strange = [sign for sign in text if not sign.isascii() and not _is_usual(sign)]
        line = next((line for line in text.splitlines() if not line.isascii()), "")
        if not strange and line:
            message = Sentence("Read as {encoding}, one line is: {line}", encoding=label, line=line[:60])
            offers.append(Fault(message=message, step="materials", choice=f"{ENCODING} {name}"))
    return offers


def _is_usual(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LM" or sign in "\u3000。、，！？：；「」『』（）《》“”‘’…—–·・«»¿¡ー～"


def _csv_records(text: str, warnings: list[Fault], choices: Collection[str]) -> list[tuple[int, list[str]]]:
    text, declared = without_declaration(text)
    skipped = 1 if declared else 0
    delimiter = declared or sniffed_delimiter(_below_title(text))
    is_literal = QUOTES in choices
    try:
        rows = csv_rows(text, delimiter=delimiter, has_quotes=not is_literal)
    except BrokenTable as broken:
        fault = Fault(line=broken.line + skipped, message=str(broken), step="materials")
        offer = Fault(message=Sentence("Or the quotation marks belong to the texts."), step="materials", choice=QUOTES)
        raise MaterialsFaults([fault, offer]) from broken
    if is_literal:
        message = Sentence("Quotation marks were read as part of the texts.")
        warnings.append(Fault(message=message, step="materials", choice=f"-{QUOTES}"))
    return [(line + skipped, cells) for line, cells in rows]


def _below_title(text: str) -> str:
    """Return a text without a first line that is a title: several words, or with hashes, and without any delimiter."""
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    title = lines[first].strip() if lines else ""
    is_title = (title.startswith("#") or len(title.split()) > 1) and not any(sign in title for sign in ",;\t")
    return "\n".join(lines[first + 1 : first + 3]) if is_title and len(lines) > first + 2 else text


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
    header = _told_apart(header, header_line, warnings)
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
        else Sentence("If a text contains the delimiter, put it into quotation marks.")
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


def _told_apart(header: Sequence[str], line: int, warnings: list[Fault]) -> list[str]:
    """Number the columns of the same name, other than those of items and texts; there it is a fault."""
    taken = {name.casefold() for name in header}
    seen: set[str] = set()
    told = []
    for name in header:
        called, number = name, 2
        if name and name.casefold() in seen and name.casefold() not in ("item", "text"):
            while called.casefold() in taken:
                called, number = f"{name} {number}", number + 1
            message = Sentence("Two columns have this name. This one is called '{name}' here.", name=called)
            warnings.append(Fault(line=line, column=name, message=message, step="materials", is_doubtful=True))
            taken.add(called.casefold())
        seen.add(called.casefold())
        told.append(called)
    return told


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
            message = Sentence(
                "The name of column {number} contains a line break or a control character.", number=number
            )
            faults.append(Fault(line=line, message=message, step="materials"))
        elif folded in seen:
            faults.append(
                Fault(
                    line=line,
                    column=name,
                    message=Sentence("Two columns have this name."),
                    suggestion=Sentence("Rename or delete one of them."),
                    step="materials",
                )
            )
        seen[folded] = name
    return faults


def _fault(message: str) -> Fault:
    return Fault(message=message, step="materials")

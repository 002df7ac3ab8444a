"""Write CSV by RFC 4180, and read it without guessing the types of cells."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from experiments.sentences import Sentence

# A spreadsheet interprets a text cell that begins with one of these as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?")
BYTE_ORDER_MARK = "\ufeff"
DELIMITERS = (",", ";", "\t")
# What a comma in a number is; "auto" takes it for a decimal comma where that is unmistakable.
Decimal = Literal["auto", "comma", "point"]
DECIMALS: tuple[Decimal, ...] = ("auto", "comma", "point")
# A cell may be as long as the file; how long a file may be is decided before.
csv.field_size_limit(16 * 1024 * 1024)


def guarded(text: str) -> str:
    """Guard a text cell against formula injection: put an apostrophe before what would begin a formula.

    Used by the variant for Excel. Numbers such as -1.5 are no formulas and stay unchanged. A text that already has such
    an apostrophe gets another one, so that `unguarded` restores every text.

    >>> guarded("=1+1"), guarded("-because"), guarded("because"), guarded("-1.5"), guarded("'-ed")
    ("'=1+1", "'-because", 'because', '-1.5', "''-ed")
    """
    return f"'{text}" if text.lstrip("'").startswith(FORMULA_STARTS) and not _NUMBER.fullmatch(text) else text


def unguarded(text: str) -> str:
    """Remove the apostrophe that `guarded` put before a text.

    >>> [unguarded(guarded(text)) for text in ("=1+1", "-1.5", "'-ed", "'tis")]
    ['=1+1', '-1.5', "'-ed", "'tis"]
    """
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(FORMULA_STARTS) else text


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]], *, excel: bool = False) -> str:
    """Return a CSV file as text: commas, CRLF, quotes only if a cell needs them.

    None becomes an empty cell. With `excel` the text begins with a byte order mark and text cells are guarded; numbers
    never are.

    >>> csv_text(["item", "text"], [["a", 'He said "no".'], ["b", None]])
    'item,text\\r\\na,"He said ""no""."\\r\\nb,\\r\\n'
    """
    buffer = io.StringIO(newline="")
    write = csv.writer(buffer, lineterminator="\r\n").writerow
    if excel:
        buffer.write(BYTE_ORDER_MARK)
    for row in (header, *rows):
        write([guarded(cell) if excel and isinstance(cell, str) else cell for cell in row])
    return buffer.getvalue()


@dataclass(frozen=True)
class Decoded:
    """The text of a file; `guessed_from` is the first line that was no UTF-8, so that Windows-1252 was assumed."""

    text: str
    encoding: str
    guessed_from: int | None = None


def decoded(data: bytes) -> Decoded:
    """Decode a file as UTF-8 or UTF-16 (with or without a byte order mark), otherwise as Windows-1252.

    Raises BrokenTable, with the line, if none of these fits.

    >>> decoded("Größe".encode("cp1252"))
    Decoded(text='Größe', encoding='cp1252', guessed_from=1)
    >>> decoded("Größe;mm".encode("utf-16")).text
    'Größe;mm'
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif data.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    elif _looks_like_utf16(data[1:400:2]):
        encoding = "utf-16-le"
    elif _looks_like_utf16(data[:400:2]):
        encoding = "utf-16-be"
    else:
        encoding = "utf-8"
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if encoding != "utf-8":
            raise BrokenTable(
                Sentence("The file is not valid {encoding}.", encoding=encoding.upper()), line=line
            ) from error
    try:
        return Decoded(data.decode("cp1252"), "cp1252", guessed_from=line)
    except UnicodeDecodeError as error:
        message = Sentence(
            "The file is neither UTF-8 nor Windows-1252, so its letters cannot be read. Save it as CSV UTF-8."
        )
        raise BrokenTable(message, line=line) from error


def _looks_like_utf16(every_other_byte: bytes) -> bool:
    return len(every_other_byte) > 4 and every_other_byte.count(0) > 0.8 * len(every_other_byte)


def without_declaration(text: str) -> tuple[str, str | None]:
    """Return a text without Excel's first line such as `sep=;`, and the delimiter that this line names.

    >>> without_declaration("sep=;\\r\\nitem;text")
    ('item;text', ';')
    """
    declared = re.match(r"sep=([,;\t])\r?\n", text, flags=re.IGNORECASE)
    return (text[declared.end() :], declared[1]) if declared else (text, None)


class BrokenTable(ValueError):
    """The text is not a CSV file that can be read; `line` is where."""

    def __init__(self, message: str, *, line: int) -> None:
        super().__init__(message)
        self.line = line

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled by the process that reads uploads.
        return _broken_table, (self.args[0], self.line)


def _broken_table(message: str, line: int) -> BrokenTable:
    return BrokenTable(message, line=line)


def sniffed_delimiter(text: str, *, expected: Sequence[str] = ("item", "text")) -> str:
    """Return the delimiter of the first line: comma, semicolon or tab.

    The delimiter that yields most of the expected names wins; ties go to the one that yields most columns.

    >>> sniffed_delimiter("item;text;marker"), sniffed_delimiter('item,"a;b;c"'), sniffed_delimiter("item")
    (';', ',', ',')
    """
    first = next((line for line in text.splitlines() if line.strip()), "")

    def merit(delimiter: str) -> tuple[int, int]:
        names = [name.strip().casefold() for name in next(csv.reader([first], delimiter=delimiter), [])]
        return sum(name in names for name in expected), len(names)

    return max(DELIMITERS, key=merit)


def csv_rows(text: str, *, delimiter: str, has_quotes: bool = True) -> list[tuple[int, list[str]]]:
    """Return (line, cells) for every record that is not blank. `line` is the first line of the record, from 1.

    Without `has_quotes` quotation marks are letters, and every line is a record.

    Raises BrokenTable for malformed CSV, such as quotes that never close.

    >>> csv_rows('a,b\\n1,"x\\ny"\\n\\n2,z', delimiter=",")
    [(1, ['a', 'b']), (2, ['1', 'x\\ny']), (5, ['2', 'z'])]
    """
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if has_quotes else csv.QUOTE_NONE
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, quoting=quoting)
    rows = []
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise BrokenTable(_in_words(str(error)), line=line) from error
    return rows


def _in_words(error: str) -> str:
    if "unexpected end of data" in error:
        return Sentence("A quotation mark opens here and never closes.")
    if "expected after" in error:
        return Sentence(
            "A cell begins with a quotation mark, and more text follows after the closing one. Put the whole "
            "cell into quotation marks, and double those within it."
        )
    return Sentence("The row cannot be read ({error}).", error=error)

"""Run a method on any tidy CSV file, without a study or a database."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.data.decimal_commas import with_points
from analysis.exports.reports import names_of_files, report_files, report_json
from analysis.methods import declarations, registry
from analysis.methods.report import BadInput, Report
from analysis.methods.wording import counted, listed
from experiments.formats.csvtext import (
    BYTE_ORDER_MARK,
    BrokenTable,
    Decimal,
    Decoded,
    csv_rows,
    decoded,
    sniffed_delimiter,
    without_declaration,
)
from experiments.whole_files import NotWritten, delete_below, keep_apart, write_whole

HEADER_ROOM = 100_000  # characters in which the first line ends
WORKBOOK_STARTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


def analyse_file(
    method: str, *, data: Path, given: Mapping[str, Any], out: Path, decimal: Decimal = "auto", part: str = ""
) -> tuple[Report, list[Path]]:
    """Run a method on a CSV file and write its report; return the report and the files that were written.

    Written are `report.json`, one `<table>.csv` for each table and one `<figure>.svg` for each figure; the folder is
    made where it is missing, and a report that it holds is replaced, with its tables and figures. The same input gives
    the same bytes. A table of one of several tasks, as an export has them, is said to be one: which task it holds, and
    which files the others. `decimal` says whether commas in numbers are decimal (`analysis.data.decimal_commas`). How
    the file was read otherwise than as it stands is among the warnings of the report. With `part` the rows of that task
    alone are analysed, and the report says so.

    Raises BadInput for an unknown method, a file that cannot be read, parameters that do not fit it, data that do not
    allow the analysis, or files that cannot be written. No file is left half written.
    """
    declared = registry.method_named(method)
    if out.exists() and not out.is_dir():
        raise BadInput(f"{out} is a file; --out needs a folder.")
    read = read_file(data, decimal=decimal)
    frame = rows_of_part(read.frame, part) if part else read.frame
    report = registry.run(declared, frame, with_files(declared, given))
    others = "" if part else tables_of_other_parts(data)
    report = replace(report, warnings=(*filter(None, [others]), *read.said, *report.warnings), part=part)
    files = list(report_files(report_json(report)))
    written = [out / name for name, _ in files]
    try:
        keep_apart(read=[data], written=written)
        delete_below(out, _names_of_earlier_report(out) - {path.name for path in written} - {data.name})
        for path, (_, content) in zip(written, files, strict=True):
            write_whole(path, content)
    except NotWritten as refusal:
        raise BadInput(str(refusal)) from refusal
    return report, written


MOST_OF_A_PACKAGE = 32 * 1024**2


def tables_of_other_parts(data: Path) -> str:
    """Return what is to be said of a table of an export that holds one of several tasks; empty for other files.

    The `datapackage.json` of the export says it, in the folder of the table or, as in Psych-DS, in the one above.
    """
    for folder in (data.absolute().parent, data.absolute().parent.parent):
        package = folder / "datapackage.json"
        try:
            if package.stat().st_size > MOST_OF_A_PACKAGE:
                continue
            resources = json.loads(package.read_text(encoding="utf-8"))["resources"]
            known = {str(one["path"]): one for one in resources if isinstance(one, dict) and one.get("parts")}
            own = known.get(data.absolute().relative_to(folder).as_posix())
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if own is not None:
            alike = [one for one in known.values() if one["table"] == own["table"] and one is not own]
            if not alike:
                return ""
            beside = listed(f"{one['path']} ({listed(one['parts'], shown=20)})" for one in alike)
            return (
                f"{data.name} holds the rows of the {_parts(own['parts'])} alone. The same table of other parts of the "
                f"study: {beside}. They were not analysed; tasks with one word under pool stand in one table."
            )
    return ""


def _parts(names: Sequence[str]) -> str:
    return f"part {names[0]}" if len(names) == 1 else f"parts {listed(names, shown=20)}"


def _names_of_earlier_report(out: Path) -> set[str]:
    """Return the names of the files beside the report that a folder holds: a folder holds the files of one report."""
    try:
        return names_of_files((out / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()


def rows_of_part(frame: pd.DataFrame, part: str) -> pd.DataFrame:
    """Return the rows of one task of an exported table, or of several (`"a,b"`), and of its columns those that are not
    empty there.

    Raises BadInput where the table does not say to which task rows belong, or has none of one of them.

    >>> rows_of_part(pd.DataFrame({"rt": ["1", "2"], "part": ["a", "b"]}), "b").values.tolist()
    [['2', 'b']]
    """
    column = next((name for name in ("study_part", "part") if name in frame), None)
    if column is None:
        raise BadInput("The table has no column part, so its rows are of one task; leave --part out.")
    wanted = [name.strip() for name in part.split(",") if name.strip()]
    known = [name for name in dict.fromkeys(frame[column]) if name]
    for name in wanted:
        if name not in known:
            raise BadInput(f"The table has no rows of the part '{name}'. Its parts are: {listed(known)}.")
    kept = frame.loc[frame[column].isin(wanted)].reset_index(drop=True)
    return kept.loc[:, (kept != "").any()]


def with_files(method: declarations.Method, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters with the files that are named for parameters of the kind `file`, read as text.

    Only whoever runs a command names files by their path; in the platform a file is uploaded. Raises BadInput for a
    file that is missing or no text.
    """
    files = {parameter.name for parameter in method.parameters if parameter.kind == "file"}
    return {
        name: text_file(Path(value)) if name in files and isinstance(value, str) and value.strip() else value
        for name, value in given.items()
    }


# A larger file is left on the disk: a language model of half a gigabyte would fill the memory.
MOST_IN_MEMORY = 16 * 1024**2


def text_file(path: Path) -> declarations.TextFile | declarations.FileOnDisk:
    """Return a text file under the last part of its path. Raises BadInput where it cannot be read."""
    try:
        if path.stat().st_size > MOST_IN_MEMORY:
            return declarations.FileOnDisk(path.name, path)
        content = path.read_bytes()
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}; check the path.") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}).") from error
    read = _decoded(content, path)
    return declarations.TextFile(
        path.name, read.text.removeprefix(BYTE_ORDER_MARK), guessed=read.guessed_from is not None
    )


@dataclass(frozen=True)
class ReadFile:
    """A table of text cells, and what is to be said of how the file was read."""

    frame: pd.DataFrame
    said: tuple[str, ...] = ()


def read_table(path: Path) -> pd.DataFrame:
    """Return the table in a CSV file, as `read_file` does."""
    return read_file(path).frame


def read_file(path: Path, *, decimal: Decimal = "auto") -> ReadFile:
    """Read a CSV file as text, so that a participant 001 stays 001, in any shape in which spreadsheets write it.

    UTF-8, UTF-16 or, with a warning, Windows-1252; commas, semicolons or tabs between cells; decimal commas where they
    were declared or are unmistakable; empty columns at the end. Raises BadInput, naming the line, where it is no such
    file.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise BadInput(f"There is no file {path}; check the path given with --data.") from None
    except IsADirectoryError:
        raise BadInput(f"{path} is a folder; --data needs a CSV file.") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}).") from error
    if content.startswith(WORKBOOK_STARTS):
        raise BadInput(f"{path} is a spreadsheet workbook; save it as CSV (UTF-8) and give that file.")
    read = _decoded(content, path)
    said = []
    if read.guessed_from is not None:
        said.append(
            f"The file is not UTF-8 (line {read.guessed_from:,}). It was read as Windows-1252; check the letters "
            f"outside English, and save it as CSV UTF-8 to be sure."
        )
    frame, told = with_points(table_from(read.text, source=str(path)), decimal)
    return ReadFile(frame, (*said, *told))


def table_from(text: str, *, source: str) -> pd.DataFrame:
    """Return the rows of a CSV text as a frame of text cells.

    >>> table_from("participant,rating\\n001,5\\n", source="x.csv").values.tolist()
    [['001', '5']]
    """
    text, declared = without_declaration(text.removeprefix(BYTE_ORDER_MARK))
    skipped = 1 if declared else 0
    delimiter = declared or sniffed_delimiter(text.lstrip("\r\n \t")[:HEADER_ROOM])
    plain = _plain_table((text.replace("\r\n", "\n") if "\r" in text else text).rstrip("\n"), delimiter)
    if plain is not None:
        return plain
    try:
        records = csv_rows(text, delimiter=delimiter)
    except BrokenTable as error:
        raise BadInput(f"{source}, line {error.line + skipped}: {error}") from error
    if not records:
        raise BadInput(f"{source} is empty; it needs a first line with the names of the columns and one row per trial.")
    records = _without_empty_columns(records)
    header = [name.strip() for name in records[0][1]]
    _check_header(header, source=source)
    if len(records) == 1:
        raise BadInput(f"{source} holds the names of its columns and no rows; add one row per trial.")
    for line, cells in records[1:]:
        if len(cells) != len(header):
            raise BadInput(
                f"{source}, line {line + skipped} has {counted(len(cells), 'cell')} and the first line {len(header)}; "
                f"every row needs one cell per column. Cells that hold a comma stand in double quotes."
            )
    return pd.DataFrame([cells for _, cells in records[1:]], columns=header, dtype=str)


def _without_empty_columns(records: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Return the records without the columns at the end that have neither a name nor a cell, as spreadsheets add them.

    >>> _without_empty_columns([(1, ["a", "b", ""]), (2, ["1", "2", ""]), (3, ["1", "2"])])
    [(1, ['a', 'b']), (2, ['1', '2']), (3, ['1', '2'])]
    """
    header = records[0][1]
    width = max((at for at, name in enumerate(header, start=1) if name.strip()), default=0)
    if any(cell.strip() for _, cells in records[1:] for cell in cells[width:]):
        return records
    return [(line, cells[:width]) for line, cells in records] if width else records


def _plain_table(text: str, delimiter: str) -> pd.DataFrame | None:
    """Read a text without quotes, blank lines or ragged rows in a tenth of the time; None where it may not be one.

    No row can have too few cells where the delimiters add up and no row has too many; a blank line has an empty first
    cell.
    """
    lines = text.count("\n")
    header = [name.strip() for name in text[: text.find("\n")].split(delimiter)]
    suspect = '"' in text or "\r" in text or lines == 0 or len(set(header)) < len(header)
    if suspect or "" in header or text.count(delimiter) != (lines + 1) * (len(header) - 1):
        return None
    try:
        frame = pd.read_csv(
            io.BytesIO(text.encode()),
            sep=delimiter,
            dtype=str,
            na_filter=False,
            quoting=csv.QUOTE_NONE,
            skip_blank_lines=False,
            on_bad_lines="error",
            low_memory=False,  # so that equal cells of a column are one object, which are told apart faster
        )
    except pd.errors.ParserError:
        return None
    # With too many cells in the first rows pandas makes an index of them.
    if len(frame) != lines or not isinstance(frame.index, pd.RangeIndex) or frame.shape[1] != len(header):
        return None
    frame.columns = pd.Index(header)
    return None if "" in set(map(str.strip, frame[header[0]].unique())) else frame


def settings_from(pairs: Sequence[str]) -> dict[str, str]:
    """Read `name=value` pairs; the value may hold further equals signs.

    >>> settings_from(["dv=z", "where=words>=14"])
    {'dv': 'z', 'where': 'words>=14'}
    """
    given: dict[str, str] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name.strip():
            raise BadInput(f"'{pair}' is not of the form name=value; write for example --set dv=rating.")
        if name.strip() in given:
            raise BadInput(f"{name.strip()} is set twice; several values go into one, separated by commas.")
        given[name.strip()] = value
    return given


def _decoded(content: bytes, path: Path) -> Decoded:
    try:
        read = decoded(content)
    except BrokenTable as broken:
        raise BadInput(f"{path}, line {broken.line}: {broken} Save it as UTF-8 and run this again.") from broken
    if "\x00" in read.text:
        line = read.text.count("\n", 0, read.text.index("\x00")) + 1
        raise BadInput(f"{path}, line {line} holds a NUL character, so this is no text file; save it as UTF-8 text.")
    return read


def _check_header(header: Sequence[str], *, source: str) -> None:
    unnamed = [str(position) for position, name in enumerate(header, start=1) if not name]
    if unnamed:
        raise BadInput(f"{source}: column {listed(unnamed)} has no name in the first line; give every column a name.")
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise BadInput(f"{source}: {listed(repeated)} is the name of more than one column; rename all but one.")

"""Recognise the tool that wrote a file, and convert the file to a table."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from analysis.conversion import ibex, motr, tabular
from analysis.conversion.table import Converted, Fault, NotRecognised
from experiments.formats.csvtext import BrokenTable, csv_rows, sniffed_delimiter

KNOWN = "PCIbex, Ibex, jsPsych (CSV and JSON), JATOS (archive or text), lab.js, OpenSesame and MoTR"
MOST_BYTES = 500 * 1024**2


def convert_file(path: Path) -> Converted:
    """Return the results in a file as a table. Raises NotRecognised with a sentence that says what would be read."""
    content = path.read_bytes()
    if zipfile.is_zipfile(io.BytesIO(content)):
        return _archive(content)
    return convert_text(_decoded(content))


def convert_text(text: str, *, who: str = "") -> Converted:
    """Return the results in a text as a table; `who` names the participant where the text does not."""
    if not text.strip():
        raise NotRecognised("The file is empty.")
    if ibex.recognised(text):
        return ibex.convert(text)
    if text.lstrip()[:1] in "[{":
        return _json(text, who=who)
    return _table(text, who=who)


def _decoded(content: bytes) -> str:
    for encoding in ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise NotRecognised("The file is not a text in UTF-8, UTF-16 or Windows-1252.")


def _json(text: str, *, who: str) -> Converted:
    try:
        whole = json.loads(text)
        if isinstance(whole, dict) and isinstance(whole.get("trials") or whole.get("data"), list):
            whole = whole.get("trials") or whole.get("data")
        if isinstance(whole, list) and whole and all(isinstance(entry, list) for entry in whole):
            return _joined([_objects(entry, who=str(n)) for n, entry in enumerate(whole, start=1)], tool="")
        return _objects(whole if isinstance(whole, list) else [whole], who=who)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise NotRecognised(f"Line {error.lineno}: this is not JSON ({error.msg}).") from error
    # JATOS writes the results of one session on each line.
    parts: list[Converted] = []
    faults: list[Fault] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            parts.append(_objects(entry if isinstance(entry, list) else [entry], who=str(len(parts) + 1)))
        except (json.JSONDecodeError, NotRecognised) as error:
            faults.append(Fault(number, f"this line could not be read ({error})."))
    return _joined(parts, tool="JATOS", faults=faults)


def _objects(rows: list[Any], *, who: str) -> Converted:
    objects = [row for row in rows if isinstance(row, dict)]
    return _recognised(objects, who=who)


def _table(text: str, *, who: str) -> Converted:
    expected = (*motr.NEEDS, *(name for tool in tabular.TOOLS for name in tool.needs))
    try:
        (_line, header), *records = csv_rows(text, delimiter=sniffed_delimiter(text, expected=expected))
    except BrokenTable as broken:
        raise NotRecognised(f"Line {broken.line}: {broken}") from broken
    faults = [
        Fault(line, f"{len(cells)} values for {len(header)} columns; the line was left out.")
        for line, cells in records
        if len(cells) > len(header)
    ]
    rows = [dict(zip(header, cells, strict=False)) for _line, cells in records if len(cells) <= len(header)]
    found = _recognised(rows, who=who)
    found.faults += faults
    return found


def _recognised(rows: list[dict[str, Any]], *, who: str) -> Converted:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    if motr.recognised(columns):
        return motr.convert(rows)
    tool = tabular.recognised(columns)
    if tool is None:
        shown = ", ".join(map(str, columns[:8])) or "none"
        raise NotRecognised(f"Nobody knows this table by its columns ({shown}). What is read: {KNOWN}.")
    return tabular.convert(tool, rows, who=who)


def _archive(content: bytes) -> Converted:
    """A JATOS archive: a folder for every study result, in it one for every component, in it `data.txt`."""
    parts: list[Converted] = []
    faults: list[Fault] = []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith((".txt", ".json", ".csv")))
        results = [name for name in names if name.rsplit("/", 1)[-1] != "metadata.json"]
        if sum(archive.getinfo(name).file_size for name in results) > MOST_BYTES:
            raise NotRecognised(f"The archive holds more than {MOST_BYTES // 1024**2} MB of results.")
        for name in results:
            who = name.split("/")[0] if "/" in name else name.rsplit(".", 1)[0]
            try:
                found = convert_text(_decoded(archive.read(name)), who=who)
            except NotRecognised as refusal:
                faults.append(Fault(1, f"{name}: {refusal}"))
                continue
            found.faults = [Fault(fault.line, f"{name}: {fault.message}") for fault in found.faults]
            parts.append(found)
    return _joined(parts, tool="JATOS", faults=faults)


def _joined(parts: list[Converted], *, tool: str, faults: list[Fault] | None = None) -> Converted:
    if not parts:
        said = f" {faults[0]}" if faults else ""
        raise NotRecognised(f"There are no results that can be read.{said} What is read: {KNOWN}.")
    tools = list(dict.fromkeys(part.tool for part in parts))
    joined = Converted(f"{tool} ({', '.join(tools)})" if tool else tools[0], [])
    joined.faults += faults or []
    for part in parts:
        joined.rows += part.rows
        joined.sources |= part.sources
        joined.faults += part.faults
        joined.notes += [note for note in part.notes if note not in joined.notes]
    if "participant" not in joined.sources:
        joined.notes = [note for note in joined.notes if "belong to one" not in note]
        joined.notes.append("The files name no participant; every set of results is taken as one.")
    return joined

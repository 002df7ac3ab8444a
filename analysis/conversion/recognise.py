"""Recognise the tool that wrote a file, and convert the file to a table."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from analysis.conversion.people import NAMES
from analysis.conversion.registry import KNOWN, reader_of
from analysis.conversion.sets import read_archive, read_json
from analysis.conversion.source import Source, text_of
from analysis.conversion.table import MEANINGS, Cell, Converted, NotRecognised, cell, first_of, identifier
from analysis.conversion.unread import unread_of

_ROLES = ("participant", "item", "condition", "list", "trial")
# A table with so many of our columns has nothing left to convert.
_ENOUGH = 2


def convert_file(path: Path, *, encoding: str = "", participant: str = "") -> Converted:
    """Return the results in a file as a table.

    `encoding` is that of the file where it is neither UTF-8, UTF-16 nor Windows-1252, `participant` the column that
    says who took part where another one would be taken. Raises NotRecognised with a sentence that says what would be
    read.
    """
    content = path.read_bytes()
    if zipfile.is_zipfile(io.BytesIO(content)):
        found = read_archive(content, _text, encoding=encoding)
    else:
        text, note = text_of(content, encoding)
        found = convert_text(text)
        found.notes += [note] if note else []
    if participant:
        _name_by(found, participant)
    return found


def convert_text(text: str) -> Converted:
    """Return the results in a text as a table. Raises NotRecognised with a sentence that says what would be read."""
    return _text(text, "", False)


def _text(text: str, who: str, session: bool) -> Converted:
    if not text.strip():
        raise NotRecognised("The file is empty.")
    try:
        return _converted(Source(text, who=who, session=session))
    except RecursionError as error:
        raise NotRecognised("The objects in the file are nested too deeply to be read.") from error


def _converted(source: Source) -> Converted:
    reader = reader_of(source) if unread_of(source) is None else None
    if reader is not None:
        found = reader.read(source)
        if not found.rows:
            why = f" {found.faults[0]}" if found.faults else ""
            raise NotRecognised(f"This is a file of {reader.tool} without results.{why}")
        return found
    if source.is_json:
        return read_json(source, _converted)
    raise NotRecognised(_refusal(source))


def _refusal(source: Source) -> str:
    """Say why a table is not converted: it needs none, it is of a tool that is not read, or nobody knows it."""
    unread = unread_of(source)
    if unread is not None:
        return unread.sentence(source)
    if source.broken is not None:
        return str(source.broken)
    columns = source.columns
    ours = [name for name in columns if name in MEANINGS]
    if len(columns) > 1 and len(source.rows) > 0 and len(ours) >= _ENOUGH and "participant" in ours:
        shown = ", ".join(ours[:6])
        return f"This is a plain table with our columns ({shown}): it needs no converting, `analyse` takes it as it is."
    shown = ", ".join(columns[:8]) or "none"
    who = first_of(columns, NAMES)
    if len(columns) > 1 and len(source.rows) > 0 and who is not None:
        role = f", with --set participant={who}" if who != "participant" else ""
        people = [cell(row.get(who)) for row in source.rows]
        if len(people) > 1 and len(set(people)) == len(people):
            return (
                f"This is a plain table ({shown}) with a row for each person: it needs no converting where people are "
                "analysed. Columns called by measure and condition, such as rt_long and rt_short, become rows."
            )
        return (
            f"This is a plain table ({shown}): it needs no converting. `analyse` takes it as it is, if it has a row "
            f"for each answer{role}."
        )
    return (
        f"Nobody knows this table by its columns ({shown}). If it has a row for each answer it needs no converting: "
        f"`analyse` takes it, with its columns called {', '.join(_ROLES[:3])}. What is read: {KNOWN}."
    )


def _name_by(found: Converted, participant: str) -> None:
    """Name people by a column, as the tool or the table calls it. Raises NotRecognised if there is none."""
    by_source = {source: name for name, source in found.sources.items()}
    name = by_source.get(participant) or next((own for own in found.columns if own == participant), None)
    name = name or first_of(found.columns, [participant])
    if name is None:
        raise NotRecognised(f"There is no column '{participant}'. There are: {', '.join(found.columns)}.")
    if name == "participant":
        return
    kept = identifier(found.sources.get("participant") or "participant_before")
    kept = f"{kept}_before" if kept in found.columns else kept
    own: dict[Cell, set[Cell]] = {}
    for row in found.rows:
        own.setdefault(row.get("participant"), set()).update({row.get(name)} - {None})
    empty = 0
    for row in found.rows:
        old, who = row.get("participant"), row.get(name)
        only = own[old] if len(own[old]) == 1 else {None}
        row[kept] = old
        row["participant"] = who if who is not None else next(iter(only))
        empty += row["participant"] is None
    found.sources["participant"] = found.sources.get(name, name)
    found.notes.append(f"Participants are named by '{participant}', as asked for.")
    if empty:
        found.notes.append(f"Rows with nothing there have no participant ({empty}).")

"""Files that hold several sets of results: JSON with one per line or array, and archives with a file for each."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from analysis.conversion.registry import KNOWN
from analysis.conversion.source import JsonValue, Source, text_of
from analysis.conversion.table import Converted, Fault, NotRecognised

MOST_BYTES = 500 * 1024**2
_ENDS = (".txt", ".json", ".csv", ".tsv", ".log", ".dat", ".azk")
_HELD = ("trials", "data")
_WORKBOOK = "This is a workbook. Save the sheet with the results as CSV, and convert that."
_STATISTICS = "This is a file of jamovi or JASP. Export its data as CSV, and convert that."

Read = Callable[[Source], Converted]
# Text, who took part where it does not say so, and whether all of it is of one session.
ReadText = Callable[[str, str, bool], Converted]


def read_json(source: Source, read: Read) -> Converted:
    """Read the objects in JSON: a row for each, a session for each array within an array or on a line of its own."""
    values = source.values
    if not values:
        why = (
            f"Line {source.faults[0].line}: {source.faults[0].message}" if source.faults else "There is no JSON in it."
        )
        raise NotRecognised(why[0].upper() + why[1:])
    if len(values) == 1 and not source.faults:
        found = _unwrapped(values[0].value)
        if isinstance(found, list) and found and all(isinstance(entry, list) for entry in found):
            return joined([(str(n), *_tried(entry, str(n), read)) for n, entry in enumerate(found, start=1)])
        return read(Source(objects=_objects(found), who=source.who, session=source.session))
    if all(isinstance(found.value, dict) and not _is_held(found.value) for found in values):
        one = read(Source(objects=[found.value for found in values], who=source.who, session=source.session))
        one.faults += source.faults
        return one
    # JATOS writes the results of one session on each line; a component that sends twice has two arrays on it.
    parts = [
        (source.who or str(session), *_tried(rows, source.who or str(session), read, line))
        for session, line, rows in _arrays(values)
    ]
    return joined(parts, tool="" if source.who else "JATOS", faults=source.faults)


def _arrays(values: Sequence[JsonValue]) -> Iterator[tuple[int, int, list[Any]]]:
    """Yield (number of the session, line, objects) for each array; what begins where another ends is of its session.

    Objects that stand by themselves on a line are one array.
    """
    session, last = 0, -1
    alone: list[Any] = []
    for found in values:
        if found.first_line != last:
            if alone:
                yield session, last, alone
            alone, session = [], session + 1
        rows = _objects(_unwrapped(found.value))
        if isinstance(found.value, dict) and not _is_held(found.value):
            alone += rows
        elif rows:
            yield session, found.first_line, rows
        last = found.last_line
    if alone:
        yield session, last, alone


def _is_held(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(name), list) for name in _HELD)


def _unwrapped(value: Any) -> Any:
    """Return the list of trials in an object that holds one."""
    if isinstance(value, dict):
        return next((value[name] for name in _HELD if isinstance(value.get(name), list)), value)
    return value


def _objects(value: Any) -> list[Any]:
    entries = value if isinstance(value, list) else [value]
    nested = [inner for entry in entries for inner in (entry if isinstance(entry, list) else [entry])]
    return [entry for entry in nested if isinstance(entry, dict)]


def _tried(rows: Any, who: str, read: Read, line: int = 1) -> tuple[Converted | None, Fault | None]:
    try:
        return read(Source(objects=_objects(rows), who=who, session=True)), None
    except NotRecognised as refusal:
        return None, Fault(line, f"these results could not be read ({refusal})")


def read_archive(content: bytes, read_text: ReadText, *, encoding: str = "") -> Converted:
    """Read an archive: of JATOS, with a folder for every study result; of other tools, with a file for each session."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        everything = archive.namelist()
        if "xl/workbook.xml" in everything or "content.xml" in everything:
            raise NotRecognised(_WORKBOOK)
        if {"data.bin", "internal.sqlite"} & set(everything) or "xdata.json" in everything:
            raise NotRecognised(_STATISTICS)
        names = [name for name in sorted(everything) if name.endswith(_ENDS) and not name.startswith("__MACOSX/")]
        results = [name for name in names if name.rsplit("/", 1)[-1] != "metadata.json"]
        if sum(archive.getinfo(name).file_size for name in results) > MOST_BYTES:
            raise NotRecognised(f"The archive holds more than {MOST_BYTES // 1024**2} MB of results.")
        of_jatos = len(results) < len(names) or any(name.startswith("study_result") for name in results)
        # A study result of JATOS is a folder with a file for each component; elsewhere a file is a session.
        whos = [name.split("/")[0] if of_jatos and "/" in name else name.rsplit(".", 1)[0] for name in results]
        parts = [
            (who, *_part(archive, name, encoding, read_text, who, of_jatos))
            for who, name in zip(whos, results, strict=True)
        ]
    return joined(parts, tool="JATOS" if of_jatos else "")


def _part(
    archive: zipfile.ZipFile, name: str, encoding: str, read_text: ReadText, who: str, session: bool
) -> tuple[Converted | None, Fault | None]:
    try:
        text, note = text_of(archive.read(name), encoding)
        found = read_text(text, who, session)
    except NotRecognised as refusal:
        return None, Fault(1, f"{name}: {refusal}")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        return None, Fault(1, f"{name}: this file of the archive cannot be unpacked ({error}).")
    found.faults = [Fault(fault.line, f"{name}: {fault.message}") for fault in found.faults]
    found.notes += [f"{name}: {note}"] if note else []
    return found, None


def joined(
    parts: Sequence[tuple[str, Converted | None, Fault | None]], *, tool: str = "", faults: Sequence[Fault] = ()
) -> Converted:
    """Return several sets of results as one table. Parts of one session share the name that one of them knows."""
    found = [(who, part) for who, part, _fault in parts if part is not None]
    faults = sorted([*faults, *(fault for _who, _part, fault in parts if fault)], key=lambda fault: fault.line)
    if not found:
        said = f" {faults[0]}" if faults else ""
        raise NotRecognised(f"There are no results that can be read.{said} What is read: {KNOWN}.")
    _share_names(found)
    tools = list(dict.fromkeys(part.tool for _who, part in found))
    whole = Converted(f"{tool} ({', '.join(tools)})" if tool else ", ".join(tools), [], faults=list(faults))
    for _who, part in found:
        whole.rows += part.rows
        whole.sources |= {name: source for name, source in part.sources.items() if name not in whole.sources}
        whole.meanings |= part.meanings
        whole.faults += part.faults
        whole.notes += [note for note in part.notes if note not in whole.notes]
    whole.named = all(part.named for _who, part in found)
    whole.notes = [note for note in whole.notes if "belong to one" not in note]
    if not whole.named:
        sets = (
            "every set of results is taken as one"
            if not any(part.named for _who, part in found)
            else ("sets of results without one are taken as one each")
        )
        whole.notes.append(f"The files name no participant; {sets}.")
    return whole


def _share_names(found: Sequence[tuple[str, Converted]]) -> None:
    """Give the unnamed parts of a session the name of a part that has one; no number may be somebody else's id."""
    named: dict[str, set[Any]] = {}
    for who, part in found:
        if part.named:
            named.setdefault(who, set()).update(row.get("participant") for row in part.rows)
    taken = {str(name) for names in named.values() for name in names}
    for who, part in found:
        if part.named:
            continue
        own = named.get(who, set())
        name = next(iter(own)) if len(own) == 1 else f"unnamed-{who}" if who in taken else who
        part.named = len(own) == 1
        for row in part.rows:
            row["participant"] = name

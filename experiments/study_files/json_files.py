"""Read a study file that is given as JSON: the keys of the TOML file, tables beside it by their names."""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from experiments.formats.faults import Fault
from experiments.materials.shapes import MAX_BYTES
from experiments.sentences import Sentence
from experiments.study_files.description import StudyDescription, StudyFileFaults
from experiments.study_files.toml import checked_study

MOST_TABLES = 40
_DATES = ("retention_until",)


def described(study: Mapping[str, Any], tables: Mapping[str, str], repaired: bool = False) -> StudyDescription:
    """Return what a study says. Raises StudyFileFaults with all faults, each with the place in `study` as a pointer."""
    faults = _table_faults(tables)
    if faults:
        raise StudyFileFaults(faults)
    places = _Places()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tables.items():
            (Path(folder) / name).write_bytes(text.encode("utf-8", "surrogatepass")[: MAX_BYTES + 1])
        faults = _path_faults(study)
        found, wrong = checked_study(_with_dates(study), places, Path(folder), repaired=repaired)
    faults += [places.placed(fault) for fault in wrong]
    if faults:
        raise StudyFileFaults(faults)
    return found


class _Places:
    """Numbers places of JSON, where those of a text are lines; a fault that has a number gets the place again."""

    def __init__(self) -> None:
        self.pointers: list[str] = []

    def __call__(self, path: Sequence[str | int]) -> int:
        # Lists are counted from 1 in study files, and from 0 in pointers.
        steps = [str(step - 1 if isinstance(step, int) else step) for step in path]
        self.pointers.append("".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps))
        return len(self.pointers)

    def placed(self, fault: Fault) -> Fault:
        if fault.line is None or fault.column or not 0 < fault.line <= len(self.pointers):
            return fault
        return replace(fault, line=None, setting=self.pointers[fault.line - 1])


def _table_faults(tables: Mapping[str, str]) -> list[Fault]:
    faults = [
        Fault(
            setting=f"tables/{name}",
            message=Sentence("'{name}' cannot be the name of a table.", name=name[:100]),
            suggestion=Sentence("Give the plain name of a file, such as materials.csv."),
        )
        for name in tables
        if not _is_plain(name)
    ]
    if len(tables) > MOST_TABLES:
        faults.append(Fault(message=Sentence("There are more than {most} tables.", most=MOST_TABLES)))
    return faults


def _path_faults(study: Mapping[str, Any]) -> list[Fault]:
    """Return a fault for each table or folder that is named by a path: nothing but what was sent is read."""
    parts = study.get("parts")
    named = [study.get("materials"), *([part.get("materials") for part in parts if isinstance(part, Mapping)]
                                      if isinstance(parts, list) else [])]  # fmt: skip
    return [
        Fault(
            setting="/materials",
            message=Sentence("The study file names its materials by the path '{name}'.", name=value[:100]),
            suggestion=Sentence("Write only the name of the file, and send the table with it."),
        )
        for one in named
        if isinstance(one, Mapping)
        for value in one.values()
        if isinstance(value, str) and ("/" in value or "\\" in value or value in (".", "..") or "\x00" in value)
    ]


def _is_plain(name: str) -> bool:
    return (
        bool(name)
        and Path(name).name == name
        and "\\" not in name
        and "\x00" not in name
        and len(name) <= 100
        and (name not in (".", "..") and not any("\ud800" <= character <= "\udfff" for character in name))
    )


def _with_dates(study: Mapping[str, Any]) -> dict[str, Any]:
    """Return the study with its dates, which JSON holds as texts; a text that is none stays, and is a fault."""
    given = dict(study)
    for name in _DATES:
        if isinstance(given.get(name), str):
            try:
                given[name] = datetime.date.fromisoformat(given[name])
            except ValueError:
                continue
    return given

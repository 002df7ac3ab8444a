"""Read uploaded study files and archives, with the materials uploaded together with them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from django.utils.translation import gettext as _

from experiments.formats.faults import Fault
from experiments.materials.shapes import MAX_BYTES
from experiments.study_files.archive import read_archive
from experiments.study_files.description import StudyDescription, StudyFileFaults
from experiments.study_files.toml import MAX_TOML_BYTES, parsed, read_toml

_ARCHIVE_START = b"PK\x03\x04"


def is_archive(data: bytes) -> bool:
    """Return whether what was uploaded begins as an archive does; anything else is read as a study file."""
    return data.startswith(_ARCHIVE_START)


def described(data: bytes, materials: bytes | None, repaired: bool = False) -> StudyDescription:
    """Return what an uploaded study file or archive says. Raises StudyFileFaults with all faults.

    A study file names its materials by a path. Of an uploaded one only a plain file name is followed, into a folder
    that holds nothing but what was uploaded with it.
    """
    if is_archive(data):
        return read_archive(data)
    data = data[: MAX_TOML_BYTES + 1]
    name = _materials_name(data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.toml"
        path.write_bytes(data)
        if materials is not None and name:
            (Path(folder) / name).write_bytes(materials[: MAX_BYTES + 1])
        return read_toml(path, repaired=repaired)


def _materials_name(data: bytes) -> str:
    try:
        given = parsed(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        # Reading the file properly reports what is wrong with it, with the line.
        return ""
    part = given.get("materials")
    name = part.get("file") if isinstance(part, dict) else None
    if not isinstance(name, str):
        return ""
    if name in ("", ".", "..", "study.toml") or "\x00" in name or Path(name).name != name or "\\" in name:
        message = _("The study file names its materials with the path “%(name)s”.") % {"name": name}
        suggestion = _("Write only the name of the file, and upload that file separately.")
        raise StudyFileFaults([Fault(message=message, suggestion=suggestion)])
    return name

"""Files of a project: a folder, an archive (ZIP or tar) or a single file, bounded in number and size.

What they are is told by their names. An experiment of OpenSesame is an archive of its own, within others as well.
"""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from experiments.formats.csvtext import BrokenTable, decoded
from experiments.formats.faults import Fault, FaultsFound
from experiments.formats.media_names import is_media_name
from experiments.media.kinds import MAX_SOUND_BYTES, MAX_UPLOAD_BYTES
from experiments.sentences import Sentence

MAX_FILES = 2_000
MAX_TEXT_BYTES = 5 * 1024 * 1024
MAX_BYTES = MAX_UPLOAD_BYTES + 10 * 1024 * 1024
MAX_ZIP_BYTES = MAX_BYTES
# A study file of lab.js holds its pictures and sounds.
MAX_JSON_BYTES = 40 * 1024 * 1024
_TEXTS = (".js", ".mjs", ".csv", ".tsv", ".txt", ".html", ".htm", ".json", ".vue")
_EXPERIMENTS = (".osexp", ".opensesame", ".opensesame.tar.gz")
SCRIPT_OF_OPENSESAME = "script.opensesame"
# Scripts of the tools themselves, and what systems leave in folders.
_NOT_OF_THE_STUDY = (
    "js_includes",
    "css_includes",
    "other_includes",
    "server_py_dir",
    "www",
    "__MACOSX",
    ".git",
    "node_modules",
)


class ProjectFaults(FaultsFound):
    """The project cannot be read; `faults` says why."""

    def __reduce__(self) -> tuple[type[ProjectFaults], tuple[list[Fault]]]:
        return type(self), (self.faults,)


@dataclass
class Project:
    """Texts and media of a project by their paths; `left_out` are paths that no study needs or that are too large."""

    name: str
    texts: dict[str, str] = field(default_factory=dict)
    media: dict[str, bytes] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def scripts(self) -> list[str]:
        """The paths of the scripts in the order in which they are read."""
        return sorted(path for path in self.texts if path.casefold().endswith(".js"))

    def named(self, name: str, folders: Iterable[str] = ()) -> str | None:
        """Return the path of a file that a script names; capitals make no difference where nothing else fits."""
        wanted = name.strip().removeprefix("./").rpartition("/")[2]
        for fold in (str, str.casefold):
            for path in (*self.texts, *self.media):
                if fold(PurePosixPath(path).name) == fold(wanted):
                    return path
        return None


def project_in(files: Iterable[tuple[str, bytes]], name: str) -> Project:
    """Return the project that files are. Raises ProjectFaults where there is too much."""
    project = Project(name)
    size = 0
    for number, (path, data) in enumerate(_unpacked(dict(files)), start=1):
        size += len(data)
        if number > MAX_FILES or size > MAX_BYTES:
            message = Sentence(
                "The project has more than {files:,} files, or more than {megabytes} MB.",
                files=MAX_FILES,
                megabytes=MAX_BYTES // 1024**2,
            )
            raise ProjectFaults([Fault(message=message)])
        _take(project, path, data)
    return project


def _take(project: Project, path: str, data: bytes) -> None:
    lower = path.casefold()
    if any(part in _NOT_OF_THE_STUDY for part in PurePosixPath(path).parts[:-1]) or PurePosixPath(path).name[0] == ".":
        return
    if lower.endswith((*_TEXTS, SCRIPT_OF_OPENSESAME)):
        if len(data) > (MAX_JSON_BYTES if lower.endswith(".json") else MAX_TEXT_BYTES):
            project.left_out.append(path)
            return
        try:
            project.texts[path] = decoded(data).text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        except BrokenTable:
            project.left_out.append(path)
    elif is_media_name(path) and len(data) <= MAX_SOUND_BYTES:
        project.media[path] = data
    else:
        project.left_out.append(path)


def folder_files(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder by their paths in it. Raises ProjectFaults."""
    found: dict[str, bytes] = {}
    size = 0
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_file() or path.is_symlink() or any(part in _NOT_OF_THE_STUDY for part in inside.parts):
            continue
        size += path.stat().st_size
        if size > MAX_BYTES or len(found) >= MAX_FILES:
            message = Sentence(
                "The folder has more than {files:,} files, or more than {megabytes} MB.",
                files=MAX_FILES,
                megabytes=MAX_BYTES // 1024**2,
            )
            raise ProjectFaults([Fault(message=message)])
        try:
            found[inside.as_posix()] = path.read_bytes()
        except OSError as error:
            message = Sentence("'{path}' cannot be read: {reason}.", path=str(path), reason=error.strerror)
            raise ProjectFaults([Fault(message=message)]) from error
    return found


def uploaded_files(data: bytes, name: str) -> dict[str, bytes]:
    """Return the files of an archive (ZIP or tar) by their paths, or the one file that it is. Raises ProjectFaults."""
    if len(data) > MAX_ZIP_BYTES:
        message = Sentence("The archive is larger than {limit} MB.", limit=MAX_ZIP_BYTES // 1024**2)
        raise ProjectFaults([Fault(message=message)])
    if name.casefold().endswith(_EXPERIMENTS):
        return {name: data}
    if data[:2] == b"PK":
        return archive_files(data)
    if data[:2] == b"\x1f\x8b" or data[257:262] == b"ustar":
        return tar_files(data)
    if name.casefold().endswith(_TEXTS):
        return {name: data}
    return archive_files(data)


def archive_files(data: bytes) -> dict[str, bytes]:
    """Return the files of a ZIP archive by their paths, read one by one up to the limit. Raises ProjectFaults."""
    if len(data) > MAX_ZIP_BYTES:
        message = Sentence("The archive is larger than {limit} MB.", limit=MAX_ZIP_BYTES // 1024**2)
        raise ProjectFaults([Fault(message=message)])
    found = _Unpacked()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            for member in members[: MAX_FILES + 1]:
                if found.wants(member.filename):
                    with archive.open(member) as file:
                        found.take(member.filename, file.read(found.room + 1))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, zlib.error) as error:
        raise ProjectFaults([Fault(message=Sentence("The file is not a ZIP archive, or it is damaged."))]) from error
    return found.files


def tar_files(data: bytes) -> dict[str, bytes]:
    """Return the files of a tar archive, packed by gzip or not, read one by one up to the limit. Raises ProjectFaults.

    Links and special files are left out. The archive is read as a stream, so that a member without end is not unpacked
    beyond the limit.
    """
    found = _Unpacked()
    bounded = _Bounded(data, MAX_BYTES + MAX_FILES * 1024)
    try:
        with tarfile.open(fileobj=bounded, mode="r|") as archive:
            for member in archive:
                if member.isfile() and found.wants(member.name):
                    file = archive.extractfile(member)
                    found.take(member.name, file.read(found.room + 1) if file else b"")
    except (tarfile.TarError, OSError, EOFError, zlib.error, ValueError) as error:
        raise ProjectFaults([Fault(message=Sentence("The file is not a tar archive, or it is damaged."))]) from error
    return found.files


class _Unpacked:
    """Files of an archive, up to the limits of a project."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.room = MAX_BYTES

    def wants(self, name: str) -> bool:
        parts = _parts(name)
        return bool(parts) and not any(part in _NOT_OF_THE_STUDY for part in parts)

    def take(self, name: str, content: bytes) -> None:
        """Keep a file. Raises ProjectFaults where there is too much."""
        self.room -= len(content)
        self.files["/".join(_parts(name))] = content
        if self.room < 0 or len(self.files) > MAX_FILES:
            message = Sentence(
                "The archive unpacks to more than {files:,} files, or more than {megabytes} MB.",
                files=MAX_FILES,
                megabytes=MAX_BYTES // 1024**2,
            )
            raise ProjectFaults([Fault(message=message)])


def _parts(name: str) -> list[str]:
    return [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", "..", ".")]


class _Bounded(io.RawIOBase):
    """The bytes of a file that may be packed by gzip, unpacked piece by piece and never beyond a limit."""

    def __init__(self, data: bytes, most: int) -> None:
        self._data, self._left = memoryview(data), most
        self._unpacks = zlib.decompressobj(wbits=31) if data[:2] == b"\x1f\x8b" else None
        self._at = 0
        self._ready = b""

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes. Raises ValueError beyond the limit."""
        while len(self._ready) < size or size < 0:
            piece = bytes(self._data[self._at : self._at + 65_536])
            self._at += len(piece)
            if self._unpacks is not None:
                held = self._unpacks.unconsumed_tail + piece
                piece = self._unpacks.decompress(held, 1_048_576) if held else b""
            if not piece:
                break
            self._left -= len(piece)
            if self._left < 0:
                raise ValueError("more than the limit")
            self._ready += piece
        found, self._ready = self._ready[: size if size >= 0 else None], self._ready[size:] if size >= 0 else b""
        return found


def _unpacked(files: Mapping[str, bytes]) -> Iterable[tuple[str, bytes]]:
    """Yield the files of a project, those of experiments of OpenSesame one by one. Raises ProjectFaults."""
    for path, data in files.items():
        if not path.casefold().endswith(_EXPERIMENTS):
            yield path, data
        elif data[:2] == b"\x1f\x8b" or data[257:262] == b"ustar":
            for inner, content in tar_files(data).items():
                yield f"{path}/{_named_by_codes(inner)}", content
        else:
            yield f"{path}/{SCRIPT_OF_OPENSESAME}", data


def _named_by_codes(name: str) -> str:
    """Return the name of a file in which OpenSesame wrote signs as U+0041.

    >>> _named_by_codes("pool/U+00E9tUU+00E9.png")
    'pool/étUé.png'
    """
    return re.sub(r"U\+([0-9A-Fa-f]{4,6})", lambda found: chr(min(int(found[1], 16), 0x10FFFF)), name)


def base_of(paths: Mapping[str, object] | Iterable[str]) -> str:
    """Return the last part of a path without its ending."""
    return PurePosixPath(next(iter(paths), "project")).stem

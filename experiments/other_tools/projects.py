"""Files of a project: a folder or a ZIP archive, bounded in number and size. What they are is told by their names."""

from __future__ import annotations

import io
import zipfile
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
_TEXTS = (".js", ".csv", ".tsv", ".txt", ".html", ".htm")
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
    """Return the project that files are. Raises ProjectFaults where there is no script or too much.

    Where a folder holds several projects, the one whose script is nearest to the top is taken.
    """
    project = Project(name)
    size = 0
    for number, (path, data) in enumerate(dict(files).items(), start=1):
        size += len(data)
        if number > MAX_FILES or size > MAX_BYTES:
            message = Sentence(
                "The project has more than {files:,} files, or more than {megabytes} MB.",
                files=MAX_FILES,
                megabytes=MAX_BYTES // 1024**2,
            )
            raise ProjectFaults([Fault(message=message)])
        _take(project, path, data)
    if not project.scripts():
        message = Sentence("There is no script (.js) in the project.")
        advice = Sentence(
            "Give the folder or the archive that PCIbex exports, with data_includes (or Scripts) and chunk_includes "
            "(or Resources)."
        )
        raise ProjectFaults([Fault(message=message, suggestion=advice)])
    return project


def _take(project: Project, path: str, data: bytes) -> None:
    lower = path.casefold()
    if any(part in _NOT_OF_THE_STUDY for part in PurePosixPath(path).parts[:-1]) or PurePosixPath(path).name[0] == ".":
        return
    if lower.endswith(_TEXTS):
        if len(data) > MAX_TEXT_BYTES:
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


def archive_files(data: bytes) -> dict[str, bytes]:
    """Return the files of a ZIP archive by their paths, read one by one up to the limit. Raises ProjectFaults."""
    if len(data) > MAX_ZIP_BYTES:
        message = Sentence("The archive is larger than {limit} MB.", limit=MAX_ZIP_BYTES // 1024**2)
        raise ProjectFaults([Fault(message=message)])
    found: dict[str, bytes] = {}
    size = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            for member in members[: MAX_FILES + 1]:
                parts = PurePosixPath(member.filename.replace("\\", "/")).parts
                if not parts or any(part in _NOT_OF_THE_STUDY for part in parts):
                    continue
                with archive.open(member) as file:
                    content = file.read(MAX_BYTES - size + 1)
                size += len(content)
                found["/".join(part for part in parts if part not in ("/", "..", "."))] = content
                if size > MAX_BYTES or len(found) > MAX_FILES:
                    message = Sentence(
                        "The archive unpacks to more than {files:,} files, or more than {megabytes} MB.",
                        files=MAX_FILES,
                        megabytes=MAX_BYTES // 1024**2,
                    )
                    raise ProjectFaults([Fault(message=message)])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise ProjectFaults([Fault(message=Sentence("The file is no ZIP archive that can be read."))]) from error
    return found


def base_of(paths: Mapping[str, object] | Iterable[str]) -> str:
    """Return the last part of a path without its ending."""
    return PurePosixPath(next(iter(paths), "project")).stem

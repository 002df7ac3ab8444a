"""Read the members of an archive, or the files of a folder, within limits; nothing is ever unpacked to the disk."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

MOST_MEMBERS = 20_000
MOST_BYTES = 4 * 1024**3  # of all members together
MOST_BYTES_READ = 256 * 1024**2  # of one that is read into memory
MOST_REPORT_BYTES = 64 * 1024**2
MOST_NAME = 400
PIECE = 1 << 20
# Where an archive begins: one of these lies at its top, whatever folder a program put around it.
TOPS = ("manifest.json", "provenance.json", "report.json")


class UnreadableArchive(ValueError):
    """The file is no archive that can be read within the limits; the message is a sentence."""


@dataclass(frozen=True)
class Archive:
    """An archive or folder: its name, and the size of every member by its path from the top."""

    name: str
    path: Path
    sizes: dict[str, int]
    top: str = ""
    is_folder: bool = False

    def __contains__(self, member: str) -> bool:
        return member in self.sizes

    def read(self, member: str, *, most: int = MOST_BYTES_READ) -> bytes:
        """Return the content of a member. Raises UnreadableArchive where it is broken or has more bytes than `most`."""
        if self.sizes[member] > most:
            raise UnreadableArchive(f"{self.name}: '{member}' has more than {most // 1024**2} MB.")
        return b"".join(self._pieces(member))

    def sha256(self, member: str) -> str:
        """Return the SHA-256 of a member. Raises UnreadableArchive where it is broken."""
        digest = hashlib.sha256()
        for piece in self._pieces(member):
            digest.update(piece)
        return digest.hexdigest()

    def _pieces(self, member: str) -> Iterable[bytes]:
        left = self.sizes[member]
        try:
            if self.is_folder:
                with (self.path / self.top / member).open("rb") as file:
                    yield from _bounded(file, left)
            else:
                with zipfile.ZipFile(self.path) as archive, archive.open(self.top + member) as file:
                    yield from _bounded(file, left)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
            raise UnreadableArchive(f"{self.name}: '{member}' cannot be read ({error}).") from error


def _bounded(file: IO[bytes], left: int) -> Iterable[bytes]:
    while left > 0 and (piece := file.read(min(PIECE, left))):
        left -= len(piece)
        yield piece


def opened(path: Path) -> Archive:
    """Return the archive in a ZIP file or a folder. Raises UnreadableArchive, naming what is wrong."""
    if path.is_dir():
        return _from(path, _files_below(path), is_folder=True)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [(one.filename, one.file_size) for one in archive.infolist() if not one.is_dir()]
            if any(one.flag_bits & 1 for one in archive.infolist()):
                raise UnreadableArchive(f"{path.name} is encrypted.")
    except FileNotFoundError:
        raise UnreadableArchive(f"There is no file {path}.") from None
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, ValueError) as error:
        if isinstance(error, UnreadableArchive):
            raise
        raise UnreadableArchive(f"{path.name} is no ZIP archive that can be read.") from error
    return _from(path, members, is_folder=False)


def _files_below(path: Path) -> list[tuple[str, int]]:
    found = []
    for file in path.rglob("*"):
        if file.is_symlink():
            raise UnreadableArchive(f"{path}: '{file.relative_to(path)}' is a link; a folder has to hold its files.")
        if file.is_file():
            found.append((file.relative_to(path).as_posix(), file.stat().st_size))
        if len(found) > MOST_MEMBERS:
            break
    return sorted(found)


def _from(path: Path, members: list[tuple[str, int]], *, is_folder: bool) -> Archive:
    names = [name for name, _ in members]
    if len(names) > MOST_MEMBERS:
        raise UnreadableArchive(f"{path.name} has more than {MOST_MEMBERS:,} files.")
    if strange := [name for name in names if not _is_plain(name)]:
        raise UnreadableArchive(f"{path.name}: '{strange[0][:80]}' is no name that a file of an archive may have.")
    if twice := sorted({name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else ()):
        raise UnreadableArchive(f"{path.name} has two files of the name '{twice[0]}'; which of them counts is open.")
    if sum(size for _, size in members) > MOST_BYTES:
        raise UnreadableArchive(f"{path.name} unpacks to more than {MOST_BYTES // 1024**3} GB.")
    top = _top_of(names)
    sizes = {name.removeprefix(top): size for name, size in members if name.startswith(top)}
    # What a program for archives puts beside the folder is not of the archive; everything else is.
    sizes |= {name: size for name, size in members if not name.startswith(top) and not name.startswith("__MACOSX/")}
    return Archive(path.name, path, sizes, top, is_folder)


def _is_plain(name: str) -> bool:
    parts = PurePosixPath(name).parts
    bad = name.startswith("/") or "\\" in name or ":" in name or not name.isprintable() or len(name) > MOST_NAME
    return bool(parts) and not bad and ".." not in parts


def _top_of(names: list[str]) -> str:
    """Return the folder, with a slash at its end, in which the archive lies; empty where it is at the top.

    >>> _top_of(["causes/manifest.json", "causes/reports/lmm-1/report.json"]), _top_of(["trials.csv", "manifest.json"])
    ('causes/', '')
    """
    tops = [name for name in names if PurePosixPath(name).name in TOPS and not name.startswith("__MACOSX/")]
    highest = min(tops, key=lambda name: (name.count("/"), TOPS.index(PurePosixPath(name).name)), default="")
    return highest.removesuffix(PurePosixPath(highest).name) if highest and highest.count("/") == 1 else ""

"""Check uploaded pictures, sounds, videos and ZIP archives; report all faults.

`read_files` runs in a separate process for uploads: it uses no database and writes nothing.
"""

from __future__ import annotations

import hashlib
import io
import unicodedata
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from PIL import Image

from experiments.formats.faults import Fault, listed
from experiments.media import kinds, pictures, sounds, videos
from experiments.media.kinds import Format, Kind
from experiments.media.refusals import UnusableFile, damaged
from experiments.sentences import Sentence

_TAKEN = Sentence(
    "pictures as PNG, JPEG, WebP and still GIF, sounds as WAV, MP3, Ogg and M4A, and videos as MP4 and WebM"
)
_PICTURES = {
    "PNG": pictures.read_png, "JPEG": pictures.read_jpeg, "GIF": pictures.read_gif, "WebP": pictures.read_webp,
}  # fmt: skip
_SOUNDS = {"WAV": sounds.read_wav, "MP3": sounds.read_mp3, "Ogg": sounds.read_ogg, "M4A": sounds.read_m4a}
_VIDEOS = {"MP4": videos.read_mp4, "WebM": videos.read_webm}
# Files that operating systems add to folders.
_LEFT_BEHIND = frozenset((".ds_store", "thumbs.db", "desktop.ini"))
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_MOST_FAULTS = 200


@dataclass(frozen=True)
class CheckedFile:
    """A picture, sound or video as it will be stored: `content_hash` is the SHA-256 of `data`, from which metadata are
    removed.
    """

    name: str
    kind: Kind
    extension: str
    content_hash: str
    data: bytes = field(repr=False)
    width: int | None = None
    height: int | None = None
    duration_ms: int | None = None
    has_sound: bool = False
    licence: str = ""


@dataclass(frozen=True)
class CheckedFiles:
    """The uploaded files, the faults that prevent storing them, and warnings."""

    files: tuple[CheckedFile, ...]
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()


def read_files(uploads: Sequence[tuple[str, bytes]]) -> CheckedFiles:
    """Check uploads given as (name, bytes); a ZIP archive is replaced by the files in it."""
    faults: list[Fault] = []
    found: list[CheckedFile] = []
    said: list[Fault] = []
    size = 0
    for path, data in _unpacked(uploads, faults):
        size += len(data)
        if size > kinds.MAX_UPLOAD_BYTES or len(found) >= kinds.MAX_FILES:
            faults.append(
                Fault(
                    message=Sentence(
                        "There are more than {limit} files, or they have more than {megabytes} MB together.",
                        limit=kinds.MAX_FILES,
                        megabytes=kinds.MAX_UPLOAD_BYTES // 1024**2,
                    ),
                    suggestion=Sentence("Upload only some of them at a time."),
                    step="materials",
                )
            )
            break
        try:
            name = file_name(path)
            file = checked_file(name, data)
        except UnusableFile as refusal:
            faults.append(_fault(path, refusal.message, refusal.suggestion))
            continue
        found.append(file)
        said += _warnings_of(file)
    faults += same_name_faults([file.name for file in found])
    said += same_content_warnings(found)
    if not found and not faults:
        faults.append(
            Fault(
                message=Sentence("It contains no file."),
                suggestion=Sentence("Possible files: {kinds}.", kinds=_TAKEN),
                step="materials",
            )
        )
    return CheckedFiles(tuple(found), tuple(faults[:_MOST_FAULTS]), tuple(said[:_MOST_FAULTS]))


def checked_file(name: str, data: bytes) -> CheckedFile:
    """Check one file and remove its metadata. Raises UnusableFile."""
    known = kinds.format_of(data)
    if known is None:
        raise _unknown(data)
    if known is kinds.M4A and videos.is_film(data):
        known = kinds.MP4
    if len(data) > known.most_bytes:
        raise UnusableFile(
            Sentence(
                "has {size:.1f} MB; at most {limit} MB are possible.",
                size=len(data) / 1024**2,
                limit=known.most_bytes // 1024**2,
            ),
            Sentence("Make it smaller, because participants wait for every megabyte."),
        )
    facts = CheckedFile(name, known.kind, known.extension, "", b"")
    if known.kind == "image":
        picture = _PICTURES[known.name](data)
        _check_sides(picture.width, picture.height, kinds.MAX_SIDE)
        _decode(picture.data, known)
        facts = replace(facts, data=picture.data, width=picture.width, height=picture.height)
    elif known.kind == "video":
        video = _VIDEOS[known.name](data)
        _check_sides(video.width, video.height, kinds.MAX_VIDEO_SIDE)
        if not 0 < video.duration_ms <= kinds.MAX_VIDEO_MS:
            raise UnusableFile(
                Sentence(
                    "lasts {seconds:g} s; a video may last from 1 ms to {minutes} minutes.",
                    seconds=video.duration_ms / 1000,
                    minutes=kinds.MAX_VIDEO_MS // 60000,
                )
            )
        facts = replace(
            facts,
            data=video.data,
            width=video.width,
            height=video.height,
            duration_ms=video.duration_ms,
            has_sound=video.has_sound,
        )
    else:
        sound = _SOUNDS[known.name](data)
        if not 0 < sound.duration_ms <= kinds.MAX_SOUND_MS:
            raise UnusableFile(
                Sentence(
                    "lasts {seconds:g} s; a sound may last from 1 ms to {minutes} minutes.",
                    seconds=sound.duration_ms / 1000,
                    minutes=kinds.MAX_SOUND_MS // 60000,
                )
            )
        facts = replace(facts, data=sound.data, duration_ms=sound.duration_ms)
    return replace(facts, content_hash=hashlib.sha256(facts.data).hexdigest())


def _check_sides(width: int, height: int, most: int) -> None:
    if not (0 < width <= most and 0 < height <= most):
        raise UnusableFile(
            Sentence(
                "is {width} × {height} pixels; a side may have 1 to {limit}.",
                width=width,
                height=height,
                limit=most,
            ),
            Sentence("Scale it to the size at which it will be shown."),
        )


def _decode(data: bytes, known: Format) -> None:
    """Decode the picture once: a picture that cannot be decoded would block participants."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(io.BytesIO(data), formats=[known.name.upper()]) as picture:
                picture.load()
    except (OSError, SyntaxError, ValueError, IndexError, EOFError, Warning, Image.DecompressionBombError) as error:
        raise damaged() from error


def _unknown(data: bytes) -> UnusableFile:
    begin = data[:512].lstrip().lower()
    if begin.startswith((b"<svg", b"<?xml", b"<!doctype svg")):
        return UnusableFile(Sentence("is an SVG file, which can contain programs."), Sentence("Save it as PNG."))
    if data.startswith(_ZIP):
        return UnusableFile(
            Sentence("is an archive inside an archive."), Sentence("Unpack it, and put its files into one archive.")
        )
    return UnusableFile(
        Sentence("is not a picture, sound or video that the platform can use."),
        Sentence("Possible files: {kinds}.", kinds=_TAKEN),
    )


def file_name(path: str) -> str:
    """Return the name by which materials refer to a file: the last part of its path.

    Raises UnusableFile for a name that cannot be written in a table.

    >>> file_name("pictures/../Dog.png"), file_name("C:\\\\My pictures\\\\dog.png")
    ('Dog.png', 'dog.png')
    """
    name = unicodedata.normalize("NFC", PurePosixPath(path.replace("\\", "/")).name).strip()
    if not name or name in (".", "..") or any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        raise UnusableFile(
            Sentence("has a name that the platform cannot use."),
            Sentence("Use letters, digits, hyphens and one point."),
        )
    if len(name) > kinds.MAX_NAME:
        raise UnusableFile(
            Sentence("has a name of more than {limit} characters.", limit=kinds.MAX_NAME), Sentence("Shorten it.")
        )
    return name


def same_name_faults(names: Sequence[str]) -> list[Fault]:
    """Return a fault for every group of names that are equal or differ only in case."""
    by_folded: dict[str, list[str]] = {}
    for name in names:
        by_folded.setdefault(name.casefold(), []).append(name)
    faults = []
    for same in by_folded.values():
        if len(same) < 2:
            continue
        message = (
            Sentence("{n} files have the name '{name}'.", n=len(same), name=same[0])
            if len(set(same)) == 1
            else Sentence("{names} differ only in capital letters.", names=listed(same))
        )
        faults.append(
            Fault(message=message, suggestion=Sentence("Give every file a different name."), step="materials")
        )
    return faults


def same_content_warnings(files: Sequence[CheckedFile]) -> list[Fault]:
    """Return a warning for every content with several names."""
    by_hash: dict[str, list[str]] = {}
    for file in files:
        by_hash.setdefault(file.content_hash, []).append(file.name)
    return [
        Fault(message=Sentence("{names} are the same file.", names=listed(names)), step="materials")
        for names in by_hash.values()
        if len(set(names)) > 1
    ]


def _warnings_of(file: CheckedFile) -> list[Fault]:
    meant = kinds.ENDINGS.get(file.name.rpartition(".")[2].casefold())
    actual = kinds.BY_EXTENSION[file.extension]
    # M4A is MP4 without pictures, and often has its ending.
    if meant == actual or (meant, actual) == (kinds.MP4, kinds.M4A):
        return []
    return [
        _fault(
            file.name,
            Sentence("is {format}, although its name says something else. It is used as {format}.", format=actual.name),
        )
    ]


def _fault(name: str, message: str, suggestion: str = "") -> Fault:
    shown = "".join(character if character.isprintable() else "�" for character in name[-kinds.MAX_NAME :])
    return Fault(message=Sentence("'{name}' {said}", name=shown, said=message), suggestion=suggestion, step="materials")


def _unpacked(uploads: Sequence[tuple[str, bytes]], faults: list[Fault]) -> Iterator[tuple[str, bytes]]:
    for name, data in uploads:
        if not data.startswith(_ZIP):
            yield name, data
            continue
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                yield from _members(archive)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError, zlib.error):
            faults.append(
                _fault(
                    name,
                    Sentence("is not a ZIP archive, or is damaged."),
                    Sentence("Make it again, without a password."),
                )
            )


def _members(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    for member in archive.infolist():
        parts = PurePosixPath(member.filename.replace("\\", "/")).parts
        if member.is_dir() or not parts or "__MACOSX" in parts or parts[-1].casefold() in _LEFT_BEHIND:
            continue
        with archive.open(member) as file:
            # The declared size of a member may be wrong; the size of the unpacked data is not.
            yield member.filename, file.read(kinds.MAX_SOUND_BYTES + 1)

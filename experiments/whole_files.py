"""Write files atomically: complete or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class NotWritten(Exception):
    """A file could not be written; the sentence names it and says why."""


def write_whole(path: Path, pieces: bytes | str | Iterable[bytes]) -> int:
    """Write a file, and the folders above it where they are missing; return its size in bytes.

    What had the name before stays until the new file is whole. A device or a pipe, such as /dev/stdout, is written to
    directly. Raises NotWritten; whatever the pieces raise while they are made is passed on. Nothing of the file is
    left then.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "new", "trials.csv"), "rating\\n5\\n")
    9
    """
    if isinstance(pieces, str):
        pieces = pieces.encode("utf-8")
    with _refusing(path):
        # A device is never replaced by a file, nor what /dev/stdout leads to; any other link stays one.
        is_plain = (path.is_file() or not path.exists()) and not path.is_relative_to("/dev")
        target = path.resolve() if is_plain else path
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.partial") if is_plain else target
        file = part.open("wb")
    size = 0
    try:
        for piece in [pieces] if isinstance(pieces, bytes) else pieces:
            with _refusing(path):
                size += file.write(piece)
        with _refusing(path):
            file.close()
            if is_plain:
                part.replace(target)
    except BaseException:
        with suppress(OSError):
            file.close()
        if is_plain:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        raise
    return size


def keep_apart(*, read: Iterable[Path], written: Iterable[Path]) -> None:
    """Raise NotWritten where a file would be written over one that is read.

    >>> keep_apart(read=[Path("results.csv")], written=[Path("trials.csv")])
    """
    given = {path.resolve() for path in read}
    for path in written:
        if path.resolve() in given:
            raise NotWritten(f"{path} would be written over a file that is read. Give --out another name.")


def delete_below(folder: Path, paths: Iterable[str]) -> None:
    """Delete files of a folder by their paths in it, and the folders that are empty then; nothing outside of it.

    Raises NotWritten.
    """
    top = folder.resolve()
    for path in paths:
        file = (top / path).resolve()
        if not file.is_file() or not file.is_relative_to(top):
            continue
        try:
            file.unlink()
            for above in file.parents:
                if above == top or any(above.iterdir()):
                    break
                above.rmdir()
        except OSError as error:
            raise NotWritten(f"{file} was written before and cannot be deleted: {error.strerror or error}.") from error


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise NotWritten(f"{path} cannot be written: {error.strerror or error}.") from error

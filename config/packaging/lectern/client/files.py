"""Files: those that are sent, with their media types, and those that the platform gives, streamed and saved whole."""

from __future__ import annotations

import http.client
import io
import json
import os
import re
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .problems import Problem, not_usable
from .sending import TRIES, Answer
from .tables import table_of_csv

# What somebody gives as a file: its path, or its bytes.
File = str | os.PathLike[str] | bytes
IN_MEMORY = 8 * 1024 * 1024
ZIP, FORM, OCTETS = "application/zip", "multipart/form-data", "application/octet-stream"
TYPES = {
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".zip": ZIP,
}


class Download:
    """A file of the platform: `save` writes it to disk while it comes, `table`, `json` and `read` hold it in memory.

    `name` is what the platform calls it, `content_type` its media type, and `cursor` what to send as `since` for what
    ends after this export; empty for all other files. It comes once, and again only if the connection breaks.
    """

    def __init__(self, ask: Callable[[], Answer], broken: Callable[[Exception], Problem]) -> None:
        self._ask, self._broken = ask, broken
        self._answer: Answer | None = ask()
        self._note(self._answer)

    def _note(self, answer: Answer) -> None:
        headers = answer.headers
        named = re.search(r'filename="([^"]*)"', headers.get("Content-Disposition") or "")
        self.name = Path((named[1] if named else "").replace("\\", "/")).name.lstrip(".") or "download"
        self.content_type: str = headers.get("Content-Type") or OCTETS
        self.cursor: str = headers.get("Lectern-Cursor") or ""

    def __iter__(self) -> Iterator[bytes]:
        """Yield the file in pieces as they come. Raises Problem where the connection breaks: what came is not whole."""
        answer = self._answer or self._ask()
        self._answer = None
        self._note(answer)
        try:
            yield from answer.pieces()
        except (OSError, http.client.HTTPException) as broken:
            raise self._broken(broken) from broken

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the file to a path, or into a folder under its own name, whole or not at all; return where it is."""
        target = Path(path) / self.name if Path(path).is_dir() else Path(path)
        try:
            return self._saved(target)
        except OSError as lost:
            raise Problem("not-usable", f"{target} cannot be written: {lost.strerror or lost}.") from lost

    def _saved(self, target: Path) -> Path:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                self._whole(file)
            # As a file that a program writes, and not for its owner alone.
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        return target

    def read(self) -> bytes:
        """Return the whole file."""
        file = io.BytesIO()
        self._whole(file)
        return file.getvalue()

    def table(self) -> Any:
        """Return a CSV file as a data frame of pandas, or as a list of dicts of texts without it."""
        if not self.content_type.startswith("text/csv"):
            raise not_usable(f"{self.name} is not a table but {self.content_type}; use save() or read().")
        with tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
            self._whole(file)
            file.seek(0)
            return table_of_csv(file)

    def json(self) -> Any:
        """Return a JSON file as Python values."""
        if not self.content_type.startswith("application/json"):
            raise not_usable(f"{self.name} is not JSON but {self.content_type}; use save() or read().")
        return json.loads(self.read())

    def _whole(self, file: Any) -> None:
        for attempt in range(1, TRIES + 1):
            try:
                for piece in self:
                    file.write(piece)
            except Problem as problem:
                if problem.code != "no-connection" or attempt == TRIES:
                    raise
                file.seek(0)
                file.truncate()
            else:
                return


def opened(file: File) -> Callable[[], tuple[Any, int]]:
    """Return what opens a file for each attempt to send it. Raises Problem where it cannot be read."""
    if isinstance(file, bytes):
        return lambda: (file, len(file))
    path = Path(file)
    _beginning(file)
    return lambda: (path.open("rb"), path.stat().st_size)


def content_type_of(file: File, given: str | None, taken: tuple[str, ...]) -> str:
    """Return the media type of a file that is sent. Raises Problem where neither its name nor its content tells it."""
    if given is not None:
        return given
    ending = "" if isinstance(file, bytes) else Path(file).suffix.lower()
    told = TYPES.get(ending) or (ZIP if _beginning(file).startswith(b"PK") and ZIP in taken else OCTETS)
    if told in taken:
        return told
    if OCTETS in taken:
        return OCTETS
    if len(taken) == 1:
        return taken[0]
    if isinstance(file, bytes) and "text/csv" in taken:
        return "text/csv"
    raise not_usable(f"{file!r} is none of {', '.join(taken)}; say which in content_type.")


def form_of(texts: Mapping[str, Any], files: Mapping[str, File]) -> tuple[bytes, str]:
    """Return a form as the bytes that are sent, and its media type with the boundary."""
    boundary = uuid.uuid4().hex
    parts = []
    for name, value in texts.items():
        text = {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
        parts.append((f'name="{name}"', text.encode()))
    for name, file in files.items():
        filename = "study.toml" if isinstance(file, bytes) else re.sub(r'[\r\n"\\]', "_", Path(file).name)
        parts.append((f'name="{name}"; filename="{filename}"', _content(file)))
    lines = b"".join(
        f"--{boundary}\r\nContent-Disposition: form-data; {what}\r\n\r\n".encode() + content + b"\r\n"
        for what, content in parts
    )
    return lines + f"--{boundary}--\r\n".encode(), f"{FORM}; boundary={boundary}"


def is_archive(file: File) -> bool:
    """Return whether a file is a ZIP archive."""
    return _beginning(file).startswith(b"PK")


def _content(file: File) -> bytes:
    if isinstance(file, bytes):
        return file
    try:
        return Path(file).read_bytes()
    except OSError as lost:
        raise not_usable(f"{os.fspath(file)} cannot be read: {lost.strerror}.") from None


def _beginning(file: File) -> bytes:
    if isinstance(file, bytes):
        return file[:4]
    try:
        with Path(file).open("rb") as opened_file:
            return opened_file.read(4)
    except OSError as lost:
        raise not_usable(f"{os.fspath(file)} cannot be read: {lost.strerror}.") from None

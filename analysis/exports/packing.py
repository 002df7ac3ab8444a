"""Pack files: JSON as bytes, and ZIP archives that are made while they are read."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator

# The earliest time that a ZIP archive can hold: the same data give the same bytes whenever they are exported.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)


def json_bytes(value: object) -> bytes:
    """Return a value as the JSON of an export: UTF-8, indented, with a line break at its end."""
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8")


def zip_pieces(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """Yield a ZIP archive in pieces while its files are made: the same files give the same bytes."""
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, pieces in files:
            entry = zipfile.ZipInfo(path, date_time=ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with archive.open(entry, "w", force_zip64=True) as target:
                for piece in pieces:
                    target.write(piece)
                    if passed := outlet.taken():
                        yield passed
    yield outlet.taken()


class _Outlet(io.RawIOBase):
    """Where `zipfile` writes to: it cannot seek, so sizes follow each file, and what was written can be taken away."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.written += data
        return len(data)

    def taken(self) -> bytes:
        content = bytes(self.written)
        self.written.clear()
        return content

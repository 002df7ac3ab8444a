"""Write and read backup files: a compressed tar of manifest, database and media, encrypted if a key is given."""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
import os
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from participants.backups import databases, keys
from participants.backups.fingerprints import fingerprints
from participants.backups.refusals import BackupRefusal
from participants.erasure import journal

FORMAT = 1
MANIFEST = "manifest.json"
MEDIA = "media"
_COMPRESSION = 3
# Errors of the disk, not of the backup.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


@dataclass(frozen=True)
class Unpacked:
    """An unpacked backup whose database matches the digest in its manifest."""

    manifest: dict[str, Any]
    database: Path
    media: Path


def write(out: Path, *, public_key: str = "") -> int:
    """Write a backup and return its size in bytes. Raises BackupRefusal; an incomplete file never gets the final name.

    The database is copied first, so that every file named in its rows already exists.
    """
    if out.exists():
        raise _taken(out)
    if not out.parent.is_dir():
        raise BackupRefusal(f"The folder {out.parent} does not exist; nothing was written.")
    try:
        journal.complete_file()
    except journal.DamagedJournal as fault:
        raise BackupRefusal(f"{fault} Nothing was written.") from fault
    # In the folder of the backup, where there is space, and readable only by the owner.
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".backup-") as folder:
        copy = databases.copy_to(Path(folder))
        manifest = Path(folder) / MANIFEST
        manifest.write_text(json.dumps(_manifest(copy), indent=1), encoding="utf-8")
        part = Path(folder) / "part"
        with open(part, "wb", opener=_private) as target:
            if public_key:
                keys.encrypt(lambda plain: _pack(plain, manifest, copy), target, public_key=public_key)
            else:
                _pack(target, manifest, copy)
            target.flush()
            os.fsync(target.fileno())
        _name(part, out)
    return out.stat().st_size


@contextmanager
def opened(path: Path, *, key_file: Path | None, beside: Path) -> Iterator[Unpacked]:
    """Unpack a backup into a temporary folder. Raises BackupRefusal if it is missing or damaged or the disk is full."""
    if not path.is_file():
        raise BackupRefusal(f"There is no file {path}.")
    with tempfile.TemporaryDirectory(dir=beside, prefix=".restore-") as name:
        folder = Path(name)
        try:
            packed = path
            if keys.is_encrypted(path):
                packed = folder / "plain"
                keys.decrypt(path, packed, key_file=key_file)
            with tarfile.open(packed, "r:gz") as archive:
                archive.extractall(folder / "content", filter="data")
            manifest = json.loads((folder / "content" / MANIFEST).read_text(encoding="utf-8"))
            database = folder / "content" / manifest["database"]
            is_whole = _digest(database) == manifest["sha256"]
        except (tarfile.TarError, zlib.error, OSError, EOFError, ValueError, KeyError) as fault:
            if isinstance(fault, OSError) and fault.errno in _NO_ROOM:
                raise BackupRefusal(
                    f"The backup could not be unpacked in {beside}: {fault.strerror}. That says nothing about the "
                    "backup. Make room there, or name another folder by VAR_DIR, and restore again. Nothing was "
                    "changed."
                ) from fault
            raise BackupRefusal(f"{path} is not a backup of this platform, or it is damaged ({fault}).") from fault
        if manifest["format"] != FORMAT or not is_whole:
            raise BackupRefusal(f"The database in {path} is not what the manifest says; the backup is damaged.")
        yield Unpacked(manifest, database, folder / "content" / MEDIA)


def _name(part: Path, out: Path) -> None:
    """Give a finished backup its name, unless another one took it meanwhile. Raises BackupRefusal."""
    try:
        os.link(part, out)
    except FileExistsError as there:
        raise _taken(out) from there
    except OSError:
        # A file system without hard links, such as that of a memory stick.
        if out.exists():
            raise _taken(out) from None
        part.replace(out)


def _taken(out: Path) -> BackupRefusal:
    return BackupRefusal(f"{out} exists already. Give every backup a name of its own; nothing was written.")


def media_folder() -> Path | None:
    """Return the folder of uploaded media, or None where the platform has none."""
    return Path(settings.MEDIA_ROOT) if settings.MEDIA_ROOT else None


def _manifest(copy: Path) -> dict[str, Any]:
    applied = MigrationRecorder(connection).applied_migrations()
    return {
        "format": FORMAT,
        "made_at": timezone.now().isoformat(),
        "version": settings.CODE_VERSION,
        "engine": connection.vendor,
        "database": copy.name,
        "sha256": _digest(copy),
        "migrations": sorted(f"{app}.{name}" for app, name in applied),
        # Never the keys themselves: they are kept apart from the data.
        "keys": fingerprints(),
    }


def _pack(target: BinaryIO, manifest: Path, copy: Path) -> None:
    with (
        gzip.GzipFile(fileobj=target, mode="wb", compresslevel=_COMPRESSION) as compressed,
        tarfile.open(fileobj=compressed, mode="w|") as archive,
    ):
        archive.add(manifest, arcname=MANIFEST)
        archive.add(copy, arcname=copy.name)
        media = media_folder()
        if media is not None and media.is_dir():
            archive.add(media, arcname=MEDIA)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)

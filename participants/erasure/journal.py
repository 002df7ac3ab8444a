"""Journal of erasures as digests, so that erasures can be repeated after restoring an older backup.

The digests are in the database and, in case the database is lost, in a file next to it. They identify nobody: a digest
can only be matched with the erased rows themselves, for example in a backup.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from participants.erasure.traces import clear_log
from participants.models import Erasure, Participant, Session

logger = logging.getLogger(__name__)
_ROWS = 500
# The start of every line that `Entry.line` writes.
_BEGIN = '{"digest"'


@dataclass(frozen=True)
class Entry:
    """One line of the journal."""

    digest: str
    kind: str
    at: datetime

    def line(self) -> str:
        return json.dumps({"digest": self.digest, "kind": self.kind, "at": self.at.astimezone(UTC).isoformat()}) + "\n"


class DamagedJournal(ValueError):
    """A line of the journal cannot be read. The message says which, and what to do."""

    def __init__(self, number: int, path: Path) -> None:
        super().__init__(
            f"Line {number} of the journal {path} cannot be read. Keep a copy of the file, then take this line out or "
            "put it right from an older copy: each line is one entry in braces. Whom a line that is lost names is "
            "erased again after a restore only by hand; on a platform that still runs, the next backup adds the line."
        )


def digest_of(participant: Participant, seeds: Iterable[int]) -> str:
    """Return the digest of a participant, computed from values that only the database and its backups contain.

    Primary keys are unsuitable: after a restore the database assigns them to other participants.
    """
    made = participant.created_at.astimezone(UTC).isoformat()
    return hashlib.sha256(f"{participant.pseudonym}|{made}|{sorted(seeds)}".encode()).hexdigest()


def digests(participants: Iterable[Participant]) -> Iterator[tuple[Participant, str]]:
    """Return every participant with their digest."""
    together: list[Participant] = []
    for participant in participants.iterator(_ROWS) if isinstance(participants, QuerySet) else participants:
        together.append(participant)
        if len(together) == _ROWS:
            yield from _with_digests(together)
            together = []
    yield from _with_digests(together)


def _with_digests(participants: list[Participant]) -> Iterator[tuple[Participant, str]]:
    seeds: dict[int, list[int]] = {}
    rows = Session.objects.filter(participant__in=[participant.pk for participant in participants])
    for participant_id, seed in rows.values_list("participant_id", "seed"):
        seeds.setdefault(participant_id, []).append(seed)
    for participant in participants:
        yield participant, digest_of(participant, seeds.get(participant.pk, []))


def remember(participants: Iterable[Participant], *, kind: Erasure.Kind) -> None:
    """Record, in the caller's transaction, whose data are about to be erased; the file is written after the commit."""
    now = timezone.now()
    rows = [Erasure(digest=digest, kind=kind, at=now) for _participant, digest in digests(participants)]
    if rows:
        Erasure.objects.bulk_create(rows, ignore_conflicts=True)
        entries = [Entry(row.digest, row.kind, row.at) for row in rows]
        transaction.on_commit(lambda: _after_commit(entries))


def _after_commit(entries: list[Entry]) -> None:
    try:
        append(entries)
    except OSError:
        # The database has the entries too; the next backup completes the file.
        logger.exception("The journal of erasures %s could not be written", settings.ERASURE_JOURNAL)
    clear_log()


def append(entries: Iterable[Entry]) -> None:
    """Add lines to the journal's file and return once they are on the disk. Raises OSError."""
    text = "".join(entry.line() for entry in entries)
    path = Path(settings.ERASURE_JOURNAL)
    path.parent.mkdir(parents=True, exist_ok=True)
    # One write at the end of the file: several processes may add at the same time.
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        size = os.fstat(file).st_size
        # A line torn by a power failure remains separate; blank lines between complete ones are harmless.
        os.lseek(file, max(0, size - 1), os.SEEK_SET)
        torn = size > 0 and os.read(file, 1) != b"\n"
        os.write(file, (f"\n{text}" if torn else text).encode())
        os.fsync(file)
    finally:
        os.close(file)


def complete_file() -> int:
    """Append entries of the database that the journal's file lacks; return the number of added lines."""
    if Erasure._meta.db_table not in connection.introspection.table_names():
        return 0  # a database of the version before, backed up before it is upgraded
    path = Path(settings.ERASURE_JOURNAL)
    known = {(entry.digest, entry.kind) for entry in read(path)} if path.exists() else set()
    missing = [
        Entry(digest, kind, at)
        for digest, kind, at in Erasure.objects.values_list("digest", "kind", "at")
        if (digest, kind) not in known
    ]
    if missing:
        append(missing)
    return len(missing)


def read(path: Path) -> list[Entry]:
    """Return the entries of a journal. Raises OSError and DamagedJournal.

    A line torn by a power failure is skipped with a warning: its withdrawal may not have been committed either, and if
    it was, the next backup adds its line again. A complete entry after a torn one on the same line is read.
    """
    entries = []
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").split("\n"), start=1):
        torn, *written = line.replace("\x00", "").strip().split(_BEGIN)
        if torn and not _BEGIN.startswith(torn):
            raise DamagedJournal(number, path)
        for rest in written:
            if "}" not in rest:
                torn = rest
                continue
            try:
                given = json.loads(_BEGIN + rest)
                entries.append(Entry(given["digest"], Erasure.Kind(given["kind"]), datetime.fromisoformat(given["at"])))
            except (ValueError, KeyError, TypeError) as fault:
                raise DamagedJournal(number, path) from fault
        if torn:
            logger.warning("Line %d of %s holds an entry that is not whole, which was left out", number, path)
    return entries

"""Bring a draft to what it has to be, from wherever an earlier attempt was cut off.

Every step asks first what is there: whether the draft was made, whether it has its DOI, which files are in it whole.
What is acknowledged is written down at once, so that the next attempt goes on from there.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from analysis.archives.life import archive_files
from analysis.computing.outcomes import Outcome
from analysis.deposits.archive import Archive, Draft, Later, Local, Refused
from analysis.deposits.clients import client_of, rules_of
from analysis.deposits.packing import arranged, hashes_of, write_packets
from analysis.deposits.reaching import NotReached
from analysis.methods.declarations import Progress
from analysis.methods.report import Cancelled
from analysis.models import Deposit, DepositFile
from experiments.sentences import Sentence
from experiments.whole_files import write_whole

# What a deposit says while its draft is being made.
MAKING = "The draft is being made."


def folder_of(deposit_id: int) -> Path:
    """Return the folder of the files of a deposit, which are uploaded as they are there."""
    return settings.DEPOSITS_ROOT / str(deposit_id)


class Held:
    """A deposit as long as this attempt holds it; whatever is written of it is written under that condition."""

    def __init__(self, deposit: Deposit, attempt: int) -> None:
        self.deposit = deposit
        self.rows = Deposit.objects.filter(pk=deposit.pk, status=Deposit.Status.RUNNING, attempts=attempt)

    def note(self, **values: Any) -> None:
        """Write values down. Raises Cancelled where the deposit is no longer held."""
        if not self.rows.update(heartbeat_at=timezone.now(), **values):
            raise Cancelled
        for name, value in values.items():
            setattr(self.deposit, name, value)


def filled(deposit_id: int, attempt: int, progress: Progress) -> Outcome:
    """Make and fill the draft of a deposit.

    The outcome is `done`, `deleted` where the draft was to be deleted, `later` with `error` and `seconds`, or `refused`
    with `error`.
    """
    deposit = Deposit.objects.select_related("study", "created_by").get(pk=deposit_id)
    held = Held(deposit, attempt)
    try:
        archive = client_of(deposit)
        if deposit.is_to_be_deleted:
            return _deleted(deposit, archive)
        draft = _draft(held, archive)
        local = _prepared(held, archive, progress)
        archive.describe(draft, str(deposit.key), deposit.metadata)
        _upload(held, archive, draft, local, progress)
        _check(archive, draft, local)
    except Later as reason:
        return {"kind": "later", "error": str(reason), "seconds": reason.seconds}
    except NotReached:
        return {"kind": "later", "error": "The answer of the archive was not whole.", "seconds": None}
    except Refused as reason:
        return {"kind": "refused", "error": str(reason)}
    except OSError as fault:
        return {"kind": "later", "error": f"The files could not be read or written: {fault.strerror}.", "seconds": None}
    return {"kind": "done"}


def _deleted(deposit: Deposit, archive: Archive) -> Outcome:
    draft = Draft(deposit.draft, deposit.doi, deposit.address) if deposit.draft else archive.find(str(deposit.key))
    if draft is not None:
        archive.discard(draft)
    return {"kind": "deleted"}


def _draft(held: Held, archive: Archive) -> Draft:
    """Return the draft with its DOI: the one that is known, the one that an earlier attempt made, or a new one."""
    deposit = held.deposit
    if not deposit.draft:
        key = str(deposit.key)
        draft = archive.find(key)
        if draft is None and deposit.progress_note == MAKING:
            # An earlier attempt may have made one, and the search of an archive may be some seconds behind.
            held.note(progress_note="")
            raise Later(Sentence("The archive did not say whether it made the draft."))
        if draft is None:
            held.note(progress_note=MAKING)
            draft = archive.create(key, deposit.metadata)
        held.note(progress_note="", draft=draft.number, doi=draft.doi, address=draft.address)
    if not deposit.doi and archive.reserves_doi:
        held.note(doi=archive.reserve(Draft(deposit.draft, "", deposit.address)))
    return Draft(deposit.draft, deposit.doi, deposit.address)


def _prepared(held: Held, archive: Archive, progress: Progress) -> list[Local]:
    """Return the files that have to be in the draft; they are made once, and stay the same at every attempt."""
    deposit, folder = held.deposit, folder_of(held.deposit.pk)
    rows = list(deposit.files.all())
    if not rows or not all((folder / row.name).is_file() for row in rows):
        rows = _made(held, archive, folder, progress)
    return [Local(row.name, folder / row.name, row.size, row.md5) for row in rows]


def _made(held: Held, archive: Archive, folder: Path, progress: Progress) -> list[DepositFile]:
    deposit = held.deposit
    if deposit.created_by is None:
        raise Refused(Sentence("The account of the person who began this deposit is gone. Begin another one."))
    partial = folder.with_name(f"{deposit.pk}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    source, target = partial / "export", partial / "upload"
    files = []
    for path, pieces in archive_files(deposit.study, deposit.created_by, layout=deposit.layout, variant="plain"):
        progress(0.0, path)
        files.append((path, write_whole(source / path, pieces)))
    target.mkdir(parents=True)
    packets = arranged(files, rules_of(deposit.archive))
    write_packets(packets, source, target)
    rows = []
    for packet in packets:
        size, md5, sha256 = hashes_of(target / packet.name)
        rows.append(DepositFile(deposit=deposit, name=packet.name, size=size, md5=md5, sha256=sha256))
    shutil.rmtree(folder, ignore_errors=True)
    target.rename(folder)
    shutil.rmtree(partial, ignore_errors=True)
    with transaction.atomic():
        held.note(failures=0, is_outdated=False)
        deposit.files.all().delete()
        DepositFile.objects.bulk_create(rows)
    return list(deposit.files.all())


def _upload(held: Held, archive: Archive, draft: Draft, local: Sequence[Local], progress: Progress) -> None:
    """Bring every file into the draft, and take out whatever is not one of them."""
    there = {one.name: one for one in archive.stored(draft)}
    wanted = {one.name: one for one in local}
    for name, stored in there.items():
        if name not in wanted or (stored.is_whole and not stored.equals(wanted[name])):
            archive.remove(draft, stored)
    total = sum(one.size for one in local) or 1
    before = 0
    for number, one in enumerate(local, 1):
        found = there.get(one.name)
        row = held.deposit.files.filter(name=one.name)

        def tell(sent: int, *, before: int = before, one: Local = one, row: Any = row, number: int = number) -> None:
            share = min((before + sent) / total, 1.0)
            held.note(progress=share, progress_note=f"{number} / {len(local)}: {one.name}"[:200], failures=0)
            row.update(sent=sent)
            progress(share, f"{number} / {len(local)}: {one.name}")

        if found is None or not found.equals(one):
            unfinished = found if found is not None and not found.is_whole else None
            sent = row.values_list("sent", flat=True).get() if unfinished is not None else 0
            archive.upload(draft, one, before=unfinished, sent=sent, tell=tell)
        tell(one.size)
        row.update(is_stored=True)
        before += one.size


def _check(archive: Archive, draft: Draft, local: Sequence[Local]) -> None:
    """Read the draft back. Raises Later where it does not hold every file once, as a whole, and nothing else."""
    there = list(archive.stored(draft))
    wanted = {one.name: one for one in local}
    same = len(there) == len(wanted) and all(one.name in wanted and one.equals(wanted[one.name]) for one in there)
    if not same:
        raise Later(Sentence("The archive does not show all files as they were uploaded."))

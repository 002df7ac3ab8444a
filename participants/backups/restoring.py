"""Restore a backup into an empty installation, repeat later erasures, and check the data."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader

from experiments.models import Study
from participants.backups import archive, databases
from participants.backups.fingerprints import SEALS, other_keys
from participants.backups.refusals import BackupRefusal
from participants.erasure import journal
from participants.erasure.identities import forget_submissions
from participants.erasure.withdrawal import erase
from participants.models import Erasure, Participant, RecruitmentIdentity, Tombstone
from participants.recruiting.storing import hold_after_restore
from participants.watching.invariants import SEALED, violations

OWN_APPS = ("experiments", "participants", "analysis", "accounts")


@dataclass(frozen=True)
class Restored:
    """The result of a restore; `faults` has the sentences of every study whose data violate an invariant."""

    made_at: str
    studies: int
    participants: int
    erased_again: int
    has_journal: bool
    has_fingerprints: bool
    lost_keys: list[str]
    second_factors_lost: int
    faults: dict[str, list[str]]


def restore(
    path: Path, *, key_file: Path | None = None, journal_file: Path | None = None, accept_lost_keys: bool = False
) -> Restored:
    """Restore a backup. Raises BackupRefusal, before anything is changed, if the installation is not empty or its keys
    are not those with which the backup was made.

    `journal_file` is the journal of erasures that is newer than the backup; by default the platform's own, if there.
    With `accept_lost_keys` what other keys sealed is restored unreadable and is no fault; second factors are removed.
    """
    media = archive.media_folder()
    if not databases.is_empty():
        raise BackupRefusal(
            "The database is not empty. A backup is put back into an empty place only: name another one by "
            "DATABASE_URL, or move the present one away. Nothing was changed."
        )
    if media is not None and media.is_dir() and any(media.iterdir()):
        raise BackupRefusal(f"The folder of media {media} is not empty. Move it away first. Nothing was changed.")
    entries = _entries(journal_file)
    with archive.opened(path, key_file=key_file, beside=settings.VAR_DIR) as backup:
        _check_origin(backup)
        lost_keys = other_keys(backup.manifest.get("keys", {}))
        if lost_keys and not accept_lost_keys:
            raise _other_keys(lost_keys)
        _put_back(backup, media)
    try:
        call_command("migrate", interactive=False, verbosity=0)
        erased_again = erase_again(entries)
        hold_after_restore()
    except (DatabaseError, OSError) as fault:
        raise BackupRefusal(
            f"The backup was put back, but who withdrew after it is there again ({fault}). Empty the place, make room "
            "and restore once more."
        ) from fault
    return Restored(
        made_at=backup.manifest["made_at"],
        studies=Study.objects.count(),
        participants=Participant.objects.count(),
        erased_again=erased_again,
        has_journal=(journal_file or Path(settings.ERASURE_JOURNAL)).exists(),
        has_fingerprints="keys" in backup.manifest,
        lost_keys=lost_keys,
        second_factors_lost=_second_factors_lost(remove=accept_lost_keys),
        faults={
            study.slug: [
                sentence
                for name, sentences in violations(study).items()
                if not (accept_lost_keys and name == SEALED)
                for sentence in sentences
            ]
            for study in Study.objects.all()
        },
    )


def _other_keys(names: list[str]) -> BackupRefusal:
    lost = " ".join(f"Without {name} {SEALS[name]}." for name in names)
    files = " and ".join(str(settings.VAR_DIR / name.lower()) for name in names)
    return BackupRefusal(
        f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} not what the platform had whose backup this is. "
        f"{lost} Set the variable{'' if len(names) == 1 else 's'} {' and '.join(names)}, or put back {files} (where "
        "nothing was set, a new key has just been made there: replace it), and restore again. If the key is lost, "
        "--accept-lost-keys restores the rest. Nothing was changed."
    )


def _second_factors_lost(*, remove: bool) -> int:
    """Return how many people have a second factor that this installation's SECRET_KEY does not open.

    With `remove` they are rid of it, since nobody could log in who has one, administrators included.
    """
    lost = []
    sealed = {Authenticator.Type.TOTP: "secret", Authenticator.Type.RECOVERY_CODES: "seed"}
    for factor in Authenticator.objects.filter(type__in=sealed).only("user_id", "type", "data"):
        secret = factor.data.get(sealed[Authenticator.Type(factor.type)])
        try:
            if secret is not None:
                get_adapter().decrypt(secret)
        except InvalidToken:
            lost.append(factor)
    if remove:
        Authenticator.objects.filter(pk__in=[factor.pk for factor in lost]).delete()
    return len({factor.user_id for factor in lost})


def _put_back(backup: archive.Unpacked, media: Path | None) -> None:
    """Restore media, then the database, since a platform counts as existing once it has a database.

    Raises BackupRefusal; both places are empty again then.
    """
    try:
        if media is not None and backup.media.is_dir():
            shutil.copytree(backup.media, media, dirs_exist_ok=True)
        databases.put_back(backup.database)
    except BaseException as fault:
        if media is not None and media.is_dir():
            for path in media.iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        if isinstance(fault, OSError | shutil.Error):
            raise BackupRefusal(f"The backup could not be put back: {fault}. Nothing was changed.") from fault
        raise


def _entries(journal_file: Path | None) -> list[journal.Entry]:
    path = journal_file or Path(settings.ERASURE_JOURNAL)
    if journal_file is None and not path.exists():
        return []
    try:
        return journal.read(path)
    except (OSError, journal.DamagedJournal) as fault:
        raise BackupRefusal(f"The journal of erasures could not be read ({fault}). Nothing was changed.") from fault


def _check_origin(backup: archive.Unpacked) -> None:
    if backup.manifest["engine"] != connection.vendor:
        raise BackupRefusal(
            f"The backup is of {backup.manifest['engine']} and DATABASE_URL names {connection.vendor}. Name a database "
            "of the same kind. Nothing was changed."
        )
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    newer = [name for name in backup.manifest["migrations"] if name.split(".")[0] in OWN_APPS and name not in known]
    if newer:
        raise BackupRefusal(
            f"The backup is of a newer version ({newer[0]} is not known here). Install version "
            f"{backup.manifest['version']} or a newer one. Nothing was changed."
        )


@transaction.atomic
def erase_again(entries: list[journal.Entry]) -> int:
    """Erase participants who were erased after the backup was made; return the number of repeated erasures."""
    known = set(Erasure.objects.values_list("digest", "kind"))
    wanted = {(entry.digest, entry.kind): entry for entry in entries if (entry.digest, entry.kind) not in known}
    Erasure.objects.bulk_create(Erasure(digest=one.digest, kind=one.kind, at=one.at) for one in wanted.values())
    done = 0
    if not wanted:
        return done
    # As a list: rows are deleted during iteration.
    for participant, digest in list(journal.digests(Participant.objects.select_related("study").order_by("pk"))):
        kinds = {kind for kind in Erasure.Kind.values if (digest, kind) in wanted}
        if not kinds:
            continue
        done += 1
        if kinds == {Erasure.Kind.IDENTITY.value}:
            RecruitmentIdentity.objects.filter(participant=participant).delete()
            forget_submissions(participant.study)
            continue
        study = participant.study
        was_complete = erase(participant)
        if Erasure.Kind.RETENTION.value not in kinds:
            withdrawn = Erasure.Kind.WITHDRAWN.value
            tombstone = Tombstone.objects.create(
                study=study, by_participant=withdrawn in kinds, was_complete=was_complete
            )
            at = wanted[digest, withdrawn if withdrawn in kinds else Erasure.Kind.REMOVED.value].at
            Tombstone.objects.filter(pk=tombstone.pk).update(at=at)
    return done

"""`manage.py restore FILE`: restore a backup into an empty installation, and repeat later withdrawals."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from experiments.study.audit import record_of_platform
from participants.backups.fingerprints import SEALS
from participants.backups.refusals import BackupRefusal
from participants.backups.restoring import restore

SHOWN = 20
REMOVED = "They were removed: these people log in with their password until they set up a second factor again."
KEPT = (
    "Empty the place and restore once more with the key of the backup, or with --accept-lost-keys, which removes them."
)


class Command(BaseCommand):
    help = "Put a backup into an empty place, erase again who was erased since, and check the data of every study."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")
        parser.add_argument("--key-file", type=Path, metavar="FILE", help="the secret key of an encrypted backup")
        parser.add_argument(
            "--journal",
            type=Path,
            metavar="FILE",
            help="journal of erasures that is newer than the backup; by default that of the variable ERASURE_JOURNAL",
        )
        parser.add_argument(
            "--accept-lost-keys",
            action="store_true",
            help="restore although SECRET_KEY or CODES_KEY is not that of the backup; what it sealed stays unreadable",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = restore(
                options["file"],
                key_file=options["key_file"],
                journal_file=options["journal"],
                accept_lost_keys=options["accept_lost_keys"],
            )
        except BackupRefusal as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            raise CommandError(f"{error.filename or options['file']}: {error.strerror or error}.") from error
        without = f", without {' and '.join(done.lost_keys)}" if done.lost_keys else ""
        record_of_platform(action="backup restored", user=None, detail=f"of {done.made_at}{without}")
        self.stdout.write(
            f"Restored the backup of {done.made_at}: studies {done.studies}, participants {done.participants}; "
            f"erased again since then: {done.erased_again}."
        )
        if not done.has_journal:
            self.stderr.write(
                "There was no journal of erasures, so whoever withdrew after the backup is there again. If there is a "
                "journal, empty the place and restore once more with --journal FILE."
            )
        if not done.has_fingerprints:
            self.stderr.write(
                "The backup was made by an older version, which did not note its keys. Whether CODES_KEY is the right "
                "one follows from the checks below; SECRET_KEY is checked where somebody has an authenticator app."
            )
        for name in done.lost_keys:
            self.stderr.write(f"Restored without {name}: {SEALS[name]}.")
        if done.second_factors_lost:
            self.stderr.write(
                "SECRET_KEY does not open the authenticator apps and recovery codes of "
                f"{done.second_factors_lost} people. {REMOVED if options['accept_lost_keys'] else KEPT}"
            )
        for slug, faults in done.faults.items():
            self.stdout.write(f"{'FAIL' if faults else 'ok  '} {slug}")
            for sentence in faults[:SHOWN]:
                self.stdout.write(f"       {sentence}")
        if any(done.faults.values()) or (done.second_factors_lost and not options["accept_lost_keys"]):
            sys.exit(1)

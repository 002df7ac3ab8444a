"""`manage.py restore FILE`: restore a backup into an empty installation, and repeat later withdrawals."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from experiments.study.audit import record_of_platform
from participants.backups.refusals import BackupRefusal
from participants.backups.restoring import restore

SHOWN = 20


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

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = restore(options["file"], key_file=options["key_file"], journal_file=options["journal"])
        except BackupRefusal as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            raise CommandError(f"{error.filename or options['file']}: {error.strerror or error}.") from error
        record_of_platform(action="backup restored", user=None, detail=f"of {done.made_at}")
        self.stdout.write(
            f"Restored the backup of {done.made_at}: studies {done.studies}, participants {done.participants}; "
            f"erased again since then: {done.erased_again}."
        )
        if not done.has_journal:
            self.stderr.write(
                "There was no journal of erasures, so whoever withdrew after the backup is there again. If there is a "
                "journal, empty the place and restore once more with --journal FILE."
            )
        for slug, faults in done.faults.items():
            self.stdout.write(f"{'FAIL' if faults else 'ok  '} {slug}")
            for sentence in faults[:SHOWN]:
                self.stdout.write(f"       {sentence}")
        if any(done.faults.values()):
            sys.exit(1)

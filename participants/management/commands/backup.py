"""`manage.py backup --out FILE`: write database and media to one file, consistently while the platform runs."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from experiments.study.audit import record_of_platform
from participants.backups import archive, keys
from participants.backups.fingerprints import SEALS
from participants.backups.refusals import BackupRefusal


class Command(BaseCommand):
    help = "Write database and media into one file, consistent while people answer; encrypted where a key is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--out", type=Path, metavar="FILE", help="the new file")
        what.add_argument(
            "--new-key",
            type=Path,
            metavar="FILE",
            help="make a key: the secret one into FILE, the public one is printed",
        )
        parser.add_argument(
            "--key", default="", help="public key that encrypts (age1…); by default that of the variable BACKUP_KEY"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if options["new_key"]:
                self.stdout.write(keys.new_key(options["new_key"]))
                return
            key = options["key"] or settings.BACKUP_KEY
            size = archive.write(options["out"], public_key=key)
        except BackupRefusal as refusal:
            raise CommandError(str(refusal)) from refusal
        except OSError as error:
            path = options["out"] or options["new_key"]
            raise CommandError(f"{path} cannot be written: {error.strerror or error}.") from error
        except DatabaseError as fault:
            raise CommandError(
                f"The database that DATABASE_URL names cannot be read, or is not migrated ({fault}). "
                "No backup was written."
            ) from fault
        record_of_platform(action="backup made", user=None, detail=options["out"].name)
        kept = "encrypted" if key else "not encrypted"
        self.stdout.write(
            f"Wrote {options['out']} ({size:,} bytes, {kept}). It does not hold {' and '.join(SEALS)}, without which "
            "it is not restored: keep copies of both, apart from the backups."
        )

"""manage.py import_study FILE.zip: create a draft from an archive of export_study."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from experiments.management.commands.create_study import owner_named, refusal, summary
from experiments.study_files import StudyFileFaults, create_from_archive
from experiments.study_files.archive import MAX_ARCHIVE_BYTES


class Command(BaseCommand):
    help = "Create a draft of a study from an archive. Nothing is stored where anything is wrong."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="An archive that export_study wrote.")
        parser.add_argument("--slug", help="Another address for the study.")
        parser.add_argument("--owner", help="User name of the researcher who owns the study.")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_named(options["owner"])
        path: Path = options["file"]
        try:
            with path.open("rb") as file:
                data = file.read(MAX_ARCHIVE_BYTES + 1)
        except OSError as error:
            raise CommandError(f"'{path}' cannot be read: {error.strerror}.", returncode=2) from error
        try:
            study = create_from_archive(data, user=owner, owner=owner, slug=options["slug"])
        except StudyFileFaults as found:
            raise refusal(found, str(path)) from found
        for line in summary(study):
            self.stdout.write(line)

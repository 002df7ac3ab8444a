"""manage.py export_study SLUG --out FILE.zip: a study without its data, for sharing and replication."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from experiments.models import Study
from experiments.study_files import study_archive


class Command(BaseCommand):
    help = "Write a study without people and data to a ZIP archive that import_study reads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="Address of the study.")
        parser.add_argument("--out", type=Path, required=True, help="The archive to write.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["slug"]).first()
        if study is None:
            raise CommandError(f"There is no study '{options['slug']}'. Nothing was written.", returncode=2)
        path: Path = options["out"]
        # Written beside and renamed: an archive is there as a whole or not at all.
        partial = path.with_name(f".{path.name}.partial")
        try:
            partial.write_bytes(study_archive(study))
            partial.replace(path)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise CommandError(f"'{path}' cannot be written: {error.strerror}.", returncode=2) from error
        self.stdout.write(f"The study '{study.slug}' was written to {path}.")

"""manage.py export_study SLUG --out FILE.zip: export a study without its data, for sharing and replication."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from experiments.management.studies import study_named
from experiments.study_files import study_archive
from experiments.whole_files import NotWritten, write_whole


class Command(BaseCommand):
    help = "Write a study without people and data to a ZIP archive that import_study reads."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="Address of the study.")
        parser.add_argument("--out", type=Path, required=True, help="The archive to write.")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["slug"])
        path: Path = options["out"]
        try:
            write_whole(path, study_archive(study))
        except NotWritten as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        self.stdout.write(f"The study '{study.slug}' was written to {path}.")

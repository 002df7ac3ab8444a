"""`manage.py export_data SLUG --out DIR`: every file of a study, with codebook and a manifest of hashes."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.exports import OtherExport, write_all
from analysis.exports.forms.names import LAYOUTS
from analysis.studies.changes import Changes
from experiments.management.studies import study_named
from experiments.study.audit import record
from experiments.whole_files import NotWritten


class Command(BaseCommand):
    help = "Write every file of a study into a folder: CSV files, codebook, reports, manifest with hashes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study")
        parser.add_argument("--out", required=True, type=Path, help="folder to write into; made where it is missing")
        parser.add_argument(
            "--format",
            choices=LAYOUTS,
            default="flat",
            help="flat: trials.csv and the others next to each other; psych-ds, bids, psychling-101: datasets as these "
            "projects expect them; croissant: flat, with a description for machine learning; spss: for SPSS and jamovi",
        )
        parser.add_argument(
            "--excel", action="store_true", help="with byte order mark and guarded text cells, for spreadsheets"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["slug"])
        folder: Path = options["out"]
        if folder.exists() and not folder.is_dir():
            raise CommandError(f"{folder} is a file; give a folder.")
        try:
            written = write_all(
                study,
                folder,
                layout=options["format"],
                variant="excel" if options["excel"] else "plain",
                changes=Changes(study).since,
            )
        except (OtherExport, NotWritten) as refusal:
            raise CommandError(str(refusal)) from refusal
        record(study, action="data exported", user=None, detail=f"everything ({options['format']}), by command")
        if options["verbosity"] > 0:
            for path, size in written:
                self.stdout.write(f"{size:>12,} B  {folder / path}")

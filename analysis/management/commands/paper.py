"""`manage.py paper SLUG --out DIR`: write the study as a manuscript, with tables, figures and bibliography."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.papers.collected import NothingToWrite
from analysis.papers.whole import paper_files
from experiments.management.studies import study_named
from experiments.study.audit import record
from experiments.whole_files import NotWritten, write_whole


class Command(BaseCommand):
    help = (
        "Write a study as a manuscript into a folder: LaTeX, Markdown, Word, tables, figures, bibliography; of "
        "ratings and comparisons also the human evaluation data sheet."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study")
        parser.add_argument("--out", required=True, type=Path, help="folder to write into; made where it is missing")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["slug"])
        folder: Path = options["out"]
        if folder.exists() and not folder.is_dir():
            raise CommandError(f"{folder} is a file; give a folder.", returncode=2)
        try:
            files = paper_files(study)
        except NothingToWrite as nothing:
            raise CommandError(str(nothing), returncode=2) from nothing
        for path, content in files:
            try:
                size = write_whole(folder / path, content)
            except NotWritten as refusal:
                raise CommandError(str(refusal), returncode=2) from refusal
            if options["verbosity"] > 0:
                self.stdout.write(f"{size:>12,} B  {folder / path}")
        record(study, action="data exported", user=None, detail="as a paper, by command")

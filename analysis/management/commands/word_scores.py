"""`manage.py word_scores SLUG FILE`: check a table of scores of words against the texts of a study, and store it."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from experiments.formats.faults import spoken
from experiments.management.studies import study_named
from experiments.materials.shapes import MAX_BYTES, MaterialsFaults
from experiments.materials.table import read_table
from experiments.materials.word_tables import WordTableRefused, read_word_table
from experiments.models import Part, WordScore
from experiments.study.word_scores import remove_word_score, store_word_scores, word_score_named

BAD_INPUT = 2


class Command(BaseCommand):
    help = (
        "Store numbers for every word of a study's texts, such as surprisals, for the exported regions and visits; "
        "before or after the study opens."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study")
        parser.add_argument("file", nargs="?", type=Path, help="CSV or XLSX: item, condition, word and the scores")
        parser.add_argument("--note", default="", help="program, version and model, as the codebook should say it")
        parser.add_argument(
            "--together", choices=WordScore.Together.values, default="sum", help="what a region of several words has"
        )
        parser.add_argument("--part", default="", metavar="NAME", help="of several tasks, the one with these words")
        parser.add_argument("--replace", action="store_true", help="replace scores of the same names")
        parser.add_argument("--check", action="store_true", help="say whether the words match, and store nothing")
        parser.add_argument("--remove", default="", metavar="SCORE", help="remove a score that is stored")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["slug"])
        part = next((one for one in study.tasks if options["part"] in ("", one.name)), None)
        if part is None:
            known = ", ".join(one.name for one in study.tasks)
            raise CommandError(f"There is no task '{options['part']}'. The tasks are: {known}.", returncode=BAD_INPUT)
        try:
            if options["remove"]:
                remove_word_score(word_score_named(part, options["remove"]), user=None)
                self.stdout.write(f"{options['remove']} was removed.")
                return
            self._store(part, options)
        except MaterialsFaults as refused:
            raise CommandError(spoken(refused.faults), returncode=BAD_INPUT) from refused
        except (WordTableRefused, OSError) as refused:
            raise CommandError(str(refused), returncode=BAD_INPUT) from refused

    def _store(self, part: Part, options: dict[str, Any]) -> None:
        if options["file"] is None or not (options["note"] or options["check"]):
            raise WordTableRefused("Give the file, and with --note where its numbers come from.")
        with options["file"].open("rb") as file:
            found = read_word_table(part, read_table(file.read(MAX_BYTES + 1), options["file"].name))
        for warning in found.warnings:
            self.stderr.write(warning, style_func=str)
        told = f"{', '.join(found.scores)}: {found.words:,} words of {found.texts:,} texts"
        if options["check"]:
            self.stdout.write(f"{told} match. Nothing was stored.")
            return
        provenance = f"{options['note'].strip().rstrip('.')}. From {options['file'].name}."
        store_word_scores(
            part,
            found.scores,
            together=options["together"],
            provenance=provenance,
            user=None,
            replace=options["replace"],
        )
        self.stdout.write(f"{told} were stored.")

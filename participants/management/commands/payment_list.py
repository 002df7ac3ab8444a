"""`manage.py payment_list SLUG --out FILE.csv`: write the list of participants to pay."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from experiments.management.studies import study_named
from experiments.whole_files import NotWritten, write_whole
from participants.watching.payment import payment_csv


class Command(BaseCommand):
    help = "Write who is to be paid: recruitment id, source, outcome, code, times; no pseudonym and no answer."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study")
        parser.add_argument("--out", required=True, help="the CSV file to write")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["slug"])
        table, number = payment_csv(study, user=None, detail=", by command")
        try:
            write_whole(Path(options["out"]), table)
        except NotWritten as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"Wrote {number} {'person' if number == 1 else 'people'} to {options['out']}.")

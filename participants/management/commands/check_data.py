"""`manage.py check_data SLUG`: check invariants of the stored data. Exit code 1 if one is violated."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from experiments.management.studies import study_named
from participants.watching.invariants import violations

SHOWN = 20


class Command(BaseCommand):
    help = "Check that the data of a study are sound: stored as acknowledged, complete, balanced, each item once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study")

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_named(options["slug"])
        found = violations(study)
        for name, sentences in found.items():
            self.stdout.write(f"{'ok  ' if not sentences else 'FAIL'} {name}")
            for sentence in sentences[:SHOWN]:
                self.stdout.write(f"       {sentence}")
            if len(sentences) > SHOWN:
                self.stdout.write(f"       … and {len(sentences) - SHOWN} more")
        if any(found.values()):
            sys.exit(1)

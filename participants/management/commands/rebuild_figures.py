"""`manage.py rebuild_figures [SLUG]`: make what is kept of finished sessions anew from their answers."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from experiments.management.studies import study_named
from experiments.models import Study
from participants.session.figures import rebuild_figures


class Command(BaseCommand):
    help = "Make the figures that pages and tables show of finished sessions anew from the stored answers."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="?", default="", help="the study; all studies if left out")

    def handle(self, *args: Any, **options: Any) -> None:
        studies = [study_named(options["slug"])] if options["slug"] else Study.objects.order_by("slug")
        for study in studies:
            number = 0
            for number in rebuild_figures(study):  # noqa: B007 - the last one is told
                pass
            if options["verbosity"] > 0:
                self.stdout.write(f"{study.slug}: {number} finished sessions")

"""`manage.py worker`: the embedded worker, which the web server starts by itself."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from analysis.runs.worker import AlreadyRunning, serve


class Command(BaseCommand):
    help = "Compute queued analyses. The web server starts this worker itself unless CELERY_BROKER_URL is set."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--parent",
            type=int,
            default=os.getppid(),
            help="process with which the worker ends; by default the one that started it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.EMBEDDED_WORKER:
            raise CommandError("CELERY_BROKER_URL is set: start `celery --app config worker --beat` instead.")
        try:
            serve(parent=options["parent"])
        except AlreadyRunning as refusal:
            raise CommandError(str(refusal)) from refusal

"""Print the JSON Schema of study files, for editors and other programs."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from experiments.study_files.schema import written_schema


class Command(BaseCommand):
    """`manage.py study_file_schema > study-file.schema.json`"""

    help = "Print the JSON Schema (draft 2020-12) of study files, with the paradigms that are installed."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(written_schema(), ending="")

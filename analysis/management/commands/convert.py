"""`manage.py convert FILE --out trials.csv`: results of other tools as a table for `analyse`, with a codebook."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from analysis.conversion.recognise import convert_file
from analysis.conversion.table import Converted, NotRecognised
from analysis.methods.wording import counted
from experiments.formats.csvtext import csv_text

BAD_INPUT = 2
FAULTS_SHOWN = 20


class Command(BaseCommand):
    help = "Make a table for 'analyse' of the results of PCIbex, Ibex, jsPsych, JATOS, lab.js, OpenSesame or MoTR."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="results as the tool wrote them; recognised by their content")
        parser.add_argument("--out", type=Path, required=True, metavar="trials.csv", help="the table to write")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = convert_file(options["file"])
        except (NotRecognised, OSError) as refusal:
            self.stderr.write(f"{options['file']}: {refusal}", style_func=str)
            sys.exit(BAD_INPUT)
        out: Path = options["out"]
        codebook = out.with_name(f"{out.stem}_codebook.csv")
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(_table(found), encoding="utf-8", newline="")
        lines = found.codebook()
        header = ["column", "meaning", "unit", "source"]
        codebook.write_text(csv_text(header, [[line[name] for name in header] for line in lines]), "utf-8", newline="")
        said = [
            f"{found.tool}: {counted(len(found.rows), 'row')} in {out}, columns explained in {codebook}.",
            *found.notes,
        ]
        for line in said:
            self.stdout.write(line)
        for fault in found.faults[:FAULTS_SHOWN]:
            self.stderr.write(str(fault), style_func=str)
        if len(found.faults) > FAULTS_SHOWN:
            self.stderr.write(f"and {len(found.faults) - FAULTS_SHOWN} more faults", style_func=str)


def _table(found: Converted) -> str:
    columns = found.columns
    return csv_text(columns, [[_written(row.get(name)) for name in columns] for row in found.rows])


def _written(value: Any) -> Any:
    return ("true" if value else "false") if isinstance(value, bool) else value
